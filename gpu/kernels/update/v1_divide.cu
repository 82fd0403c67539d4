// SPDX-License-Identifier: GPL-3.0-or-later
// update.v1, divide: sums and counts become the next centroids. The sums are of deviations from the old
// centre, so a new centre is the old one plus their mean; a cluster without points keeps its centre and is
// counted. The same pass finds how far the centre that moved most has moved, which is what convergence is
// judged by.
//
// A cluster is given to as many lanes as it has coordinates, rounded up to a power of two, at most a warp:
// neighbouring lanes read neighbouring values whether D is 1 or 64, and one small shuffle sum gives the
// cluster's distance.
//
// With K x D of a few dozen one block does all of it, while other multiprocessors wait. That is a few
// microseconds, and all of it is the time to start a kernel and to reach memory. With thousands of values
// each thread has one turn and blocks are as many as it takes; they meet at the outcome, which a kernel
// before them has cleared: of floats that are not negative the largest has the largest bits. A cluster's
// lanes add up in the same order either way, so that both find the same bits.
#include "gpu/kernels/kernel.hpp"
#include "gpu/kernels/update/moves.hpp"

#include <cstddef>

namespace lloyd {
namespace {

constexpr unsigned aloneThreads = 512; // of one block for all clusters
constexpr unsigned manyThreads = 128;  // of each of many
/// Turns of the one block, above which many blocks take less than its next turns.
constexpr unsigned turnsAlone = 4;

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

// An outcome as two words: bits of the largest move, and empty clusters.
static_assert(sizeof(UpdateOutcome) == 2 * sizeof(unsigned) && offsetof(UpdateOutcome, shift) == 0);

LLOYD_KERNEL update_v1_begin(LLOYD_GLOBAL(unsigned) outcome) {
  if (threadIdx.x < 2) outcome[threadIdx.x] = 0;
}

/// Each block has as many clusters as its threads have lanes for.
LLOYD_KERNEL_UP_TO(manyThreads)
update_v1_many(LLOYD_GLOBAL(const double) sums, LLOYD_GLOBAL(const unsigned) counts,
               LLOYD_GLOBAL(const float) oldCentroids, LLOYD_GLOBAL(float) centroids,
               LLOYD_GLOBAL(unsigned) outcome, unsigned d, unsigned k, unsigned lanes) {
  LLOYD_SHARED(double, warpMove, manyThreads / 32);
  LLOYD_SHARED(unsigned, warpEmpty, manyThreads / 32);
  unsigned empty = 0;
  const double move = moveCluster(sums, counts, oldCentroids, centroids, d, k,
                                  (blockIdx.x * blockDim.x + threadIdx.x) / lanes, lanes, empty);
  double largestMove = 0;
  if (move > largestMove) largestMove = move; // which what is not a number is not
  foldMoves(warpMove, warpEmpty, blockDim.x / 32, largestMove, empty);
  if (threadIdx.x != 0) return;
  const unsigned bits = __float_as_uint(static_cast<float>(sqrt(largestMove)));
  if (bits > 0) atomicMax(&outcome[0], bits);
  if (empty > 0) atomicAdd(&outcome[1], empty);
}

void launch(const UpdateArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t values = problem.centroidValues();
  const unsigned lanes = lanesOfCluster(problem.d);
  const auto launchWith = [&](const LaunchShape& shape, auto kernel, auto outcome) {
    launchKernel(context, shape, kernel, global(args.sums, values), global(args.counts, k),
                 global(args.oldCentroids, values), global(args.centroids, values), outcome, problem.d,
                 problem.k, lanes);
  };
  const std::size_t turns = blocksFor(k * lanes, aloneThreads) * blocksFor(values / k, lanes);
  if (turns <= turnsAlone)
    return launchWith({1, static_cast<int>(aloneThreads)}, update_v1, global(args.outcome, 1));
  const auto words = global(reinterpret_cast<unsigned*>(args.outcome), 2);
  launchKernel(context, {1, 32}, update_v1_begin, words);
  launchWith({blocksFor(k * lanes, manyThreads), static_cast<int>(manyThreads)}, update_v1_many, words);
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
