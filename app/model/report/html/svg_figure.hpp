// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/html/svg_chart.hpp"
#include "app/plot/figure.hpp"

#include <QString>

namespace lloyd {

/// The report's painter of figures: one panel as an SVG element. Lines are named at their right ends, in the
/// right margin; series of marks above the axes. label is read aloud for the whole picture; classes are the
/// picture's for the style sheet.
[[nodiscard]] QString svgFigure(const PlotPanel& panel, const SvgChart::Size& size, const QString& label,
                                const QString& classes);

} // namespace lloyd
