// SPDX-License-Identifier: GPL-3.0-or-later
// What sweeps are called in plots, fields and read-outs.
#pragma once
#include "app/model/sweep/sweep_plan.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>

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

} // namespace lloyd
