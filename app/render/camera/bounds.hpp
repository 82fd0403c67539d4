// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <glm/glm.hpp>

#include <cstddef>

namespace lloyd {

/// The smallest box around points, in data units. Axes beyond the data's dimensions are 0 to 0.
struct Bounds {
  glm::dvec3 low{0};
  glm::dvec3 high{0};

  [[nodiscard]] glm::dvec3 centre() const { return low + (high - low) / 2.0; }
  [[nodiscard]] glm::dvec3 extent() const { return high - low; }
  bool operator==(const Bounds&) const = default;
};

/// The box of what is drawn of n points: coordinate j of point i at values[j * stride + i]. d = 1 is drawn as
/// value (second axis) against position in memory (first axis); d > 3 by its first three coordinates. n = 0
/// gives 0 to 0.
[[nodiscard]] Bounds drawnBounds(const float* values, std::size_t n, int d, std::size_t stride);

/// How many axes the drawing of d-dimensional points has: 1 stays 1 (a flat drawing of its own kind), 2,
/// else 3.
[[nodiscard]] constexpr int drawnDimensions(int d) { return d < 1 ? 1 : (d > 3 ? 3 : d); }

/// Where point i is drawn, in data units.
[[nodiscard]] glm::dvec3 drawnPosition(const float* values, std::size_t i, int d, std::size_t stride);

} // namespace lloyd
