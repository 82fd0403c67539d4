// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Centroids as the fused variants keep them in shared memory.
#include "gpu/kernels/kernel.hpp"

#include <cmath>

namespace lloyd::fused {

/// Centroids in shared memory: [k] values for D = 1, [k] pairs for D = 2, and for D = 3 pairs, then [k] third
/// values, because loads of 16 bytes by lanes that go their own ways take turns.
[[nodiscard]] inline std::size_t centerBytes(const Problem& problem) {
  return problem.centroidValues() * sizeof(float);
}
template <unsigned D, class Values, class Pairs>
struct Centers {
  Values values; ///< where no pair begins
  Pairs pairs;
};

/// Fills values and pairs from centroids [k][D]; a barrier follows.
template <unsigned D, class Centroids, class Values, class Pairs>
LLOYD_DEVICE Centers<D, Values, Pairs> loadCenters(const Centroids& centroids, Values values, Pairs pairs,
                                                   unsigned k) {
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    if constexpr (D != 2) values[c] = centroids[c * D + D - 1];
    if constexpr (D != 1) {
      const float x = centroids[c * D];
      const float y = centroids[c * D + 1];
      pairs[c] = make_float2(x, y);
    }
  }
  return {values, pairs};
}

/// How far a point is from center c, along each axis and as a squared distance.
template <unsigned D, class Values, class Pairs>
LLOYD_DEVICE float distanceTo(const Centers<D, Values, Pairs>& centers, unsigned c, const float (&x)[D],
                              float (&deviation)[D]) {
  if constexpr (D != 1) {
    const float2 pair = centers.pairs[c];
    deviation[0] = x[0] - pair.x;
    deviation[1] = x[1] - pair.y;
  }
  if constexpr (D != 2) {
    const float value = centers.values[c];
    deviation[D - 1] = x[D - 1] - value;
  }
  float distance = 0;
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j)
    distance = fmaf(deviation[j], deviation[j], distance); // as addSquare() has it
  return distance;
}

} // namespace lloyd::fused
