// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/source_text.hpp"
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/registry.hpp"

#include <optional>
#include <vector>

namespace lloyd {

/// What is taught at one moment: a stage, a variant of it, and the version that it is held against.
struct TeachSubject {
  Stage stage = Stage::classify;
  const Variant* variant = nullptr;
  const Variant* before = nullptr; ///< null for the first of its stage
  Tuning tuning;                   ///< of the person; each variant takes the tuning parameters that it has
  bool operator==(const TeachSubject&) const = default;
};

/// The stages that have a variant, in the order of an iteration, then whole iterations and layout.
[[nodiscard]] std::vector<Stage> taughtStages();
/// Variants of a stage: kernels in the order of their numbers, those with a name behind them, and those for
/// processors.
[[nodiscard]] std::vector<const Variant*> taughtVariants(Stage stage);
/// Whether what the variant asks of memory in that stage can be counted: the simulator runs it.
[[nodiscard]] bool isCounted(const Variant& variant, Stage stage);
/// A person's own.
[[nodiscard]] bool isOwn(const Variant& variant);
/// V2 for V3, of the same family. One without a number is held against the numbered one whose source is most
/// like its own.
/// Null when there is none.
[[nodiscard]] const Variant* versionBefore(Stage stage, const Variant& variant);

/// A variant's file with what changed in it. lines index into now.lines and before.lines; the comments that
/// open the files and what registers the variants are not compared, because they describe.
struct SourceComparison {
  SourceText now;
  SourceText before;           ///< empty without a version before
  QString beforeName;          ///< "V2"
  std::vector<DiffLine> lines; ///< all of now, opening comment included; headers are there or new as a whole
};
[[nodiscard]] SourceComparison compareSources(const Variant& variant, const Variant* before);

} // namespace lloyd
