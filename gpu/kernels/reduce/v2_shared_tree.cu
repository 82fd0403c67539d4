// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.v2, a tree in shared memory: the clusters are done one after the other. For each, a thread puts its
// point into its own slot of shared memory, or zero when the point belongs elsewhere. Then the slots are
// folded by halves: the lower half of the threads adds what the upper half holds, and half of those again,
// until slot 0 holds the block's sum, which thread 0 adds to global memory.
//
// Against V1: no two threads ever add to one place, so the order of the points no longer matters. What it
// costs: every block goes through all clusters, with a barrier for each step of the tree, and most slots hold
// zeros; time grows with K, and near the tree's top one warp works while the others wait. What to look at:
// barriers, and the same time for `order=sorted` and `order=shuffled`, where V1 changes its rank. Against the
// paper: a barrier stands behind every step of the tree, so that no thread stores its value for the next
// cluster while another still reads this one's (in the paper's kernel nothing parts two clusters), and N need
// not be a multiple of the block. Ours: a cluster without points in the block adds nothing to global memory.
#include "gpu/kernels/ladder.hpp"

namespace lloyd {
namespace {

LLOYD_KERNEL reduce_v2(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
                       LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums,
                       LLOYD_GLOBAL(unsigned) counts, std::size_t n, unsigned d, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, slotSum, 0, d* blockDim.x); // [coordinate][thread]
  LLOYD_DYNAMIC_SHARED(unsigned, slotCount, d* blockDim.x * sizeof(float), blockDim.x);
  const unsigned t = threadIdx.x;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + t;
  Label label = -1; // no cluster
  if (i < n) label = labels[i];

  for (unsigned c = 0; c < k; ++c) {
    const std::size_t begin = static_cast<std::size_t>(c) * d; // of the pivot and the sums
    const bool here = label == static_cast<Label>(c);
    slotCount[t] = here ? 1u : 0u;
    for (unsigned j = 0; j < d; ++j) {
      float deviation = 0;
      if (here) deviation = points[j * stride + i] - pivots[begin + j];
      slotSum[j * blockDim.x + t] = deviation;
    }
    __syncthreads();

    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (t < half) {
        slotCount[t] += slotCount[t + half];
        for (unsigned j = 0; j < d; ++j)
          slotSum[j * blockDim.x + t] += slotSum[j * blockDim.x + t + half];
      }
      __syncthreads();
    }

    if (t != 0) continue;
    const unsigned count = slotCount[0];
    if (count == 0) continue;
    atomicAdd(&counts[c], count);
    for (unsigned j = 0; j < d; ++j) {
      const double sum = slotSum[j * blockDim.x];
      atomicAdd(&sums[begin + j], sum);
    }
  }
}

std::size_t sharedBytes(const Problem& problem, int block) {
  return (static_cast<std::size_t>(problem.d) + 1) * static_cast<std::size_t>(block) * sizeof(float);
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  launchReduce(args, context, sharedBytes(args.problem, args.tuning.block), reduce_v2, args.problem.d,
               args.problem.k);
}

Reason canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
              const Tuning& tuning) {
  const std::size_t bytes = sharedBytes(problem, tuning.block);
  if (bytes <= device.sharedBytesPerBlock) return std::nullopt;
  return variant.id() + " keeps " + std::to_string(problem.d) + " coordinates of each of " +
         std::to_string(tuning.block) + " threads in shared memory, which needs " + std::to_string(bytes) +
         " bytes a block, and " + device.name + " has " + std::to_string(device.sharedBytesPerBlock) +
         ": a smaller block needs less, and reduce.general takes any number of dimensions";
}

} // namespace

LLOYD_REGISTER(
    reduce_v2,
    {.family = "reduce",
     .tag = "v2",
     .name = "shared tree",
     .idea = "Cluster by cluster, the threads of a block fold their values by halves in shared memory; no "
             "thread waits for another's atomic.",
     .publishedUs = 850.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 8192 blocks of 128",
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 512}},
     .canRun = canRun},
    {.reduce = launch})

} // namespace lloyd
