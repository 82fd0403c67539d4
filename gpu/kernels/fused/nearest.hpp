// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How fused.v1 labels points: every centroid is tried for every point.
#include "gpu/kernels/fused/centers.hpp"
#include "gpu/kernels/fused/vectors.hpp"
#include "gpu/kernels/limits.hpp"

#include <cmath>

namespace lloyd::fused {

/// The nearest of all centers for some vectors of points at once: a center is read once for all of them.
template <unsigned D, unsigned Vectors, class Centers>
LLOYD_DEVICE void nearestOf(const Centers& centers, unsigned k, const float (&x)[Vectors][perVector][D],
                            unsigned (&label)[Vectors][perVector],
                            float (&deviation)[Vectors][perVector][D]) {
  float nearest[Vectors][perVector];
  LLOYD_UNROLL
  for (unsigned r = 0; r < Vectors; ++r)
    LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m) {
    nearest[r][m] = INFINITY;
    label[r][m] = 0;
  }
  LLOYD_UNROLL_BY(4)
  for (unsigned c = 0; c < k; ++c) {
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      float away[D];
      const float distance = distanceTo<D>(centers, c, x[r][m], away);
      if (distance < nearest[r][m]) {
        nearest[r][m] = distance;
        label[r][m] = c;
      }
    }
  }
  LLOYD_UNROLL
  for (unsigned r = 0; r < Vectors; ++r)
    LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m)
    distanceTo<D>(centers, label[r][m], x[r][m], deviation[r][m]);
}

/// Bytes that centroids and a few words take of a block's shared memory.
[[nodiscard]] inline std::size_t besideSums(const Problem& problem) {
  return centerBytes(problem) + staticSharedBytes;
}

} // namespace lloyd::fused
