// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/plot/figure.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// "n, points", "d, dimensions", "threads in a block".
[[nodiscard]] QString axisTitle(SweepParameter parameter);
/// "median µs", "GB/s", "% of the limit", "million points/s", "times as fast as with one point a thread".
[[nodiscard]] QString metricTitle(SweepMetric metric);

/// A value of an axis: "1,024", and powers of two that are long to write as "2²⁰"; arithmetic in its word,
/// and what is swept of data as the number that it is.
[[nodiscard]] QString sweptText(SweepParameter parameter, std::uint64_t value);
/// A candidate by what tells it from the plan's others: "V8, vector 2".
[[nodiscard]] QString candidateName(const SweepPlan& plan, std::size_t candidate);
/// One measurement with its place and all that was found out, as a hover says it.
[[nodiscard]] QString cellText(const SweepResult& result, std::size_t column, std::size_t row,
                               std::size_t candidate, SweepMetric metric);

/// Whether the values span so much that the upward axis had better be logarithmic.
[[nodiscard]] bool spansMuch(const SweepResult& result, SweepMetric metric);

/// A sweep over one axis, or one of which the other has a single value: a line for each variant. What could
/// not run is a gap, with a cross at the foot that tells the reason.
[[nodiscard]] Figure sweepLines(const SweepResult& result, SweepMetric metric, bool logarithmic);

/// A sweep over two axes: one candidate at each place, or the best of all with its name; the best is bright.
/// What could not run is a dash that tells the reason.
[[nodiscard]] Figure sweepMap(const SweepResult& result, SweepMetric metric,
                              std::optional<std::size_t> candidate);

/// The map of one candidate for a place beside others: titled by what it differs in, without a scale, in the
/// colours that a range has for all of them.
[[nodiscard]] Figure linkedMap(const SweepResult& result, SweepMetric metric, std::size_t candidate,
                               std::optional<std::pair<double, double>> range);
/// The least and the largest value of several candidates; nothing where none is known.
[[nodiscard]] std::optional<std::pair<double, double>> mapRange(const SweepResult& result, SweepMetric metric,
                                                                const std::vector<std::size_t>& candidates);

/// A strip of the colours that cells have, over the values they stand for; empty where all cells have one.
[[nodiscard]] Figure colourScale(const PlotCells& cells);

} // namespace lloyd
