// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.graph: whole iterations without the host. A fused variant's pass and one small kernel are recorded
// once, as the body of a loop that the device itself repeats: on a GPU a CUDA graph whose one node runs its
// body again while a condition holds, and the kernel below sets the condition. A run to convergence is one
// call, and so is the next one from other centroids.
//
// Against one iteration at a time: no launch waits for the host, nothing is asked about again, and no copy or
// fill stands between two kernels. The small kernel does all that remains when the sums are there. It divides
// as update.v1 does, to the same bits, but in place; clears what the next pass adds to; counts; and decides.
// What it costs: nobody sees the iterations in between, and it cannot be stopped until it stops. What to look
// at: microseconds an iteration against the pass alone, where N is small. With many points the launches were
// hidden anyway.
//
// A variant that can stay on the card between iterations (fused.v3) is repeated by its own kernel: then the
// graph's loop goes round once, and what an iteration still waits for is that all blocks have arrived.
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/decide.hpp"
#include "gpu/kernels/kernel.hpp"
#include "gpu/kernels/update/moves.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr unsigned mostThreads = 512;
constexpr unsigned mostWarps = mostThreads / 32;

/// One block. lanes: to a cluster, as in update.v1; 1, 2, 4, 8, 16 or 32.
LLOYD_KERNEL_UP_TO(mostThreads)
schedule_graph(LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(unsigned) changed,
               LLOYD_GLOBAL(float) centroids, LLOYD_GLOBAL(float) used, LLOYD_GLOBAL(unsigned) sizes,
               LLOYD_GLOBAL(unsigned) done, LLOYD_GLOBAL(const LoopParams) params,
               LLOYD_GLOBAL(LoopOutcome) outcome, std::uint64_t loop, unsigned d, unsigned k,
               unsigned lanes) {
  LLOYD_SHARED(double, warpMove, mostWarps);
  LLOYD_SHARED(unsigned, warpEmpty, mostWarps);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned clustersAtOnce = blockDim.x / lanes;

  // Asked for before it is needed: all that this kernel waits for is on its way at once.
  LoopParams told;
  unsigned newLabels = 0;
  unsigned round = 0;
  if (threadIdx.x == 0) {
    told = params[0];
    newLabels = changed[0];
    round = done[0] + 1;
  }

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
        const float before = centroids[v];
        const double sum = sums[v];
        float after = before;
        if (count > 0) after = static_cast<float>(before + sum / count);
        used[v] = before;
        centroids[v] = after;
        sums[v] = 0;
        const double step = static_cast<double>(after) - before;
        move = fma(step, step, move);
      }
      if (count == 0 && lane == 0) ++empty;
    }
    move = moveOfCluster(move, lanes);
    if (move > largestMove) largestMove = move;
    if (c < k && lane == 0) { // the cluster's lanes have all read it
      sizes[c] = count;
      counts[c] = 0;
    }
  }

  foldMoves(warpMove, warpEmpty, warpsWithClusters(k, lanes), largestMove, empty);
  if (threadIdx.x != 0) return;

  const auto shift = static_cast<float>(sqrt(largestMove));
  const schedule::Decision decision = schedule::decide(told, round, newLabels, shift);
  changed[0] = 0;
  done[0] = decision.again ? round : 0;
  outcome[0] = LoopOutcome{round, newLabels, UpdateOutcome{shift, empty}, decision.settled ? 1u : 0u};
  if (loop != 0) repeatLoop(loop, decision.again);
}

void launch(const IterateArgs& args, LaunchContext& context) {
  const auto itself = args.fused->info.repeatsItself;
  if (itself && itself(args.pass.problem, args.pass.tuning))
    return args.fused->on(LLOYD_BACKEND).loop(args, context);
  args.fused->on(LLOYD_BACKEND).fused(args.pass, context);
  const Problem& problem = args.pass.problem;
  const std::size_t values = problem.centroidValues();
  const auto k = static_cast<std::size_t>(problem.k);
  const unsigned lanes = lanesOfCluster(problem.d);
  // No more warps than there is work for: each is waited for at the barrier.
  const auto threads = static_cast<int>(std::min<std::size_t>((k * lanes + 31) / 32 * 32, mostThreads));
  launchKernel(context, {1, threads}, schedule_graph, global(args.pass.sums, values),
               global(args.pass.counts, k), global(args.pass.changed, 1), global(args.centroids, values),
               global(args.used, values), global(args.sizes, k), global(args.done, 1), global(args.params, 1),
               global(args.outcome, 1), context.loop, problem.d, problem.k, lanes);
}

Reason canRun(const Variant&, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  const std::string instead = ": classify.general and reduce.general, one iteration at a time, take any";
  if (!device.repeats)
    return "schedule.graph needs a driver for CUDA 12.4 or newer, which lets a GPU repeat work by itself" +
           instead;
  for (const Variant* variant : Registry::instance().of(Stage::fused, device.backend))
    if (!variant->whyNot(Stage::fused, problem, device, {})) return std::nullopt;
  return "schedule.graph repeats a fused variant, and none takes " + std::to_string(problem.d) +
         " dimensions with so many clusters" + instead;
}

} // namespace

LLOYD_REGISTER(schedule_graph,
               {.family = "schedule",
                .tag = "graph",
                .name = "replayed",
                .idea = "Iterations are recorded once and repeated by the device, which decides itself when "
                        "they are enough.",
                .paper = "Scheduling article",
                .canRun = canRun,
                .place = 7},
               {.iterate = launch})

} // namespace lloyd
