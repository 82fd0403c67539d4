// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measure_candidates.hpp"

#include <atomic>
#include <optional>

namespace lloyd {

/// How a person's own variant did against another.
struct TrialRace {
  double ownUs = 0; ///< median
  double rivalUs = 0;
  Comparison comparison;
};

/// Races the two. Nothing where one of them cannot be compared. Throws Cancelled, and DeviceError.
[[nodiscard]] std::optional<TrialRace> raceTwo(StageHarness& bench, const Candidate& own,
                                               const Candidate& rival, const RaceOptions& options,
                                               const std::atomic<bool>* cancel);

} // namespace lloyd
