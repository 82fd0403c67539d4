// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What variants share that compare tiles of points with tiles of clusters.
#include "gpu/kernels/kernel.hpp"

namespace lloyd {

/// Of V3 and V4, as in the Coalescing note: points, clusters and coordinates of a tile.
constexpr unsigned tileWidth = 16;

/// A block for every pointsPerBlock points.
static void launchTiles(const ClassifyArgs& args, LaunchContext& context, std::size_t pointsPerBlock,
                        unsigned threads, auto kernel) {
  const Problem& problem = args.problem;
  launchKernel(context, {blocksFor(problem.n, pointsPerBlock), static_cast<int>(threads)}, kernel,
               global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
               global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
               global(args.labels, problem.n), global(args.changed, 1), problem.n, problem.d, problem.k);
}

/// The block's points from first on, as many as width and no more than threads, get the nearest of what the
/// rows of threads found: [row][point] each, a row every pitch. Of equally near clusters the one of the
/// lowest index, whichever row found it. A row that found none has infinity. All threads of the block call
/// it.
LLOYD_DEVICE void keepNearest(auto nearestOf, auto labelOf, unsigned rows, unsigned width, unsigned pitch,
                              std::size_t first, auto oldLabels, auto labels, auto changed, std::size_t n) {
  const unsigned p = threadIdx.x;
  bool isNew = false;
  if (p < width && first + p < n) {
    float nearest = nearestOf[p];
    Label label = labelOf[p];
    for (unsigned r = 1; r < rows; ++r) {
      const float distance = nearestOf[r * pitch + p];
      const Label other = labelOf[r * pitch + p];
      if (distance < nearest || (distance == nearest && other < label)) {
        nearest = distance;
        label = other;
      }
    }
    const Label oldLabel = oldLabels[first + p];
    labels[first + p] = label;
    isNew = label != oldLabel;
  }
  const int count = __syncthreads_count(isNew);
  if (threadIdx.x == 0 && count > 0) atomicAdd(&changed[0], static_cast<unsigned>(count));
}

} // namespace lloyd
