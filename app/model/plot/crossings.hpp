// SPDX-License-Identifier: GPL-3.0-or-later
// Where along a sweep one variant passes another.
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/plot/figure.hpp"

#include <QString>

#include <cstddef>
#include <vector>

namespace lloyd {

/// One candidate passes another. Places are indices of the axis' values.
struct Crossing {
  std::size_t from = 0; ///< the candidate that is the better of both up to here
  std::size_t to = 0;   ///< the one that is from here on
  std::size_t left = 0; ///< the last place before it with a value of both
  std::size_t right = 0;
  double at = 0;       ///< where their lines meet, in the units of axis values: thousandths, of data
  double value = 0;    ///< of both there
  bool ofBest = false; ///< both are the best of all, on their sides
};

/// How lines between two places are straight: as the axes are.
struct CrossingScales {
  bool logAlong = false;
  bool logUp = false;
};

/// Where candidates pass one another along a sweep over one axis, or over two of which one has a single
/// value: changes of the best first, then the others, each in the order of their places. The one must be
/// ahead at a place before and the other at a place behind by more than noise, which is half of both
/// interquartile ranges together; places between them that cannot tell do not hide the change. Nothing of
/// what has no order, as arithmetic, and of metrics that measure no speed.
[[nodiscard]] std::vector<Crossing> crossingsOf(const SweepResult& result, SweepMetric metric,
                                                const CrossingScales& scales = {});

/// "the fastest changes from V1 to V3 at about 0.42; V2 passes V4 at about 0.5"; of tuning parameters, which
/// have no values between two places, "between 4 and 8". The first few in words, the rest as a number. names:
/// of the candidates. Empty where there are none.
[[nodiscard]] QString crossingsText(const std::vector<Crossing>& crossings, const SweepAxis& axis,
                                    SweepMetric metric, const std::vector<QString>& names);
/// A ring for each, which says "V3 is faster than V1 from about 0.42 on".
[[nodiscard]] PlotSeries crossingMarks(const std::vector<Crossing>& crossings, const SweepAxis& axis,
                                       SweepMetric metric, const std::vector<QString>& names);

} // namespace lloyd
