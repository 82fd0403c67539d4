// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.v7, registers and shuffles: a thread takes 16 points, a whole grid apart, into registers. Then the
// clusters are done one after the other: a thread adds those of its points that belong there, its warp folds
// the 32 results with shuffles, and only the warp's first lane writes to shared memory. Thread 0 adds up the
// warps and gives the block's result to global memory.
//
// Against V6: what a thread has, stays in registers until a warp's 32 results are one. So there is no tree:
// shared memory is touched once a warp instead of once a thread, with one barrier a cluster. And labels and
// points are read once, before the loop, not again for each cluster. The number of points is a template
// parameter now, because registers have no index; with the tree gone, the block's size need not be one. What
// it costs: `items` x (D + 1) registers; and still every point is looked at once for every cluster, so time
// grows with K whatever the labels are. What to look at: the same time for `order=sorted` and
// `order=shuffled`, where V1 changes its rank; time against K. Against the paper: every coordinate is folded;
// N need not be a multiple of anything; two rows of shared memory take turns, so that one barrier a cluster
// is enough. Ours: points and labels are loaded before the loop over clusters; the paper loads them in it.
#include "gpu/kernels/ladder.hpp"

namespace lloyd {
namespace {

constexpr unsigned mostWarps = 32;

/// A block of 1024 threads leaves each 64 registers, in which 16 coordinates and their labels find room.
constexpr unsigned mostThreads(unsigned d, unsigned items) { return d * items > 16 ? 512 : 1024; }

template <unsigned D, unsigned Items>
LLOYD_KERNEL_UP_TO(mostThreads(D, Items))
reduce_v7(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
          LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts,
          std::size_t n, unsigned k) {
  LLOYD_SHARED(float, slotSum, 2 * D * mostWarps); // [row][coordinate][warp]
  LLOYD_SHARED(unsigned, slotCount, 2 * mostWarps);
  const unsigned t = threadIdx.x;
  const unsigned warp = t / 32;
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + t;

  Label label[Items];
  float deviation[Items][D];
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
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
  for (unsigned m = 0; m < Items; ++m) {
    if (label[m] < 0) continue;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      deviation[m][j] -= pivots[static_cast<unsigned>(label[m]) * D + j];
  }

  for (unsigned c = 0; c < k; ++c) {
    unsigned count = 0;
    float sum[D] = {};
    LLOYD_UNROLL
    for (unsigned m = 0; m < Items; ++m) {
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
    if (t % 32 == 0) {
      slotCount[row * mostWarps + warp] = count;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        slotSum[(row * D + j) * mostWarps + warp] = sum[j];
    }
    // Thread 0 reads this row while the others fill the other one, and meets them again at the next barrier.
    __syncthreads();

    if (t != 0) continue;
    unsigned blockCount = 0;
    double blockSum[D] = {};
    for (unsigned w = 0; w < blockDim.x / 32; ++w) {
      blockCount += slotCount[row * mostWarps + w];
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        blockSum[j] += static_cast<double>(slotSum[(row * D + j) * mostWarps + w]);
    }
    if (blockCount == 0) continue;
    atomicAdd(&counts[c], blockCount);
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      atomicAdd(&sums[c * D + j], blockSum[j]);
  }
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  const auto launchAs = [&](auto d, auto items) {
    launchReduce(args, context, 0, reduce_v7<d, items>, args.problem.k);
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<4, 8, 16>(args.tuning.items));
}

Reason canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
              const Tuning& tuning) {
  if (auto reason = reduceLimit(variant, problem, device, tuning)) return reason;
  const unsigned most = mostThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items));
  return registerLimit(variant, problem, tuning, most);
}

} // namespace

LLOYD_REGISTER(
    reduce_v7,
    {.family = "reduce",
     .tag = "v7",
     .name = "registers and shuffles",
     .idea =
         "Points, sums and folding stay in registers; only the first lane of a warp writes to shared memory.",
     .publishedUs = 86.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 16 points a thread",
     .paper = "Reduction article",
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256}, {"items", {4, 8, 16}, 16}},
     .canRun = canRun},
    {.reduce = launch})

} // namespace lloyd
