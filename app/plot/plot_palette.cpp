// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/plot_palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {
namespace {

struct Shades {
  PlotRgb onDark;
  PlotRgb onLight;
  [[nodiscard]] PlotRgb on(bool dark) const { return dark ? onDark : onLight; }
};

constexpr Shades sky{0x56b4e9, 0x1f83bd};
constexpr Shades orange{0xe69f00, 0xb06c00};
constexpr Shades green{0x1fb88a, 0x007a59};
constexpr Shades purple{0xd58bb4, 0xa8527f};
constexpr Shades vermillion{0xf0713a, 0xc24400};
constexpr Shades yellow{0xf0e442, 0x857a00};
constexpr Shades blue{0x6f8ff5, 0x2747b8};
constexpr Shades grey{0xa0a8b5, 0x636d7b};

Shades shadesOf(Stage stage) {
  switch (stage) {
  case Stage::classify:
    return sky;
  case Stage::reduce:
    return orange;
  case Stage::fused:
    return green;
  case Stage::labels:
    return {0x8ed6ff, 0x165e87};
  case Stage::update:
    return yellow;
  case Stage::inertia:
    return purple;
  case Stage::map:
    return vermillion;
  case Stage::unmap:
    return {0xffa883, 0x903200};
  case Stage::advance:
  case Stage::layout:
  case Stage::order:
    return {0x2af8ba, 0x005e44};
  case Stage::draw:
    return blue;
  case Stage::upload:
    return {0xffa7d8, 0x813f62};
  default:
    return grey;
  }
}

std::array<double, 3> channels(PlotRgb colour) {
  return {static_cast<double>(colour >> 16 & 255), static_cast<double>(colour >> 8 & 255),
          static_cast<double>(colour & 255)};
}

double luminance(PlotRgb colour) {
  constexpr std::array weights{0.2126, 0.7152, 0.0722};
  const std::array<double, 3> parts = channels(colour);
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double part = parts[i] / 255;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

} // namespace

PlotRgb seriesRgb(std::size_t series, bool dark) {
  constexpr std::array<Shades, plotHues> hues{sky, orange, green, purple, vermillion, yellow, blue, grey};
  return hues[series % plotHues].on(dark);
}

PlotRgb stageRgb(Stage stage, bool dark) { return shadesOf(stage).on(dark); }

PlotRgb rampRgb(double part) {
  constexpr std::array<PlotRgb, 9> stops{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                         0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
  const double at = std::clamp(std::isfinite(part) ? part : 0.0, 0.0, 1.0) * (stops.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const std::array<double, 3> a = channels(stops[from]);
  const std::array<double, 3> b = channels(stops[from + 1]);
  PlotRgb colour = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    colour = colour << 8 |
             static_cast<PlotRgb>(std::lround(a[i] + (b[i] - a[i]) * (at - static_cast<double>(from))));
  return colour;
}

PlotRgb inkOn(PlotRgb ground) { return contrastOf(ground, 0xffffff) >= contrastOf(ground, 0) ? 0xffffff : 0; }

double contrastOf(PlotRgb a, PlotRgb b) {
  const auto [dim, bright] = std::minmax({luminance(a), luminance(b)});
  return (bright + 0.05) / (dim + 0.05);
}

} // namespace lloyd
