// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/stage.hpp"

#include <QColor>
#include <QPen>
#include <qcustomplot.h>

#include <cstddef>

namespace lloyd {

struct UiTheme;

/// Colours of plots: eight hues that remain apart for every kind of colour blindness (after Okabe and Ito,
/// 2008), darker in the light theme, each with a contrast of at least 3 to 1 against the panel. What colour
/// alone cannot tell apart differs in dash and marker too.
[[nodiscard]] QColor seriesColour(std::size_t series, const UiTheme& theme);
[[nodiscard]] QPen seriesPen(std::size_t series, const UiTheme& theme);
[[nodiscard]] QCPScatterStyle seriesMarker(std::size_t series, const UiTheme& theme, double size = 6);
/// A stage has the same colour in every plot.
[[nodiscard]] QColor stageColour(Stage stage, const UiTheme& theme);
/// A and B of a comparison.
[[nodiscard]] QColor firstColour(const UiTheme& theme);
[[nodiscard]] QColor secondColour(const UiTheme& theme);
/// From dark to bright in even steps of lightness (viridis).
[[nodiscard]] QCPColorGradient evenGradient();
/// Black or white, whichever is easier to read on the ground.
[[nodiscard]] QColor inkOn(const QColor& ground);
/// Of WCAG 2: 1 to 21.
[[nodiscard]] double contrastOf(const QColor& a, const QColor& b);

} // namespace lloyd
