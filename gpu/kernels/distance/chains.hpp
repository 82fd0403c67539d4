// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Distances of 128 points to all clusters, in registers: the body of V5, which the points that scores leave
// in doubt go through too.
#include "gpu/kernels/distance/tiles.hpp"

#include <cmath>

namespace lloyd {

constexpr unsigned chainSide = 16;                       ///< threads along either edge of a tile
constexpr unsigned chainEach = 8;                        ///< points, and clusters, of a thread
constexpr unsigned chainWidth = chainSide * chainEach;   ///< points, and clusters, of a tile
constexpr unsigned chainDepth = 16;                      ///< coordinates of a tile
constexpr unsigned chainThreads = chainSide * chainSide; ///< of a block
/// Two words are free behind each row of clusters, so that the lanes that store two columns of it side by
/// side meet in no bank.
constexpr unsigned chainRow = chainWidth + 2;
/// And half of the banks behind each row of results, for the two rows of threads of a warp.
constexpr unsigned chainPitch = chainWidth + chainSide;

/// Leaves in nearestOf and labelOf, [row of threads][chainPitch], the nearest that each row of threads has
/// found. pointOf(p): which point the tile's p-th is; one that is there, for every p. pointTile: [chainDepth]
/// [chainWidth]; centroidTile: [chainDepth][chainRow].
LLOYD_DEVICE void nearestByChains(auto points, std::size_t stride, auto centroids, unsigned d, unsigned k,
                                  const auto& pointOf, auto pointTile, auto centroidTile, auto nearestOf,
                                  auto labelOf) {
  const unsigned tx = threadIdx.x % chainSide;
  const unsigned ty = threadIdx.x / chainSide;
  const std::size_t i = pointOf(threadIdx.x % chainWidth); // the one that this thread loads
  float nearest[chainEach];
  Label label[chainEach];
  LLOYD_UNROLL
  for (unsigned p = 0; p < chainEach; ++p) {
    nearest[p] = INFINITY;
    label[p] = 0;
  }

  for (unsigned firstCluster = 0; firstCluster < k; firstCluster += chainWidth) {
    float distance[chainEach][chainEach]; // [cluster][point]
    LLOYD_UNROLL
    for (unsigned c = 0; c < chainEach; ++c) {
      LLOYD_UNROLL
      for (unsigned p = 0; p < chainEach; ++p)
        distance[c][p] = 0;
    }

    for (unsigned firstRow = 0; firstRow < d; firstRow += chainDepth) {
      __syncthreads();
      // Coordinates that are not there are 0 on both sides and add nothing.
      LLOYD_UNROLL
      for (unsigned part = 0; part < chainDepth * chainWidth / chainThreads; ++part) {
        const unsigned v = part * chainThreads + threadIdx.x;
        const unsigned j = firstRow + v / chainWidth;
        float x = 0;
        if (j < d) x = points[j * stride + i];
        pointTile[v] = x;
        // A centroid's coordinates lie side by side in memory, and its clusters here.
        const unsigned c = firstCluster + v / chainDepth;
        float center = 0;
        if (c < k && firstRow + v % chainDepth < d)
          center = centroids[static_cast<std::size_t>(c) * d + firstRow + v % chainDepth];
        centroidTile[v % chainDepth * chainRow + v / chainDepth] = center;
      }
      __syncthreads();
      LLOYD_UNROLL
      for (unsigned j = 0; j < chainDepth; ++j) {
        float x[chainEach];
        LLOYD_UNROLL
        for (unsigned p = 0; p < chainEach; ++p)
          x[p] = pointTile[j * chainWidth + p * chainSide + tx];
        LLOYD_UNROLL
        for (unsigned c = 0; c < chainEach; ++c) {
          const float center = centroidTile[j * chainRow + c * chainSide + ty];
          LLOYD_UNROLL
          for (unsigned p = 0; p < chainEach; ++p)
            distance[c][p] = addSquare(distance[c][p], x[p], center);
        }
      }
    }

    LLOYD_UNROLL
    for (unsigned c = 0; c < chainEach; ++c) {
      const unsigned cluster = firstCluster + c * chainSide + ty;
      if (cluster >= k) continue;
      LLOYD_UNROLL
      for (unsigned p = 0; p < chainEach; ++p) {
        if (distance[c][p] < nearest[p]) {
          nearest[p] = distance[c][p];
          label[p] = static_cast<Label>(cluster);
        }
      }
    }
  }

  LLOYD_UNROLL
  for (unsigned p = 0; p < chainEach; ++p) {
    nearestOf[ty * chainPitch + p * chainSide + tx] = nearest[p];
    labelOf[ty * chainPitch + p * chainSide + tx] = label[p];
  }
  __syncthreads();
}

} // namespace lloyd
