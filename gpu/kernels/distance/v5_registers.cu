// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v5, registers: V4 with 8 x 8 results a thread instead of one. A block compares 128 points with 128
// clusters, 16 coordinates at a time; a thread has every sixteenth point and every sixteenth cluster of them,
// and keeps the 64 unfinished distances in registers.
//
// Against V4: a value that was loaded from shared memory serves eight results, so that 16 loads stand beside
// 128 instructions of arithmetic, where V4 has 32 beside 32. This is ours; the note ends with unrolling. What
// it costs: registers, and work thrown away where K is no multiple of 128. What to look at: the mix, and the
// time against the card's limit for a difference and a multiply-add each.
#include "gpu/kernels/distance/tiles.hpp"

#include <cmath>

namespace lloyd {
namespace {

constexpr unsigned side = 16;             // threads along either edge of a tile
constexpr unsigned each = 8;              // points, and clusters, of a thread
constexpr unsigned width = side * each;   // points, and clusters, of a tile
constexpr unsigned depth = 16;            // coordinates of a tile
constexpr unsigned threads = side * side; // of a block
// Two words are free behind each row of clusters, so that the lanes that store two columns of it side by
// side meet in no bank.
constexpr unsigned row = width + 2;
// And half of the banks behind each row of results, for the two rows of threads of a warp.
constexpr unsigned pitch = width + side;

LLOYD_KERNEL_UP_TO(512)
distance_v5(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            std::size_t n, unsigned d, unsigned k) {
  if (n == 0) return;
  LLOYD_SHARED(float, pointTile, depth* width);  // [coordinate][point]
  LLOYD_SHARED(float, centroidTile, depth* row); // [coordinate][cluster]
  LLOYD_SHARED(float, nearestOf, side* pitch);   // [row of threads][point]
  LLOYD_SHARED(Label, labelOf, side * pitch);
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * width;
  const unsigned tx = threadIdx.x % side;
  const unsigned ty = threadIdx.x / side;
  // The point that this thread loads. Threads past the end take the last one, and its result is not kept.
  const std::size_t own = first + threadIdx.x % width;
  const std::size_t i = own < n ? own : n - 1;
  float nearest[each];
  Label label[each];
  LLOYD_UNROLL
  for (unsigned p = 0; p < each; ++p) {
    nearest[p] = INFINITY;
    label[p] = 0;
  }

  for (unsigned firstCluster = 0; firstCluster < k; firstCluster += width) {
    float distance[each][each]; // [cluster][point]
    LLOYD_UNROLL
    for (unsigned c = 0; c < each; ++c) {
      LLOYD_UNROLL
      for (unsigned p = 0; p < each; ++p)
        distance[c][p] = 0;
    }

    for (unsigned firstRow = 0; firstRow < d; firstRow += depth) {
      __syncthreads();
      // Coordinates that are not there are 0 on both sides and add nothing.
      LLOYD_UNROLL
      for (unsigned part = 0; part < depth * width / threads; ++part) {
        const unsigned v = part * threads + threadIdx.x;
        const unsigned j = firstRow + v / width;
        float x = 0;
        if (j < d) x = points[j * stride + i];
        pointTile[v] = x;
        // A centroid's coordinates lie side by side in memory, and its clusters here.
        const unsigned c = firstCluster + v / depth;
        float center = 0;
        if (c < k && firstRow + v % depth < d)
          center = centroids[static_cast<std::size_t>(c) * d + firstRow + v % depth];
        centroidTile[v % depth * row + v / depth] = center;
      }
      __syncthreads();
      LLOYD_UNROLL
      for (unsigned j = 0; j < depth; ++j) {
        float x[each];
        LLOYD_UNROLL
        for (unsigned p = 0; p < each; ++p)
          x[p] = pointTile[j * width + p * side + tx];
        LLOYD_UNROLL
        for (unsigned c = 0; c < each; ++c) {
          const float center = centroidTile[j * row + c * side + ty];
          LLOYD_UNROLL
          for (unsigned p = 0; p < each; ++p)
            distance[c][p] = addSquare(distance[c][p], x[p], center);
        }
      }
    }

    LLOYD_UNROLL
    for (unsigned c = 0; c < each; ++c) {
      const unsigned cluster = firstCluster + c * side + ty;
      if (cluster >= k) continue;
      LLOYD_UNROLL
      for (unsigned p = 0; p < each; ++p) {
        if (distance[c][p] < nearest[p]) {
          nearest[p] = distance[c][p];
          label[p] = static_cast<Label>(cluster);
        }
      }
    }
  }

  LLOYD_UNROLL
  for (unsigned p = 0; p < each; ++p) {
    nearestOf[ty * pitch + p * side + tx] = nearest[p];
    labelOf[ty * pitch + p * side + tx] = label[p];
  }
  __syncthreads();
  keepNearest(nearestOf, labelOf, side, width, pitch, first, oldLabels, labels, changed, n);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  launchTiles(args, context, width, threads, distance_v5);
}

} // namespace

LLOYD_REGISTER(distance_v5,
               {.family = "distance",
                .tag = "v5",
                .name = "registers",
                .idea = "A thread keeps 8 x 8 results, so that each value from shared memory serves eight.",
                .changed = Changed::points},
               {.classify = launch})

} // namespace lloyd
