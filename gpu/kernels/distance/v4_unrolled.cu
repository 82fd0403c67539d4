// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v4, unrolled: V3 with its innermost loop of 16 coordinates written out by the compiler, and
// nothing else. There is no counter any more, no comparison and no jump, and places in the tiles are
// constants that the loads themselves carry.
//
// Against V3: the mix of instructions alone; requests and conflicts are the same. What is left besides
// arithmetic are the loads from shared memory, because each difference needs two values of its own. What to
// look at: the mix, and the time beside V3's.
#include "gpu/kernels/distance/tiles.hpp"

#include <cmath>

namespace lloyd {
namespace {

LLOYD_KERNEL_UP_TO(512)
distance_v4(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            std::size_t n, unsigned d, unsigned k) {
  if (n == 0) return;
  LLOYD_SHARED(float, pointTile, tileWidth* tileWidth);    // [coordinate][point]
  LLOYD_SHARED(float, centroidTile, tileWidth* tileWidth); // [cluster][coordinate]
  LLOYD_SHARED(float, nearestOf, tileWidth* tileWidth);    // [row of threads][point]
  LLOYD_SHARED(Label, labelOf, tileWidth * tileWidth);
  const unsigned tx = threadIdx.x % tileWidth;
  const unsigned ty = threadIdx.x / tileWidth;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * tileWidth;
  // Threads past the end work on the last point and keep the result to themselves.
  const std::size_t i = first + tx < n ? first + tx : n - 1;

  float nearest = INFINITY;
  Label label = 0;
  for (unsigned firstCluster = 0; firstCluster < k; firstCluster += tileWidth) {
    float distance = 0;
    for (unsigned firstRow = 0; firstRow < d; firstRow += tileWidth) {
      __syncthreads();
      // Coordinates that are not there are 0 on both sides and add nothing.
      float x = 0;
      if (firstRow + ty < d) x = points[(firstRow + ty) * stride + i];
      float center = 0;
      if (firstCluster + ty < k && firstRow + tx < d)
        center = centroids[static_cast<std::size_t>(firstCluster + ty) * d + firstRow + tx];
      pointTile[ty * tileWidth + tx] = x;
      centroidTile[ty * tileWidth + tx] = center;
      __syncthreads();
      LLOYD_UNROLL
      for (unsigned j = 0; j < tileWidth; ++j) {
        const float coordinate = pointTile[j * tileWidth + tx];
        const float other = centroidTile[ty * tileWidth + j];
        distance = addSquare(distance, coordinate, other);
      }
    }
    if (firstCluster + ty < k && distance < nearest) {
      nearest = distance;
      label = static_cast<Label>(firstCluster + ty);
    }
  }

  nearestOf[ty * tileWidth + tx] = nearest;
  labelOf[ty * tileWidth + tx] = label;
  __syncthreads();
  keepNearest(nearestOf, labelOf, tileWidth, tileWidth, tileWidth, first, oldLabels, labels, changed, n);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  launchTiles(args, context, tileWidth, tileWidth * tileWidth, distance_v4);
}

} // namespace

LLOYD_REGISTER(distance_v4,
               {.family = "distance",
                .tag = "v4",
                .name = "unrolled",
                .idea = "V3 with its innermost loop unrolled, so that counting and jumping are gone.",
                .paper = "Coalescing note",
                .changed = Changed::points},
               {.classify = launch})

} // namespace lloyd
