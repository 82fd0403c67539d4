// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: a shuffle that asks half a warp.
//
// The last 32 values of the tree are folded by shuffles, as in reduce.v3. Some cards give the right sum,
// others wait for ever or give any. Compare the lanes that come to a shuffle with those that its mask names.
#include "gpu/kernels/ladder.hpp"

namespace lloyd {
namespace {

template <unsigned D>
LLOYD_KERNEL reduce_v3(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
                       LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums,
                       LLOYD_GLOBAL(unsigned) counts, std::size_t n, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, slotSum, 0, D* blockDim.x); // [coordinate][thread]
  LLOYD_DYNAMIC_SHARED(unsigned, slotCount, D* blockDim.x * sizeof(float), blockDim.x);
  const unsigned t = threadIdx.x;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + t;
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
      slotSum[j * blockDim.x + t] = sum[j];
    __syncthreads();

    for (unsigned half = blockDim.x / 2; half >= 32; half /= 2) {
      if (t < half) {
        slotCount[t] += slotCount[t + half];
        LLOYD_UNROLL
        for (unsigned j = 0; j < D; ++j)
          slotSum[j * blockDim.x + t] += slotSum[j * blockDim.x + t + half];
      }
      __syncthreads();
    }

    if (t >= 32) continue;
    count = slotCount[t];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      sum[j] = slotSum[j * blockDim.x + t];
    LLOYD_UNROLL
    for (unsigned distance = 16; distance > 0; distance /= 2) {
      count += __shfl_down_sync(0x0000ffffu, count, distance);
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
  const std::size_t sharedBytes = static_cast<std::size_t>(args.problem.d + 1) *
                                  static_cast<std::size_t>(args.tuning.block) * sizeof(float);
  dispatch([&](auto d) { launchReduce(args, context, sharedBytes, reduce_v3<d>, args.problem.k); },
           oneOf<1, 2, 3>(args.problem.d));
}

} // namespace

LLOYD_REGISTER(
    reduce_v3,
    {.family = "reduce",
     .tag = "v3",
     .name = "last 32 by shuffles",
     .idea =
         "The tree's last 32 values are folded by warp shuffles, without shared memory or barriers; loops "
         "over coordinates are unrolled.",
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 512}},
     .canRun = reduceLimit},
    {.reduce = launch})

} // namespace lloyd
