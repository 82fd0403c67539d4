// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/colour.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double encoded(double channel) {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * std::pow(channel, 1 / 2.4) - 0.055;
}

glm::dvec3 toLinear(Rgb colour) {
  return {linear(colour.r / 255.0), linear(colour.g / 255.0), linear(colour.b / 255.0)};
}

std::uint8_t byteOf(double linearChannel) {
  return static_cast<std::uint8_t>(
      std::lround(255 * std::clamp(encoded(std::max(linearChannel, 0.0)), 0.0, 1.0)));
}

Rgb fromLinear(glm::dvec3 colour) { return {byteOf(colour.x), byteOf(colour.y), byteOf(colour.z)}; }

} // namespace

glm::vec3 toVec(Rgb colour) { return glm::vec3(colour.r, colour.g, colour.b) / 255.0F; }

Oklab toOklab(Rgb colour) {
  const glm::dvec3 c = toLinear(colour);
  const double l = std::cbrt(0.4122214708 * c.x + 0.5363325363 * c.y + 0.0514459929 * c.z);
  const double m = std::cbrt(0.2119034982 * c.x + 0.6806995451 * c.y + 0.1073969566 * c.z);
  const double s = std::cbrt(0.0883024619 * c.x + 0.2817188376 * c.y + 0.6299787005 * c.z);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::optional<Rgb> fromOklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(hue);
  const double b = chroma * std::sin(hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const glm::dvec3 c(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                     -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                     -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  constexpr double kRounding = 1e-4;
  for (int i = 0; i < 3; ++i)
    if (!(c[i] >= -kRounding) || !(c[i] <= 1 + kRounding)) return std::nullopt;
  return fromLinear(c);
}

double distance(const Oklab& a, const Oklab& b) {
  return std::hypot(a.lightness - b.lightness, a.a - b.a, a.b - b.b);
}

double luminance(Rgb colour) {
  const glm::dvec3 c = toLinear(colour);
  return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
}

double contrast(Rgb a, Rgb b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Rgb simulate(Rgb colour, Deficiency deficiency) {
  const glm::dvec3 c = toLinear(colour);
  if (deficiency == Deficiency::protanopia) {
    return fromLinear({0.152286 * c.x + 1.052583 * c.y - 0.204868 * c.z,
                       0.114503 * c.x + 0.786281 * c.y + 0.099216 * c.z,
                       -0.003882 * c.x - 0.048116 * c.y + 1.051998 * c.z});
  }
  return fromLinear({0.367322 * c.x + 0.860646 * c.y - 0.227968 * c.z,
                     0.280085 * c.x + 0.672501 * c.y + 0.047413 * c.z,
                     -0.011820 * c.x + 0.042940 * c.y + 0.968881 * c.z});
}

Rgb inkOn(Rgb colour) {
  constexpr Rgb black{0, 0, 0}, white{255, 255, 255};
  return contrast(colour, black) >= contrast(colour, white) ? black : white;
}

} // namespace lloyd
