// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_colours.hpp"

#include "app/plot/plot_palette.hpp"
#include "app/ui/common/theme.hpp"

#include <array>

namespace lloyd {

namespace {

QColor toQColor(PlotRgb rgb) { return QColor::fromRgb(static_cast<QRgb>(rgb)); }
PlotRgb rgbOf(const QColor& colour) { return colour.rgb() & 0xffffff; }

} // namespace

QColor seriesColour(std::size_t series, const UiTheme& theme) {
  return toQColor(seriesRgb(series, theme.dark));
}

QPen seriesPen(std::size_t series, const UiTheme& theme) {
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
  QPen pen(seriesColour(series, theme), 1.6);
  pen.setStyle(dashes[(series / plotHues) % dashes.size()]);
  return pen;
}

QColor stageColour(Stage stage, const UiTheme& theme) {
  return stage == Stage::wait ? theme.line : toQColor(stageRgb(stage, theme.dark));
}

QColor colourOf(const PlotInk& ink) {
  const UiTheme& theme = UiTheme::current();
  switch (ink.of) {
  case PlotInk::Of::dim:
    return theme.dim;
  case PlotInk::Of::accent:
    return theme.accent;
  case PlotInk::Of::bar:
    return theme.bar;
  case PlotInk::Of::alert:
    return theme.alert;
  case PlotInk::Of::exact:
    return toQColor(static_cast<PlotRgb>(ink.index));
  case PlotInk::Of::series:
    return seriesColour(ink.index, theme);
  case PlotInk::Of::stage:
    return stageColour(static_cast<Stage>(ink.index), theme);
  default:
    return theme.text;
  }
}

QCPColorGradient evenGradient() {
  constexpr int stops = 33;
  QCPColorGradient gradient;
  gradient.clearColorStops();
  for (int i = 0; i < stops; ++i)
    gradient.setColorStopAt(static_cast<double>(i) / (stops - 1),
                            toQColor(rampRgb(static_cast<double>(i) / (stops - 1))));
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

QColor inkOn(const QColor& ground) { return toQColor(inkOn(rgbOf(ground))); }

double contrastOf(const QColor& a, const QColor& b) { return contrastOf(rgbOf(a), rgbOf(b)); }

} // namespace lloyd
