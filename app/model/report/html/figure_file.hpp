// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/html/svg_chart.hpp"

#include <QByteArray>
#include <QString>

namespace lloyd {

/// The first panel of a figure as an SVG file of its own: light, with all that it needs within. Without a
/// panel it says why there is none. classes are the picture's own, as svgFigure() has them.
[[nodiscard]] QByteArray figureSvg(const Figure& figure, const SvgSize& size, const QString& classes);

} // namespace lloyd
