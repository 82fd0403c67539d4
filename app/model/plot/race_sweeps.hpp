// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/sweep/sweep_plan.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lloyd {

/// A row of a race, which the caller keeps, with what its race's points were like.
struct RaceRow {
  const Measurement* measured = nullptr;
  /// Order, spread and skew of the generator, in thousandths; nothing of what it has not, or is no
  /// generator's.
  std::array<std::optional<std::uint64_t>, 3> data{};
};
/// Rows of one race or of several.
using RaceRows = std::vector<RaceRow>;

/// The rows of those variants that have a time anywhere at their stage.
[[nodiscard]] RaceRows rowsOfRanked(const std::vector<const RaceResult*>& races);

/// What the rows differ in. A tuning parameter counts for the variants that have it, and what points are like
/// for those of generators that can be told it.
[[nodiscard]] std::vector<SweepParameter> sweptIn(const RaceRows& rows);

/// The row's value of a parameter, of data in thousandths; 0 where it has none.
[[nodiscard]] std::uint64_t valueIn(const RaceRow& row, SweepParameter parameter);

/// Rows of one stage as a finished sweep over one or two parameters: of each variant the fastest row at a
/// place, or else one that says why there is no time. The rows must outlive it.
[[nodiscard]] SweepResult sweepOf(const RaceRows& rows, const std::vector<SweepParameter>& over);

} // namespace lloyd
