// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: sums that are sometimes too small.
//
// Every point adds itself to its block's sums in shared memory, as in reduce.v1. On some cards, with some
// blocks, a sum lacks a few points. Ask for each word of shared memory which thread stores it first, and what
// keeps the others from using it before that.
#include "gpu/kernels/ladder.hpp"

namespace lloyd {
namespace {

LLOYD_KERNEL reduce_v1(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
                       LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums,
                       LLOYD_GLOBAL(unsigned) counts, std::size_t n, unsigned d, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, blockSum, 0, k* d);
  LLOYD_DYNAMIC_SHARED(unsigned, blockCount, k* d * sizeof(float), k);
  for (unsigned v = threadIdx.x; v < k * d; v += blockDim.x)
    blockSum[v] = 0;
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x)
    blockCount[c] = 0;

  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const Label label = labels[i];
    const auto c = static_cast<unsigned>(label);
    for (unsigned j = 0; j < d; ++j) {
      const float deviation = points[j * stride + i] - pivots[c * d + j];
      atomicAdd(&blockSum[c * d + j], deviation);
    }
    atomicAdd(&blockCount[c], 1u);
  }
  __syncthreads();

  for (unsigned v = threadIdx.x; v < k * d; v += blockDim.x) {
    const double sum = blockSum[v];
    atomicAdd(&sums[v], sum);
  }
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    const unsigned count = blockCount[c];
    atomicAdd(&counts[c], count);
  }
}

std::size_t sharedBytes(const Problem& problem) {
  return problem.centroidValues() * sizeof(float) + static_cast<std::size_t>(problem.k) * sizeof(unsigned);
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  launchReduce(args, context, sharedBytes(args.problem), reduce_v1, args.problem.d, args.problem.k);
}

Reason canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  return sharedLimit(variant, "reduce.general", "the sums and counts of all clusters", sharedBytes(problem),
                     device);
}

} // namespace

LLOYD_REGISTER(
    reduce_v1,
    {.family = "reduce",
     .tag = "v1",
     .name = "shared atomics",
     .idea = "Every point is added to its block's sums by atomics in shared memory, and those to the global "
             "sums.",
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 512}},
     .canRun = canRun},
    {.reduce = launch})

} // namespace lloyd
