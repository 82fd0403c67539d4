// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.v4, the tree unrolled: the clusters are done one after the other. For each, a thread puts its point
// into its own slot of shared memory, or zero when the point belongs elsewhere. The slots are folded by
// halves down to 32; those the first warp takes into registers and folds with shuffles. Lane 0 adds the
// block's sum to global memory.
//
// Against V3: the block's size is a template parameter. The compiler then knows how many steps the tree has
// and writes them out one after the other, with the places of the slots as constants. What it costs: a kernel
// for each D and each size of block. What to look at: that counters are V3's to the last digit, so that they
// cannot explain a difference in time. Against the paper: the step of 32 ends in a barrier, or warp 1 would
// overwrite slots that warp 0 still reads; every coordinate is shuffled, not only the first; and N need not
// be a multiple of the block.
#include "gpu/kernels/ladder.hpp"

namespace lloyd {
namespace {

template <unsigned D, unsigned Block>
LLOYD_KERNEL reduce_v4(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
                       LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums,
                       LLOYD_GLOBAL(unsigned) counts, std::size_t n, unsigned k) {
  LLOYD_SHARED(float, slotSum, D* Block); // [coordinate][thread]
  LLOYD_SHARED(unsigned, slotCount, Block);
  const unsigned t = threadIdx.x;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * Block + t;
  Label label = -1; // no cluster
  if (i < n) label = labels[i];

  for (unsigned c = 0; c < k; ++c) {
    unsigned count = 0;
    float sum[D] = {};
    if (label == static_cast<Label>(c)) {
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
  const auto launchAs = [&](auto d, auto block) {
    launchReduce(args, context, 0, reduce_v4<d, block>, args.problem.k);
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<32, 64, 128, 256, 512, 1024>(args.tuning.block));
}

} // namespace

LLOYD_REGISTER(
    reduce_v4,
    {.family = "reduce",
     .tag = "v4",
     .name = "unrolled tree",
     .idea =
         "The block's size is a template parameter, so the compiler writes the tree's steps out one after "
         "the other.",
     .publishedUs = 363.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, one point a thread",
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 512}},
     .canRun = reduceLimit},
    {.reduce = launch})

} // namespace lloyd
