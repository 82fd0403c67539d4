// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/stage.hpp"
#include "gpu/core/contract/variant.hpp"
#include "gpu/core/data/problem.hpp"

#include <QString>

#include <optional>

namespace lloyd {

/// The race by which a trial held a person's own variant against the program's: medians of one launch.
struct OwnRace {
  QString device; ///< "NVIDIA H200"; empty: the simulator, whose times say nothing of a card's
  Problem problem;
  double us = 0;
  QString rival; ///< an id
  double rivalUs = 0;
  QString verdict; ///< a sentence
  bool operator==(const OwnRace&) const = default;
};

// The last race of each own variant, for whoever shows its time. GUI thread.

/// variant: of the registry, which keeps it where it is. Without a race what was kept is forgotten.
void keepOwnRace(const Variant& variant, Stage stage, const std::optional<OwnRace>& race);
/// Nothing where none was kept.
[[nodiscard]] std::optional<OwnRace> ownRace(const Variant& variant, Stage stage);

} // namespace lloyd
