// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What becomes of the points whose candidates were too many to keep: their distances to all clusters decide.
#include "gpu/kernels/distance/score.hpp"

#include <algorithm>

namespace lloyd {

constexpr unsigned doubtThreads = 128;          ///< and clusters at a time
constexpr unsigned doubtPoints = 8;             ///< at a time
constexpr unsigned doubtDepth = 16;             ///< coordinates at a time
constexpr unsigned doubtRow = doubtThreads + 2; ///< lanes that store two columns meet in no bank

/// Blocks take eight listed points in turn, a thread every 128th cluster: few points are settled as soon as
/// one, and many share what is read of the centroids.
LLOYD_KERNEL settle_doubts(LLOYD_GLOBAL(const float) points, std::size_t stride,
                           LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
                           LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
                           LLOYD_GLOBAL(const unsigned) listed, LLOYD_GLOBAL(const unsigned) inList,
                           LLOYD_GLOBAL(unsigned) rechecked, unsigned d, unsigned k) {
  LLOYD_SHARED(float, pointTile, doubtDepth* doubtPoints);   // [coordinate][point]
  LLOYD_SHARED(float, centroidTile, doubtDepth* doubtRow);   // [coordinate][cluster]
  LLOYD_SHARED(float, nearestOf, doubtPoints* doubtThreads); // [point][thread]
  LLOYD_SHARED(Label, labelOf, doubtPoints * doubtThreads);
  const unsigned all = inList[0];
  for (unsigned first = blockIdx.x * doubtPoints; first < all; first += gridDim.x * doubtPoints) {
    // This thread loads one coordinate of one point; points past the end are the last one again.
    const unsigned own =
        first + threadIdx.x % doubtPoints < all ? first + threadIdx.x % doubtPoints : all - 1;
    const unsigned i = listed[own];
    float nearest[doubtPoints];
    Label label[doubtPoints];
    LLOYD_UNROLL
    for (unsigned p = 0; p < doubtPoints; ++p) {
      nearest[p] = INFINITY;
      label[p] = 0;
    }
    for (unsigned firstCluster = 0; firstCluster < k; firstCluster += doubtThreads) {
      float distance[doubtPoints];
      LLOYD_UNROLL
      for (unsigned p = 0; p < doubtPoints; ++p)
        distance[p] = 0;
      for (unsigned firstRow = 0; firstRow < d; firstRow += doubtDepth) {
        __syncthreads();
        // Coordinates that are not there are 0 on both sides and add nothing.
        const unsigned j = firstRow + threadIdx.x / doubtPoints;
        float x = 0;
        if (j < d) x = points[j * stride + i];
        pointTile[threadIdx.x] = x;
        LLOYD_UNROLL
        for (unsigned part = 0; part < doubtDepth; ++part) {
          const unsigned v = part * doubtThreads + threadIdx.x;
          const unsigned c = firstCluster + v / doubtDepth;
          float center = 0;
          if (c < k && firstRow + v % doubtDepth < d)
            center = centroids[static_cast<std::size_t>(c) * d + firstRow + v % doubtDepth];
          centroidTile[v % doubtDepth * doubtRow + v / doubtDepth] = center;
        }
        __syncthreads();
        LLOYD_UNROLL
        for (unsigned r = 0; r < doubtDepth; ++r) {
          const float center = centroidTile[r * doubtRow + threadIdx.x];
          LLOYD_UNROLL
          for (unsigned p = 0; p < doubtPoints; ++p) {
            const float coordinate = pointTile[r * doubtPoints + p];
            distance[p] = addSquare(distance[p], coordinate, center);
          }
        }
      }
      if (firstCluster + threadIdx.x >= k) continue;
      LLOYD_UNROLL
      for (unsigned p = 0; p < doubtPoints; ++p) {
        if (!(distance[p] < nearest[p])) continue;
        nearest[p] = distance[p];
        label[p] = static_cast<Label>(firstCluster + threadIdx.x);
      }
    }
    LLOYD_UNROLL
    for (unsigned p = 0; p < doubtPoints; ++p) {
      nearestOf[p * doubtThreads + threadIdx.x] = nearest[p];
      labelOf[p * doubtThreads + threadIdx.x] = label[p];
    }
    __syncthreads();
    // A warp after the other takes a point.
    for (unsigned p = threadIdx.x / 32; p < doubtPoints && first + p < all; p += doubtThreads / 32) {
      float best = INFINITY;
      Label found = 0;
      for (unsigned t = threadIdx.x % 32; t < doubtThreads; t += 32) {
        const float mine = nearestOf[p * doubtThreads + t];
        const Label other = labelOf[p * doubtThreads + t];
        if (mine < best || (mine == best && other < found)) {
          best = mine;
          found = other;
        }
      }
      nearestOfWarp(best, found);
      if (threadIdx.x % 32 != 0) continue;
      const unsigned point = listed[first + p];
      const Label oldLabel = oldLabels[point];
      labels[point] = found;
      if (found != oldLabel) atomicAdd(&changed[0], 1u);
    }
    __syncthreads();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0 && all > 0) atomicAdd(&rechecked[0], all);
}

static void settleDoubts(const ClassifyArgs& args, LaunchContext& context, const ScoreMemory& memory) {
  const Problem& problem = args.problem;
  const unsigned* const listed = memory.listed();
  const unsigned* const inList = memory.inList();
  const std::size_t blocks =
      std::min(blocksAtOnce(context, settle_doubts, doubtThreads, 0), blocksFor(problem.n, doubtPoints));
  launchKernel(context, {blocks, static_cast<int>(doubtThreads)}, settle_doubts,
               global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
               global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
               global(args.labels, problem.n), global(args.changed, 1), global(listed, problem.n),
               global(inList, 1), global(memory.rechecked(), 1), problem.d, problem.k);
}

} // namespace lloyd
