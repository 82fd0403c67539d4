// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/plot/figure.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lloyd {

/// "n", "d", "k", "threads in a block", "points a thread".
[[nodiscard]] QString axisTitle(SweepParameter parameter);
/// "1,024", and powers of two that are long to write as "2^20".
[[nodiscard]] QString sweepValueText(std::uint64_t value);
/// "median µs", "GB/s", "% of the limit", "million points/s".
[[nodiscard]] QString metricTitle(SweepMetric metric);
/// "V3", or the whole id where variants of several families are swept; with tuning parameters that are not
/// the variant's own.
[[nodiscard]] QString lineName(const SweepPlan& plan, std::size_t candidate);
/// One measurement with its place and all that was found out, as a hover says it.
[[nodiscard]] QString cellText(const SweepResult& result, std::size_t column, std::size_t row,
                               std::size_t candidate, SweepMetric metric);

/// Whether the values span so much that the upward axis had better be logarithmic.
[[nodiscard]] bool spansMuch(const SweepResult& result, SweepMetric metric);

/// A sweep over one axis, or one of which the other has a single value: a line for each variant. What could
/// not run is a gap, with a cross at the foot that tells the reason.
[[nodiscard]] Figure sweepLines(const SweepResult& result, SweepMetric metric, bool logarithmic);

/// A sweep over two axes: one candidate at each place, or the best of all with its name. What could not run
/// is a dash that tells the reason.
[[nodiscard]] Figure sweepMap(const SweepResult& result, SweepMetric metric,
                              std::optional<std::size_t> candidate);

} // namespace lloyd
