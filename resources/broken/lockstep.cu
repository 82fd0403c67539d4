// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: a tree that spares barriers.
//
// The slots are folded by halves, as in reduce.v2, and the author has heard that a warp needs no barrier. On
// old cards the sums were right; on cards since Volta they need not be. Look at what two lanes of one warp do
// to one slot within a step.
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
      if (half >= 32) __syncthreads();
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
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 512}},
     .canRun = canRun},
    {.reduce = launch})

} // namespace lloyd
