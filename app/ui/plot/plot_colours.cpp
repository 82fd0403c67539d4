// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_colours.hpp"

#include "app/plot/plot_palette.hpp"
#include "app/ui/common/theme.hpp"

#include <array>

namespace lloyd {

namespace {

QColor colourOf(PlotRgb rgb) { return QColor::fromRgb(static_cast<QRgb>(rgb)); }
PlotRgb rgbOf(const QColor& colour) { return colour.rgb() & 0xffffff; }

} // namespace

QColor seriesColour(std::size_t series, const UiTheme& theme) {
  return colourOf(seriesRgb(series, theme.dark));
}

QPen seriesPen(std::size_t series, const UiTheme& theme) {
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
  QPen pen(seriesColour(series, theme), 1.6);
  pen.setStyle(dashes[(series / plotHues) % dashes.size()]);
  return pen;
}

QColor stageColour(Stage stage, const UiTheme& theme) {
  return stage == Stage::wait ? theme.line : colourOf(stageRgb(stage, theme.dark));
}

QCPColorGradient evenGradient() {
  constexpr int stops = 33;
  QCPColorGradient gradient;
  gradient.clearColorStops();
  for (int i = 0; i < stops; ++i)
    gradient.setColorStopAt(static_cast<double>(i) / (stops - 1),
                            colourOf(rampRgb(static_cast<double>(i) / (stops - 1))));
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

QColor inkOn(const QColor& ground) { return colourOf(inkOn(rgbOf(ground))); }

double contrastOf(const QColor& a, const QColor& b) { return contrastOf(rgbOf(a), rgbOf(b)); }

} // namespace lloyd
