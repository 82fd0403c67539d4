// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/device.hpp"
#include "gpu/core/request_error.hpp"

#include <string>
#include <vector>

namespace lloyd {

/// Which variants a person asked for, by id; an empty one is left to the program.
struct Selection {
  std::string classify;
  std::string reduce;
  std::string fused; ///< excludes the two above
  std::string update;
  Tuning tuning; ///< knobs that at least one chosen variant must have
  bool operator==(const Selection&) const = default;
};

/// The variants of one iteration: either fused, or classify and reduce; always update.
struct Plan {
  const Variant* classify = nullptr;
  const Variant* reduce = nullptr;
  const Variant* fused = nullptr;
  const Variant* update = nullptr;
  Tuning tuning;

  [[nodiscard]] std::vector<const Variant*> variants() const;
  [[nodiscard]] const Variant* of(Stage stage) const;
  [[nodiscard]] bool wants(Layout layout) const;
  bool operator==(const Plan&) const = default;
};

/// Completes a selection with the fastest variants that can run the problem on the device. Throws
/// RequestError in words: unknown id, a variant of another backend (absent), a reason from Variant::whyNot, a
/// knob that no chosen variant has.
[[nodiscard]] Plan makePlan(const Selection& selection, const Problem& problem, const DeviceInfo& device);

/// The first variant in the order of preference for stage that can run; null when none can.
[[nodiscard]] const Variant* preferred(Stage stage, const Problem& problem, const DeviceInfo& device);

} // namespace lloyd
