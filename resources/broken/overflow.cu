// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: sums that are right in one dimension.
//
// Each thread adds its points in registers and leaves the sum in a slot of shared memory, as in reduce.v6.
// With D = 1 it is right. With D = 2 it writes where nothing is its own. Compare what is declared with what
// is indexed.
#include "gpu/kernels/ladder.hpp"

namespace lloyd {
namespace {

template <unsigned D, unsigned Block, unsigned Items>
LLOYD_KERNEL_UP_TO(Block)
reduce_v6(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
          LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts,
          std::size_t n, unsigned k) {
  LLOYD_SHARED(float, slotSum, Block);
  LLOYD_SHARED(unsigned, slotCount, Block);
  const unsigned t = threadIdx.x;
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * Block;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * Block + t;

  for (unsigned c = 0; c < k; ++c) {
    unsigned count = 0;
    float sum[D] = {};
    LLOYD_UNROLL
    for (unsigned m = 0; m < Items; ++m) {
      const std::size_t i = first + m * threads;
      Label label = -1; // no cluster
      if (i < n) label = labels[i];
      if (label != static_cast<Label>(c)) continue;
      ++count;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        sum[j] += points[j * stride + i] - pivots[c * D + j];
    }
    slotCount[t] = count;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      slotSum[j * Block + t] = sum[j];
    __syncthreads();

    LLOYD_UNROLL
    for (unsigned half = Block / 2; half >= 32; half /= 2) {
      if (t < half) {
        slotCount[t] += slotCount[t + half];
        LLOYD_UNROLL
        for (unsigned j = 0; j < D; ++j)
          slotSum[j * Block + t] += slotSum[j * Block + t + half];
      }
      __syncthreads();
    }

    if (t >= 32) continue;
    count = slotCount[t];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      sum[j] = slotSum[j * Block + t];
    LLOYD_UNROLL
    for (unsigned distance = 16; distance > 0; distance /= 2) {
      count += __shfl_down_sync(0xffffffffu, count, distance);
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        sum[j] += __shfl_down_sync(0xffffffffu, sum[j], distance);
    }

    if (t != 0 || count == 0) continue;
    atomicAdd(&counts[c], count);
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      atomicAdd(&sums[c * D + j], static_cast<double>(sum[j]));
  }
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  const auto launchAs = [&](auto d, auto block, auto items) {
    launchReduce(args, context, 0, reduce_v6<d, block, items>, args.problem.k);
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<32, 64, 128, 256, 512, 1024>(args.tuning.block),
           oneOf<4, 8, 16>(args.tuning.items));
}

} // namespace

LLOYD_REGISTER(
    reduce_v6,
    {.family = "reduce",
     .tag = "v6",
     .name = "add in registers",
     .idea = "A thread adds its 16 points in registers and touches its slot of shared memory once a cluster.",
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128}, {"items", {4, 8, 16}, 16}},
     .canRun = reduceLimit},
    {.reduce = launch})

} // namespace lloyd
