// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/tuning/tuning_candidates.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What measuring one problem found.
struct TunedProblem {
  TuningEntry entry;              ///< without its date
  std::vector<std::string> wrong; ///< candidates that differ from double precision, in words
  std::vector<Candidate> behind;  ///< so far behind the fastest of their part that more points will not help
};

/// Measures one problem. Each candidate that can run is timed a few times; those near the fastest of their
/// part, and the present default, are checked and then race in turns; what is chosen has been checked on this
/// very problem. Variants of tiles are timed with their share of putting the points in order, and left out
/// where memory has no room for tiles. Nothing when no iteration can be made of what is right without them.
/// budgetSeconds bounds the race, and no round less than five is run. tick is called between measurements and
/// may throw Cancelled. Throws DeviceError, Cancelled.
[[nodiscard]] std::optional<TunedProblem> tuneProblem(StageHarness& bench,
                                                      const std::vector<Candidate>& candidates,
                                                      const TuningTable& table, double budgetSeconds,
                                                      const std::function<void()>& tick = {});

} // namespace lloyd
