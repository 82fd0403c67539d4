// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/step_apart.hpp"
#include "app/model/plot/plot_table.hpp"
#include "app/plot/figure.hpp"

namespace lloyd {

/// A waterfall: a mark at the earlier version's time, a bar for what each switch gains, the largest first and
/// each beginning where the one before ends, and a mark at the later version's time. Whiskers are intervals.
/// The axis spans these alone, because a gain may be a hundredth of the time. whyNone: what stands in for it
/// without a step.
[[nodiscard]] Figure apartFigure(const StepApart* apart, const QString& whyNone = {});

/// One row a combination: its switches, its time and the interval.
[[nodiscard]] PlotTable combinationTable(const StepApart& apart);

} // namespace lloyd
