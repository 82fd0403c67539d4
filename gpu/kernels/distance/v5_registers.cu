// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v5, registers: V4 with 8 x 8 results a thread instead of one. A block compares 128 points with 128
// clusters, 16 coordinates at a time; a thread has every sixteenth point and every sixteenth cluster of them,
// and keeps the 64 unfinished distances in registers.
//
// Against V4: a value that was loaded from shared memory serves eight results, so that 16 loads stand beside
// 128 instructions of arithmetic, where V4 has 32 beside 32. This is ours; the note ends with unrolling. What
// it costs: registers, and work thrown away where K is no multiple of 128. What to look at: the mix, and the
// time against the card's limit for a difference and a multiply-add each.
#include "gpu/kernels/distance/chains.hpp"

namespace lloyd {
namespace {

LLOYD_KERNEL_UP_TO(512)
distance_v5(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            std::size_t n, unsigned d, unsigned k) {
  if (n == 0) return;
  LLOYD_SHARED(float, pointTile, chainDepth* chainWidth);  // [coordinate][point]
  LLOYD_SHARED(float, centroidTile, chainDepth* chainRow); // [coordinate][cluster]
  LLOYD_SHARED(float, nearestOf, chainSide* chainPitch);   // [row of threads][point]
  LLOYD_SHARED(Label, labelOf, chainSide * chainPitch);
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * chainWidth;
  // Threads past the end work on the last point and keep the result to themselves.
  const auto pointOf = [&](unsigned p) { return first + p < n ? first + p : n - 1; };
  nearestByChains(points, stride, centroids, d, k, pointOf, pointTile, centroidTile, nearestOf, labelOf);
  keepNearest(nearestOf, labelOf, chainSide, chainWidth, chainPitch, first, oldLabels, labels, changed, n);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  launchTiles(args, context, chainWidth, chainThreads, distance_v5);
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
