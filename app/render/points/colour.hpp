// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <glm/glm.hpp>

#include <cstdint>
#include <optional>

namespace lloyd {

/// A colour as screens take it: sRGB, 8 bits a channel.
struct Rgb {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  bool operator==(const Rgb&) const = default;
};

/// Björn Ottosson's perceptual space (2020): lightness 0 to 1 and two opponent axes. Euclidean distance is
/// about what the eye tells apart; 0.02 is just noticeable side by side.
struct Oklab {
  double lightness = 0;
  double a = 0;
  double b = 0;
};

/// 0 to 1 in each channel, still sRGB.
[[nodiscard]] glm::vec3 toVec(Rgb colour);
[[nodiscard]] Oklab toOklab(Rgb colour);
/// The same space in polar form, hue in radians; nothing when sRGB does not have that colour.
[[nodiscard]] std::optional<Rgb> fromOklch(double lightness, double chroma, double hue);
[[nodiscard]] double distance(const Oklab& a, const Oklab& b);

/// Relative luminance and contrast ratio (1 to 21) of the Web Content Accessibility Guidelines 2.1.
[[nodiscard]] double luminance(Rgb colour);
[[nodiscard]] double contrast(Rgb a, Rgb b);

/// How a person without one kind of cone sees a colour (Machado, Oliveira and Fernandes, 2009, severity 1).
enum class Deficiency { protanopia, deuteranopia };
[[nodiscard]] Rgb simulate(Rgb colour, Deficiency deficiency);

/// Black or white, whichever can be read on a colour.
[[nodiscard]] Rgb inkOn(Rgb colour);

} // namespace lloyd
