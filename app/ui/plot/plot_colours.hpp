// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"
#include "gpu/core/contract/stage.hpp"

#include <QColor>
#include <QPen>
#include <qcustomplot.h>

#include <cstddef>

namespace lloyd {

struct UiTheme;

/// The colours of plot_palette.hpp in a theme. Series of the same colour differ in their dashes.
[[nodiscard]] QColor seriesColour(std::size_t series, const UiTheme& theme);
[[nodiscard]] QPen seriesPen(std::size_t series, const UiTheme& theme);
[[nodiscard]] QColor stageColour(Stage stage, const UiTheme& theme);
/// Of a description, in the current theme.
[[nodiscard]] QColor colourOf(const PlotInk& ink);
/// From dark to bright, as rampRgb() has it.
[[nodiscard]] QCPColorGradient evenGradient();
/// Black or white, whichever is easier to read on the ground.
[[nodiscard]] QColor inkOn(const QColor& ground);
/// Of WCAG 2: 1 to 21.
[[nodiscard]] double contrastOf(const QColor& a, const QColor& b);

} // namespace lloyd
