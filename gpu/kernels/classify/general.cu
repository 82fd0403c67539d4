// SPDX-License-Identifier: GPL-3.0-or-later
// classify.general: any number of clusters and dimensions. Nothing that grows with K or D is kept whole: a
// block holds a tile of 16 clusters x 32 coordinates in shared memory at a time, and a thread the 16
// unfinished distances of each of its points in registers. The points are read again for every tile of
// clusters, from cache where they fit.
//
// A distance still adds its coordinates in their order, through the same links, so the labels are those of
// every other variant to the last bit. With few clusters the tile is narrower, so that little of it is
// wasted. What it costs: registers, one for each point and cluster of a tile, and K / 16 readings of the
// points. What to look at: against classify.v7 at D = 3, how little is lost by not knowing D; at D = 64 and K
// = 1000, how close the multiply-adds come to the card's rate, because one value from shared memory serves
// every point of a thread.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

constexpr unsigned tileRows = 32; // coordinates in a tile

template <unsigned Items, unsigned Tile>
LLOYD_KERNEL_UP_TO(512)
classify_general(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
                 LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                 LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned d, unsigned k) {
  if (n == 0) return;
  LLOYD_SHARED(float, tile, tileRows* Tile); // [coordinate][cluster]
  LLOYD_SHARED(unsigned, blockChanged, 1);
  if (threadIdx.x == 0) blockChanged[0] = 0;

  // Threads past the end work on the last point and keep the result to themselves: every thread meets every
  // barrier.
  std::size_t index[Items];
  float nearest[Items];
  Label label[Items];
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    const std::size_t i = (static_cast<std::size_t>(blockIdx.x) * Items + m) * blockDim.x + threadIdx.x;
    index[m] = i < n ? i : n - 1;
    nearest[m] = INFINITY;
    label[m] = 0;
  }

  for (unsigned firstCluster = 0; firstCluster < k; firstCluster += Tile) {
    float distance[Items][Tile];
    LLOYD_UNROLL
    for (unsigned m = 0; m < Items; ++m) {
      LLOYD_UNROLL
      for (unsigned c = 0; c < Tile; ++c)
        distance[m][c] = 0;
    }

    for (unsigned firstRow = 0; firstRow < d; firstRow += tileRows) {
      const unsigned rows = d - firstRow < tileRows ? d - firstRow : tileRows;
      __syncthreads();
      for (unsigned v = threadIdx.x; v < rows * Tile; v += blockDim.x) {
        // A cluster that is not there is infinitely far from every point.
        const std::size_t c = firstCluster + v % Tile;
        float value = INFINITY;
        if (c < k) value = centroids[c * d + firstRow + v / Tile];
        tile[v] = value;
      }
      __syncthreads();
      LLOYD_UNROLL_BY(2)
      for (unsigned j = 0; j < rows; ++j) {
        float x[Items];
        LLOYD_UNROLL
        for (unsigned m = 0; m < Items; ++m)
          x[m] = points[(firstRow + j) * stride + index[m]];
        LLOYD_UNROLL
        for (unsigned c = 0; c < Tile; ++c) {
          const float center = tile[j * Tile + c];
          LLOYD_UNROLL
          for (unsigned m = 0; m < Items; ++m)
            distance[m][c] = addSquare(distance[m][c], x[m], center);
        }
      }
    }

    LLOYD_UNROLL
    for (unsigned c = 0; c < Tile; ++c) {
      LLOYD_UNROLL
      for (unsigned m = 0; m < Items; ++m) {
        if (distance[m][c] < nearest[m]) {
          nearest[m] = distance[m][c];
          label[m] = static_cast<Label>(firstCluster + c);
        }
      }
    }
  }

  unsigned threadChanged = 0;
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    const std::size_t i = (static_cast<std::size_t>(blockIdx.x) * Items + m) * blockDim.x + threadIdx.x;
    if (i >= n) continue;
    const Label oldLabel = oldLabels[i];
    labels[i] = label[m];
    if (label[m] != oldLabel) ++threadChanged;
  }
  if (threadChanged > 0) atomicAdd(&blockChanged[0], threadChanged);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const int k = args.problem.k;
  const int tile = k <= 2 ? 2 : k <= 4 ? 4 : k <= 8 ? 8 : 16;
  const auto launchAs = [&](auto items, auto width) {
    launchClassify(args, context, 0, classify_general<items, width>, args.problem.d, k);
  };
  dispatch(launchAs, oneOf<1, 2, 4>(args.tuning.items), oneOf<2, 4, 8, 16>(tile));
}

} // namespace

LLOYD_REGISTER(
    classify_general,
    {.family = "classify",
     .tag = "general",
     .name = "any K and D",
     .idea = "Centroids pass through shared memory tile by tile, so that neither K nor D has a limit.",
     .changed = Changed::points,
     .parameters = {{"block", {32, 64, 128, 256, 512}, 128}, {"items", {1, 2, 4}, 4}}},
    {.classify = launch})

} // namespace lloyd
