// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Centroids as warp matrix instructions take them: shifted by a common point, brought near 16 by a power of
// two, as halves, in the order in which lanes read them.
//
// Halves have eleven digits, as TF32 has, and the instruction takes twice as many of them. What they lack is
// range, and the power of two makes up for it: they have room for deviations 2,000 times as large as those it
// comes from, and keep all digits of those a 100,000th as large. What lies outside loses digits, and the
// bound in score.hpp takes what was lost as it was measured.
#include "gpu/kernels/distance/score.hpp"

namespace lloyd {

constexpr unsigned halfSide = 64;               ///< clusters of a warp
constexpr unsigned halfSteps = factorTile / 16; ///< instructions along a tile of coordinates
constexpr unsigned halfVectors =
    halfSide * factorTile / 8; ///< of eight halves, that halfSide clusters have in a tile

/// What brings the greatest deviation of few centroids to 16 or a little more: a power of two.
LLOYD_DEVICE float scaleOf(float farthest) {
  const int exponent = static_cast<int>(__float_as_uint(farthest) >> 23) - 127;
  if (!(farthest > 0) || exponent > 127) return 1;
  const int by = 4 - exponent < -60 ? -60 : 4 - exponent > 60 ? 60 : 4 - exponent;
  return __uint_as_float(static_cast<unsigned>(by + 127) << 23);
}

/// A centroid's coordinate of few that the shift and the scale come from; spread over all.
LLOYD_DEVICE unsigned fewAt(unsigned of, unsigned k) {
  return k <= shiftedBy ? of : static_cast<unsigned>(static_cast<std::size_t>(of) * k / shiftedBy);
}

/// A block takes 32 clusters and 32 coordinates: it reads along the centroids and writes halves in the order
/// in which lanes take them. columns: warps that share points.
static_assert(prepareWarps == factorTile / 4);
LLOYD_KERNEL prepare_halves(LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(float) shift,
                            LLOYD_GLOBAL(float) scale, LLOYD_GLOBAL(unsigned) greatest,
                            LLOYD_GLOBAL(float2) parts, LLOYD_GLOBAL(uint2) factors, unsigned d, unsigned k,
                            unsigned padded, unsigned columns) {
  constexpr unsigned width = factorTile + 1; // a word is free behind each cluster
  LLOYD_SHARED(float, tile, 32 * width);     // [cluster][coordinate]
  LLOYD_SHARED(float, farthestOf, prepareWarps);
  LLOYD_SHARED(float2, sums, 32 * prepareWarps);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned firstCluster = blockIdx.x % (padded / 32) * 32;
  const unsigned rows = blockIdx.x / (padded / 32); // of 32 coordinates
  const unsigned tilesOfRows = gridDim.x / (padded / 32);
  const unsigned few = k < shiftedBy ? k : shiftedBy;

  float mean = 0; // of this lane's coordinate
  float farthest = 0;
  for (unsigned from = 0; from < d; from += 32 * prepareWarps) {
    // Every block goes through all coordinates, its own ones among them, and finds the same scale.
    const unsigned j = from + threadIdx.x;
    float value[shiftedBy];
    LLOYD_UNROLL
    for (unsigned of = 0; of < shiftedBy; ++of) {
      value[of] = 0;
      if (of < few && j < d) value[of] = centroids[static_cast<std::size_t>(fewAt(of, k)) * d + j];
    }
    float center = 0;
    LLOYD_UNROLL
    for (unsigned of = 0; of < shiftedBy; ++of)
      center += value[of] / static_cast<float>(few);
    LLOYD_UNROLL
    for (unsigned of = 0; of < shiftedBy; ++of)
      if (of < few) farthest = fmaxf(farthest, fabsf(value[of] - center));
    tile[threadIdx.x] = center;
    __syncthreads();
    const unsigned own = rows * factorTile + lane;
    if (own / (32 * prepareWarps) == from / (32 * prepareWarps)) {
      const float ofOwn = tile[own % (32 * prepareWarps)];
      mean = ofOwn;
    }
    __syncthreads();
  }
  for (unsigned apart = 16; apart > 0; apart /= 2)
    farthest = fmaxf(farthest, __shfl_xor_sync(0xffffffffu, farthest, static_cast<int>(apart)));
  if (lane == 0) farthestOf[warp] = farthest;
  __syncthreads();
  for (unsigned w = 0; w < prepareWarps; ++w) {
    const float other = farthestOf[w];
    farthest = fmaxf(farthest, other);
  }
  const float by = scaleOf(farthest);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    scale[0] = by;
    greatest[0] = 0;
    greatest[1] = 0;
  }
  if (firstCluster == 0 && warp == 0) shift[rows * factorTile + lane] = mean * by;

  const unsigned j = rows * factorTile + lane;
  for (unsigned c = warp; c < 32; c += prepareWarps) {
    float value = 0;
    if (firstCluster + c < k && j < d) {
      value = centroids[static_cast<std::size_t>(firstCluster + c) * d + j];
      value -= mean;
    }
    tile[c * width + lane] = value;
  }
  __syncthreads();
  // A warp takes four coordinates, a lane a cluster.
  float2 sum = make_float2(0, 0);
  float x[4];
  LLOYD_UNROLL
  for (unsigned of = 0; of < 4; ++of) {
    const float value = tile[lane * width + warp * 4 + of];
    const float lost = value - lowHalf(packHalves(value * by, 0)) / by;
    sum.x = fmaf(value, value, sum.x);
    sum.y = fmaf(lost, lost, sum.y);
    x[of] = value * by;
  }
  sums[warp * 32 + lane] = sum;
  // Lanes of an instruction read those of a cluster and those of the eighth behind it at once.
  const unsigned c = firstCluster % halfSide + lane;
  const unsigned columnTile = firstCluster / halfSide;
  const unsigned vector =
      ((columnTile / columns * tilesOfRows + rows) * columns + columnTile % columns) * halfVectors +
      warp / 4 * (halfVectors / halfSteps) + c / 16 * 32 + c % 8 * 4 + warp % 4;
  factors[vector * 2 + c / 8 % 2] = make_uint2(packHalves(x[0], x[1]), packHalves(x[2], x[3]));
  __syncthreads();
  if (warp != 0) return;
  for (unsigned w = 1; w < prepareWarps; ++w) {
    const float2 other = sums[w * 32 + lane];
    sum.x += other.x;
    sum.y += other.y;
  }
  parts[rows * padded + firstCluster + lane] = sum;
}

} // namespace lloyd
