// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/plot_table.hpp"
#include "app/model/quality/k_curve_points.hpp"
#include "app/plot/figure.hpp"

#include <vector>

namespace lloyd {

/// One score of the best runs over k, what it spans over the restarts as whiskers, a ring around the k that
/// it would choose, and a line at the k that is shown. The title names the choice.
[[nodiscard]] Figure kCurveFigure(const std::vector<KPoint>& points, Score score, int shownK);
/// One row a run: k, seed, inertia and scores.
[[nodiscard]] PlotTable kCurveTable(const std::vector<KPoint>& points);

} // namespace lloyd
