// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"
#include "app/model/measure/race_protocol.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "app/model/sweep/sweep_points.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lloyd {

/// Measurements with their places, SweepPlan::index().
using SweepCells = std::vector<std::pair<std::size_t, std::shared_ptr<const Measurement>>>;

/// How a step is measured.
struct SweepMethod {
  RaceOptions options;
  double cellSeconds = 0.5; ///< budget of each measurement; a step's race has that of all of them
  Init init;
  std::uint64_t seed = 1;
};

/// Measures all tasks of a step in one race. What cannot run is a gap with its reason: too few points, a
/// size that the source cannot have, a tuning parameter's value that a variant refuses, too little memory.
/// tick is called while it goes on. Throws Cancelled when cancel becomes true, and DeviceError when the
/// device is lost.
[[nodiscard]] SweepCells measureStep(Device& device, SweepData& data, const SweepStep& step,
                                     const SweepMethod& method, const std::atomic<bool>& cancel,
                                     const std::function<void()>& tick);

} // namespace lloyd
