// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: a centroid that vanishes.
//
// Sums divided by counts move the centroids, as in update.v1. Most runs are right. In some a centroid
// disappears from the picture in the first iteration and never comes back. Think of what a cluster may have
// none of.
#include "gpu/kernels/kernel.hpp"
#include "gpu/kernels/update/moves.hpp"

namespace lloyd {
namespace {

constexpr unsigned aloneThreads = 512; // of one block for all clusters

/// Squared, how far cluster c moved, of all its lanes together; each of them gets it. The next centroid is
/// written; c of at least k moves nothing.
LLOYD_DEVICE double moveCluster(auto sums, auto counts, auto oldCentroids, auto centroids, unsigned d,
                                unsigned k, unsigned c, unsigned lanes, unsigned& empty) {
  const unsigned lane = threadIdx.x % lanes;
  double move = 0;
  if (c < k) {
    const unsigned count = counts[c];
    for (unsigned j = lane; j < d; j += lanes) {
      const std::size_t v = static_cast<std::size_t>(c) * d + j;
      const float before = oldCentroids[v];
      const double sum = sums[v];
      const float after = static_cast<float>(before + sum / count);
      centroids[v] = after;
      const double step = static_cast<double>(after) - before;
      move = fma(step, step, move);
    }
    if (count == 0 && lane == 0) ++empty;
  }
  return moveOfCluster(move, lanes);
}

/// lanes: to a cluster; 1, 2, 4, 8, 16 or 32.
LLOYD_KERNEL_UP_TO(aloneThreads)
update_v1(LLOYD_GLOBAL(const double) sums, LLOYD_GLOBAL(const unsigned) counts,
          LLOYD_GLOBAL(const float) oldCentroids, LLOYD_GLOBAL(float) centroids,
          LLOYD_GLOBAL(UpdateOutcome) outcome, unsigned d, unsigned k, unsigned lanes) {
  LLOYD_SHARED(double, warpMove, aloneThreads / 32);
  LLOYD_SHARED(unsigned, warpEmpty, aloneThreads / 32);
  double largestMove = 0; // squared
  unsigned empty = 0;
  for (unsigned base = 0; base < k; base += blockDim.x / lanes) {
    const double move =
        moveCluster(sums, counts, oldCentroids, centroids, d, k, base + threadIdx.x / lanes, lanes, empty);
    if (move > largestMove) largestMove = move;
  }

  foldMoves(warpMove, warpEmpty, warpsWithClusters(k, lanes), largestMove, empty);
  if (threadIdx.x != 0) return;
  outcome[0] = UpdateOutcome{static_cast<float>(sqrt(largestMove)), empty};
}

void launch(const UpdateArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t values = problem.centroidValues();
  launchKernel(context, {1, static_cast<int>(aloneThreads)}, update_v1, global(args.sums, values),
               global(args.counts, k), global(args.oldCentroids, values), global(args.centroids, values),
               global(args.outcome, 1), problem.d, problem.k, lanesOfCluster(problem.d));
}

} // namespace

LLOYD_REGISTER(
    update_v1,
    {.family = "update",
     .tag = "v1",
     .name = "divide",
     .idea = "Sums divided by counts are the next centres, empty clusters stay where they are, and "
             "the largest move is found on the way.",
     .paper = "Scheduling article"},
    {.update = launch})

} // namespace lloyd
