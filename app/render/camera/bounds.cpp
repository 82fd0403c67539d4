// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/camera/bounds.hpp"

#include "gpu/core/data/value_range.hpp"

#include <algorithm>

namespace lloyd {

Bounds drawnBounds(const float* values, std::size_t n, int d, std::size_t stride) {
  Bounds bounds;
  if (n == 0 || d < 1) return bounds;
  const int rows = std::min(d, 3);
  for (int row = 0; row < rows; ++row) {
    const ValueRange range = valueRange({values + static_cast<std::size_t>(row) * stride, n});
    const int axis = d == 1 ? 1 : row;
    bounds.low[axis] = range.low;
    bounds.high[axis] = range.high;
  }
  if (d == 1) bounds.high.x = static_cast<double>(n - 1);
  return bounds;
}

glm::dvec3 drawnPosition(const float* values, std::size_t i, int d, std::size_t stride) {
  if (d == 1) return {static_cast<double>(i), values[i], 0.0};
  return {values[i], values[stride + i], d > 2 ? values[2 * stride + i] : 0.0F};
}

} // namespace lloyd
