// SPDX-License-Identifier: GPL-3.0-or-later
// update.v1, divide: one block turns sums and counts into the next centroids. The sums are of deviations from
// the old centre, so a new centre is the old one plus their mean; a cluster without points keeps its centre
// and is counted. The same pass finds how far the centre that moved most has moved, which is what convergence
// is judged by.
//
// A cluster is given to as many lanes as it has coordinates, rounded up to a power of two, at most a warp:
// neighbouring lanes read neighbouring values whether D is 1 or 64, and one small shuffle sum gives the
// cluster's distance. What it costs: one multiprocessor works and the others wait. With K x D of a few dozen
// that is a few microseconds, and all of it is the time to start a kernel and to reach memory.
#include "gpu/kernels/kernel.hpp"
#include "gpu/kernels/update/moves.hpp"

namespace lloyd {
namespace {

constexpr unsigned blockThreads = 512;
constexpr unsigned mostWarps = blockThreads / 32;

/// lanes: to a cluster; 1, 2, 4, 8, 16 or 32.
LLOYD_KERNEL_UP_TO(blockThreads)
update_v1(LLOYD_GLOBAL(const double) sums, LLOYD_GLOBAL(const unsigned) counts,
          LLOYD_GLOBAL(const float) oldCentroids, LLOYD_GLOBAL(float) centroids,
          LLOYD_GLOBAL(UpdateOutcome) outcome, unsigned d, unsigned k, unsigned lanes) {
  LLOYD_SHARED(double, warpMove, mostWarps);
  LLOYD_SHARED(unsigned, warpEmpty, mostWarps);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned clustersAtOnce = blockDim.x / lanes;

  double largestMove = 0; // squared
  unsigned empty = 0;
  for (unsigned base = 0; base < k; base += clustersAtOnce) {
    const unsigned c = base + threadIdx.x / lanes;
    unsigned count = 0;
    if (c < k) count = counts[c];
    double move = 0;
    if (c < k) {
      for (unsigned j = lane; j < d; j += lanes) {
        const std::size_t v = static_cast<std::size_t>(c) * d + j;
        const float before = oldCentroids[v];
        float after = before;
        if (count > 0) {
          const double sum = sums[v];
          after = static_cast<float>(before + sum / count);
        }
        centroids[v] = after;
        const double step = static_cast<double>(after) - before;
        move = fma(step, step, move);
      }
      if (count == 0 && lane == 0) ++empty;
    }
    move = moveOfCluster(move, lanes);
    if (move > largestMove) largestMove = move;
  }

  foldMoves(warpMove, warpEmpty, warpsWithClusters(k, lanes), largestMove, empty);
  if (threadIdx.x != 0) return;
  outcome[0] = UpdateOutcome{static_cast<float>(sqrt(largestMove)), empty};
}

void launch(const UpdateArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const std::size_t values = problem.centroidValues();
  const unsigned lanes = lanesOfCluster(problem.d);
  launchKernel(context, {1, static_cast<int>(blockThreads)}, update_v1, global(args.sums, values),
               global(args.counts, static_cast<std::size_t>(problem.k)), global(args.oldCentroids, values),
               global(args.centroids, values), global(args.outcome, 1), problem.d, problem.k, lanes);
}

} // namespace

LLOYD_REGISTER(update_v1,
               {.family = "update",
                .tag = "v1",
                .name = "divide",
                .idea = "One block divides sums by counts, leaves empty clusters where they are, and finds "
                        "the largest move.",
                .paper = "Scheduling article"},
               {.update = launch})

} // namespace lloyd
