// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v3, tiles: a block of 16 x 16 threads compares 16 points with 16 clusters. It loads a tile of each
// matrix, 16 coordinates deep, with neighbouring threads on neighbouring addresses, waits, and every thread
// goes through the 16 coordinates of its own point and cluster in shared memory.
//
// Against V2: a value that was loaded from global memory serves 16 threads. In the innermost loop only two
// loads from shared memory, a difference and a multiply-add are work; counting, comparing and jumping are
// not. What to look at: requests to global memory, and the mix of instructions in the innermost loop, which
// is rolled here (the compiler would unroll it, and then this would be V4).
#include "gpu/kernels/distance/tiles.hpp"

#include <cmath>

namespace lloyd {
namespace {

LLOYD_KERNEL_UP_TO(512)
distance_v3(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
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
      LLOYD_ROLLED
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
  launchTiles(args, context, tileWidth, tileWidth * tileWidth, distance_v3);
}

} // namespace

LLOYD_REGISTER(distance_v3,
               {.family = "distance",
                .tag = "v3",
                .name = "tiles",
                .idea = "16 x 16 threads load tiles of both matrices side by side, and compare each point "
                        "with each cluster of them.",
                .paper = "Coalescing note",
                .changed = Changed::points},
               {.classify = launch})

} // namespace lloyd
