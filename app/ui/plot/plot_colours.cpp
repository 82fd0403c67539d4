// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_colours.hpp"

#include "app/ui/common/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

namespace {

enum Hue { sky, orange, green, purple, vermillion, yellow, blue, grey };
constexpr std::size_t hues = 8;

QColor hueOf(Hue hue, bool dark) {
  static const std::array<QColor, hues> onDark{"#56b4e9", "#e69f00", "#1fb88a", "#d58bb4",
                                               "#f0713a", "#f0e442", "#6f8ff5", "#a0a8b5"};
  static const std::array<QColor, hues> onLight{"#1f83bd", "#b06c00", "#007a59", "#a8527f",
                                                "#c24400", "#857a00", "#2747b8", "#636d7b"};
  return (dark ? onDark : onLight)[hue];
}

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

QColor seriesColour(std::size_t series, const UiTheme& theme) {
  return hueOf(static_cast<Hue>(series % hues), theme.dark);
}

QPen seriesPen(std::size_t series, const UiTheme& theme) {
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
  QPen pen(seriesColour(series, theme), 1.6);
  pen.setStyle(dashes[(series / hues) % dashes.size()]);
  return pen;
}

QCPScatterStyle seriesMarker(std::size_t series, const UiTheme& theme, double size) {
  using Shape = QCPScatterStyle::ScatterShape;
  constexpr std::array<Shape, 7> shapes{
      QCPScatterStyle::ssDisc,    QCPScatterStyle::ssSquare,           QCPScatterStyle::ssTriangle,
      QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangleInverted, QCPScatterStyle::ssCircle,
      QCPScatterStyle::ssCross};
  const Shape shape = shapes[series % shapes.size()];
  const QColor colour = seriesColour(series, theme);
  const bool hollow = shape == QCPScatterStyle::ssCircle || shape == QCPScatterStyle::ssCross;
  return {shape, QPen(colour, 1.4), hollow ? QBrush(Qt::NoBrush) : QBrush(colour), size};
}

QColor stageColour(Stage stage, const UiTheme& theme) {
  switch (stage) {
  case Stage::classify:
    return hueOf(sky, theme.dark);
  case Stage::reduce:
    return hueOf(orange, theme.dark);
  case Stage::fused:
    return hueOf(green, theme.dark);
  case Stage::labels:
    return theme.dark ? hueOf(sky, true).lighter(130) : hueOf(sky, false).darker(140);
  case Stage::update:
    return hueOf(yellow, theme.dark);
  case Stage::inertia:
    return hueOf(purple, theme.dark);
  case Stage::map:
    return hueOf(vermillion, theme.dark);
  case Stage::unmap:
    return theme.dark ? hueOf(vermillion, true).lighter(135) : hueOf(vermillion, false).darker(135);
  case Stage::advance:
  case Stage::layout:
  case Stage::order:
    return theme.dark ? hueOf(green, true).lighter(135) : hueOf(green, false).darker(130);
  case Stage::draw:
    return hueOf(blue, theme.dark);
  case Stage::upload:
    return theme.dark ? hueOf(purple, true).lighter(120) : hueOf(purple, false).darker(130);
  case Stage::wait:
    return theme.line;
  default:
    return hueOf(grey, theme.dark);
  }
}

QColor firstColour(const UiTheme& theme) { return hueOf(sky, theme.dark); }

QColor secondColour(const UiTheme& theme) { return hueOf(orange, theme.dark); }

QCPColorGradient evenGradient() {
  constexpr std::array stops{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                             0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
  QCPColorGradient gradient;
  gradient.clearColorStops();
  for (std::size_t i = 0; i < stops.size(); ++i)
    gradient.setColorStopAt(static_cast<double>(i) / static_cast<double>(stops.size() - 1),
                            QColor::fromRgb(static_cast<QRgb>(stops[i])));
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

QColor inkOn(const QColor& ground) {
  return contrastOf(ground, Qt::white) >= contrastOf(ground, Qt::black) ? Qt::white : Qt::black;
}

double contrastOf(const QColor& a, const QColor& b) {
  const auto [dim, bright] = std::minmax({luminance(a), luminance(b)});
  return (bright + 0.05) / (dim + 0.05);
}

} // namespace lloyd
