// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/core/timeline/timeline.hpp"
#include "gpu/engine/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// A clustering that is to run beside others: points that stand still, and where it begins.
struct SetStart {
  SharedPointSet points;
  std::uint64_t seed = 1;
  std::vector<float> centroids; ///< [k][d]
  Plan plan;                    ///< with a schedule of sets
};

/// What one of them came to, from the first centroids of its seed.
struct SetOutcome {
  std::uint64_t seed = 1;
  int iterations = 0;
  int needed = 0;               ///< the first iteration that changed no label; 0: there was none
  std::vector<float> centroids; ///< [k][d]
};

/// Several sets, and what their runs took, copies included and seeding not.
struct SetsOutcome {
  std::vector<SetOutcome> sets; ///< in the order of their starts
  double us = 0;
  TimelinePtr timeline; ///< of one more run of those that ran at once first; null where none was asked for
  std::size_t recorded = 0; ///< how many sets those are
};

/// Runs each set by its plan's schedule, for at most so many iterations: neighbours that have one plan run at
/// once, as many as the device has memory for. record: those that ran at once first run
/// once more, and are recorded. Any thread that may use the device. Throws RequestError when there is not
/// memory for one, DeviceError and Cancelled.
[[nodiscard]] SetsOutcome runSets(Device& device, std::span<const SetStart> starts, int most,
                                  bool record = false);

} // namespace lloyd
