// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/plot/figure.hpp"

#include <QString>

#include <cstddef>
#include <optional>

namespace lloyd {

/// "n, points", "d, dimensions", "threads in a block".
[[nodiscard]] QString axisTitle(SweepParameter parameter);
/// "median µs", "GB/s", "% of the limit", "million points/s".
[[nodiscard]] QString metricTitle(SweepMetric metric);

/// Whether the values span so much that the upward axis had better be logarithmic.
[[nodiscard]] bool spansMuch(const SweepResult& result, SweepMetric metric);

/// A sweep over one axis, or one of which the other has a single value: a line for each variant. What could
/// not run is a gap, with a cross at the foot that tells the reason.
[[nodiscard]] Figure sweepLines(const SweepResult& result, SweepMetric metric, bool logarithmic);

/// A sweep over two axes: one candidate at each place, or the best of all with its name; the best is bright.
/// What could not run is a dash that tells the reason.
[[nodiscard]] Figure sweepMap(const SweepResult& result, SweepMetric metric,
                              std::optional<std::size_t> candidate);

} // namespace lloyd
