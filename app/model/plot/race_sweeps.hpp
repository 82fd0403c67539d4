// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/sweep/sweep_plan.hpp"

#include <vector>

namespace lloyd {

/// Rows of one race or of several, which the caller keeps.
using RaceRows = std::vector<const Measurement*>;

/// The rows of those variants that have a time anywhere at their stage.
[[nodiscard]] RaceRows rowsOfRanked(const std::vector<const RaceResult*>& races);

/// What the rows differ in. A tuning parameter counts for the variants that have it.
[[nodiscard]] std::vector<SweepParameter> sweptIn(const RaceRows& rows);

/// The row's value of a parameter.
[[nodiscard]] std::uint64_t valueIn(const Measurement& row, SweepParameter parameter);

/// Rows of one stage as a finished sweep over one or two parameters: of each variant the fastest row at a
/// place, or else one that says why there is no time. The rows must outlive it.
[[nodiscard]] SweepResult sweepOf(const RaceRows& rows, const std::vector<SweepParameter>& over);

} // namespace lloyd
