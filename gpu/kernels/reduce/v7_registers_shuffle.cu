// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.v7, registers and shuffles: a thread takes 16 points, a whole grid apart, into registers. Then,
// cluster by cluster, it adds those that belong there, its warp folds the 32 results with shuffles, and only
// the warp's first lane writes to shared memory. Thread 0 adds up the warps and gives the block's result to
// global memory.
//
// Against V6: shared memory is touched once a warp instead of once a thread, and no thread waits for a tree
// of barriers. What it costs: every point is looked at once for every cluster, so time grows with K whatever
// the labels are; in return neither the order of the points nor the sizes of the clusters matter. 16 x (D +
// 1) registers hold the points. What to look at: the same time for `order=sorted` and `order=shuffled`, where
// V1 changes its rank; time against K. Against the text: all coordinates are folded, not only the first; N
// need not be a multiple of anything; labels and points are read once, before the loop (as printed they are
// read again for each cluster, unless the compiler sees that it need not); two rows of shared memory take
// turns, so that one barrier a cluster is enough.
#include "gpu/core/kernel.hpp"
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/limits.hpp"

namespace lloyd {
namespace {

constexpr unsigned items = 16;
constexpr unsigned mostWarps = 32;

/// A block of 1024 threads leaves each 64 registers, which 16 points and their labels fit in only when D
/// is 1.
constexpr unsigned mostThreads(unsigned d) { return d == 1 ? 1024 : 512; }

template <unsigned D>
LLOYD_KERNEL_UP_TO(mostThreads(D))
reduce_v7(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
          LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts,
          std::size_t n, unsigned k) {
  LLOYD_SHARED(float, warpSum, 2 * D * mostWarps); // [row][coordinate][warp]
  LLOYD_SHARED(unsigned, warpCount, 2 * mostWarps);
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

  Label label[items];
  float deviation[items][D];
  LLOYD_UNROLL
  for (unsigned m = 0; m < items; ++m) {
    const std::size_t i = first + m * threads;
    label[m] = -1; // no cluster
    if (i < n) label[m] = labels[i];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      deviation[m][j] = 0;
      if (i < n) deviation[m][j] = points[j * stride + i];
    }
  }
  LLOYD_UNROLL
  for (unsigned m = 0; m < items; ++m) {
    if (label[m] < 0) continue;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      deviation[m][j] -= pivots[static_cast<unsigned>(label[m]) * D + j];
  }

  for (unsigned c = 0; c < k; ++c) {
    float sum[D] = {};
    unsigned count = 0;
    LLOYD_UNROLL
    for (unsigned m = 0; m < items; ++m) {
      if (label[m] != static_cast<Label>(c)) continue;
      ++count;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        sum[j] += deviation[m][j];
    }
    LLOYD_UNROLL
    for (unsigned distance = 16; distance > 0; distance /= 2) {
      count += __shfl_down_sync(0xffffffffu, count, distance);
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        sum[j] += __shfl_down_sync(0xffffffffu, sum[j], distance);
    }

    const unsigned row = c % 2;
    if (threadIdx.x % 32 == 0) {
      warpCount[row * mostWarps + warp] = count;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        warpSum[(row * D + j) * mostWarps + warp] = sum[j];
    }
    // Thread 0 reads this row while the others fill the other one, and meets them again at the next barrier.
    __syncthreads();
    if (threadIdx.x != 0) continue;
    unsigned blockCount = 0;
    double blockSum[D] = {};
    for (unsigned w = 0; w < warps; ++w) {
      blockCount += warpCount[row * mostWarps + w];
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        blockSum[j] += static_cast<double>(warpSum[(row * D + j) * mostWarps + w]);
    }
    if (blockCount == 0) continue;
    atomicAdd(&counts[c], blockCount);
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      atomicAdd(&sums[c * D + j], blockSum[j]);
  }
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto perBlock = static_cast<std::size_t>(args.tuning.block) * items;
  const LaunchShape shape{blocksFor(problem.n, perBlock), args.tuning.block};
  dispatch<1, 2, 3>(static_cast<unsigned>(problem.d), [&](auto d) {
    launchKernel(context, shape, reduce_v7<decltype(d)::value>,
                 global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
                 global(args.labels, problem.n), global(args.pivots, problem.centroidValues()),
                 global(args.sums, problem.centroidValues()),
                 global(args.counts, static_cast<std::size_t>(problem.k)), problem.n, problem.k);
  });
}

std::optional<std::string> canRun(const Problem& problem, const DeviceInfo&, const Tuning& tuning) {
  if (const auto reason = dimensionLimit("reduce.v7", "reduce.general", problem, 3)) return reason;
  const unsigned most = mostThreads(static_cast<unsigned>(problem.d));
  return registerLimit("reduce.v7", problem, static_cast<int>(items), tuning.block, static_cast<int>(most));
}

} // namespace

LLOYD_REGISTER(
    reduce_v7,
    {.family = "reduce",
     .tag = "v7",
     .name = "registers and shuffles",
     .idea =
         "16 points a thread are added in registers and folded by warp shuffles; only the first lane of a "
         "warp writes to shared memory.",
     .publishedUs = 86.0,
     .publishedWhere = "N = 2^20, D = 1, K = 16, 16 points a thread",
     .text = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256}},
     .canRun = canRun},
    {.reduce = launch})

} // namespace lloyd
