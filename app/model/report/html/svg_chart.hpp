// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"
#include "app/plot/plot_palette.hpp"

#include <QString>

namespace lloyd {

/// Pixels of a picture at its own size; it may be shown larger or smaller. The margins are the least: names
/// of rows and words behind marks get what they need.
struct SvgSize {
  double width = 960;
  double height = 360;
  double left = 70; ///< for the numbers and the title of the y axis
  double right = 20;
  double top = 12;
  double bottom = 46;
};

/// The report's painter of figures: one panel as an SVG element that stands in an HTML page. Colours are
/// classes, for the page's style sheet to fill by colour scheme and for print. Every mark carries what it
/// says as a title, which browsers show under the pointer and read aloud; what has no place between the axes
/// is left out. Lines are named at their right ends, in the right margin; other series above the axes.
/// label is read aloud for the whole picture; classes are the picture's own. QtCore only.
[[nodiscard]] QString svgFigure(const PlotPanel& panel, const SvgSize& size, const QString& label,
                                const QString& classes);

/// The style of an element whose colour is none of the style sheet's.
[[nodiscard]] QString exactStyle(PlotRgb colour);

/// The style sheet's variables for the colours of series and stages, "--s0: #1f83bd; --s1: ...", and its
/// rules that give an element with the class of a colour that variable as --c.
[[nodiscard]] QString plotColourVariables(bool dark);
[[nodiscard]] QString plotColourRules();

} // namespace lloyd
