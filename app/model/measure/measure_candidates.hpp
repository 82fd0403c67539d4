// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/race_protocol.hpp"

namespace lloyd {

/// Verifies each candidate on the bench's problem, then races those that can run: RaceResult::rows has one
/// row for every candidate, in their order. look is called with what there is after each look at the
/// verdicts. when cancelled in the middle (the device's flag, or progress throws Cancelled) what was measured
/// so far is returned, not finished; before the first complete round Cancelled is thrown. Throws DeviceError.
[[nodiscard]] RaceResult measure(StageHarness& bench, std::span<const Candidate> candidates,
                                 const RaceOptions& options,
                                 const std::function<void(const RaceProgress&)>& progress = {},
                                 const std::function<void(RaceResultPtr)>& look = {});

} // namespace lloyd
