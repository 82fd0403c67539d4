// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "gpu/core/math/random.hpp"

namespace lloyd::test {

/// n points of no shape in d dimensions between 0 and 10, the same on every machine.
inline PointSet somePoints(std::size_t n, int d) {
  PointSet points;
  points.n = n;
  points.d = d;
  points.values.resize(n * static_cast<std::size_t>(d));
  for (std::size_t at = 0; at < points.values.size(); ++at)
    points.values[at] = static_cast<float>(randomBits(1, 2, at) % 1000) * 0.01f;
  return points;
}

} // namespace lloyd::test
