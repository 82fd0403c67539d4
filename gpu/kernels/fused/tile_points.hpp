// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The points of a tile that several centroids share, by one warp. A lane has Vectors x 4 of them.
#include "gpu/kernels/fused/tile_candidates.hpp"
#include "gpu/kernels/fused/tile_sums.hpp"
#include "gpu/kernels/fused/vectors.hpp"

namespace lloyd::fused {

/// Points of a tile that are there.
LLOYD_DEVICE unsigned pointsOfTile(std::size_t tile, unsigned size, std::size_t n) {
  const std::size_t rest = n - tile * size;
  return rest < size ? static_cast<unsigned>(rest) : size;
}

/// Labels a tile's points by its candidates. A lane has Vectors x 4 of them.
template <unsigned D, unsigned Vectors, class Centers>
LLOYD_DEVICE void labelPoints(const Centers& centers, TileList candidates, unsigned k,
                              const float (&x)[Vectors][perVector][D],
                              unsigned (&label)[Vectors][perVector]) {
  const unsigned listed = numberOf(candidates);
  const bool all = listed == tooMany;
  const unsigned count = all ? k : listed;
  float nearest[Vectors][perVector];
  LLOYD_UNROLL
  for (unsigned r = 0; r < Vectors; ++r)
    LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m) {
    nearest[r][m] = INFINITY;
    label[r][m] = all ? 0 : firstOf(candidates); // also where all distances are infinite
  }
  LLOYD_ROLLED
  for (unsigned i = 0; i < count; ++i, candidates >>= 8) {
    const unsigned c = all ? i : firstOf(candidates);
    float center[D];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      center[j] = centers[c * D + j];
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      float distance = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j) {
        const float away = x[r][m][j] - center[j];
        distance = fmaf(away, away, distance); // as addSquare() has it
      }
      const bool nearer = distance < nearest[r][m];
      nearest[r][m] = nearer ? distance : nearest[r][m];
      label[r][m] = nearer ? c : label[r][m];
    }
  }
}

/// Adds a tile's points to their clusters. The first point's cluster gets what the others leave of the
/// tile's whole: where two share a tile, which is nearly always, only one of them is added up.
template <unsigned D, unsigned Vectors, class Sums>
LLOYD_DEVICE void addPoints(const Sums& blockSums, const FixedPoint& fixed, Portion<D> whole,
                            unsigned pending, const float (&x)[Vectors][perVector][D],
                            const unsigned (&label)[Vectors][perVector]) {
  const unsigned first = __shfl_sync(0xffffffffu, label[0][0], 0);
  unsigned next = 0; // of this lane, while it has pending points
  const auto settle = [&](unsigned cluster) {
    unsigned left = 0;
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      const unsigned bit = 1u << (r * perVector + m);
      if ((pending & bit) == 0 || label[r][m] == cluster) continue;
      left |= bit;
      next = label[r][m];
    }
    const unsigned settled = pending & ~left;
    pending = left;
    return settled;
  };
  static_cast<void>(settle(first));
  for (unsigned lanes = __ballot_sync(0xffffffffu, pending != 0 ? 1 : 0); lanes != 0;
       lanes = __ballot_sync(0xffffffffu, pending != 0 ? 1 : 0)) {
    const unsigned cluster = __shfl_sync(0xffffffffu, next, __ffs(lanes) - 1);
    const unsigned own = settle(cluster);
    Portion<D> portion{};
    portion.count = static_cast<unsigned>(__popc(own));
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      if ((own >> (r * perVector + m) & 1u) == 0) continue;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        portion.sum[j] += toFixed(fixed.middle[j], fixed.scale[j], x[r][m][j]);
    }
    reduce(portion);
    addPortion(blockSums, cluster, portion);
    whole.count -= portion.count;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      whole.sum[j] -= portion.sum[j];
  }
  addPortion(blockSums, first, whole);
}

} // namespace lloyd::fused
