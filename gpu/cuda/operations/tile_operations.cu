// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/tiles/hilbert.hpp"
#include "gpu/cuda/operations/operations.hpp"
#include "gpu/cuda/runtime/cuda_check.hpp"
#include "gpu/kernels/kernel.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace lloyd::cuda {
namespace {

constexpr int blockThreads = 256;
constexpr unsigned warpsPerBlock = blockThreads / 32;

template <unsigned D>
LLOYD_KERNEL placeKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                         LLOYD_GLOBAL(std::uint64_t) keys, LLOYD_GLOBAL(std::uint32_t) indices, std::size_t n,
                         HilbertCurve curve) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x[D];
  for (unsigned j = 0; j < D; ++j)
    x[j] = points[j * stride + i];
  keys[i] = hilbertPlace<D>(curve, x);
  indices[i] = static_cast<std::uint32_t>(i);
}

/// One thread a place of the order, those that the last tile lacks among them.
LLOYD_KERNEL gatherKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                          LLOYD_GLOBAL(const std::uint32_t) indices, LLOYD_GLOBAL(float) ordered,
                          LLOYD_GLOBAL(std::uint32_t) place, std::size_t n, std::size_t places, unsigned d) {
  const std::size_t p = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= places) return;
  const std::uint32_t i = indices[p < n ? p : n - 1];
  if (p < n) place[i] = static_cast<std::uint32_t>(p);
  for (unsigned j = 0; j < d; ++j)
    ordered[j * places + p] = points[j * stride + i];
}

/// One warp a tile.
LLOYD_KERNEL summariseKernel(LLOYD_GLOBAL(const float) ordered, LLOYD_GLOBAL(float) lows,
                             LLOYD_GLOBAL(float) highs, LLOYD_GLOBAL(long long) sums, std::size_t n,
                             std::size_t count, unsigned size, unsigned d, FixedPoint fixed) {
  const std::size_t tile = static_cast<std::size_t>(blockIdx.x) * warpsPerBlock + threadIdx.x / 32;
  if (tile >= count) return;
  const std::size_t begin = tile * size;
  const std::size_t end = begin + size < n ? begin + size : n;
  for (unsigned j = 0; j < d; ++j) {
    float low = ordered[j * count * size + begin];
    float high = low;
    long long sum = 0;
    for (std::size_t p = begin + threadIdx.x % 32; p < end; p += 32) {
      const float x = ordered[j * count * size + p];
      low = fminf(low, x);
      high = fmaxf(high, x);
      sum += toFixed(fixed.middle[j], fixed.scale[j], x);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      low = fminf(low, __shfl_xor_sync(0xffffffffu, low, distance));
      high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, distance));
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    }
    if (threadIdx.x % 32 != 0) continue;
    lows[j * count + tile] = low;
    highs[j * count + tile] = high;
    sums[j * count + tile] = sum;
  }
}

/// Read by points, because places are near one another in the order and far apart in the points' own: the
/// few labels of tiles stay in the cache, and those of points are asked for in mixed tiles alone.
LLOYD_KERNEL writeLabelsKernel(LLOYD_GLOBAL(const std::uint32_t) place,
                               LLOYD_GLOBAL(const std::uint16_t) tiles,
                               LLOYD_GLOBAL(const std::uint8_t) points, LLOYD_GLOBAL(std::uint8_t) to,
                               std::size_t n, unsigned size) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint32_t p = place[i];
  const std::uint16_t label = tiles[p / size];
  to[i] = label == mixedTile ? points[p] : static_cast<std::uint8_t>(label);
}

LLOYD_KERNEL scatterLabelsKernel(LLOYD_GLOBAL(const std::uint32_t) place,
                                 LLOYD_GLOBAL(const std::uint8_t) from, LLOYD_GLOBAL(std::uint8_t) points,
                                 std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) points[place[i]] = from[i];
}

/// One warp a tile.
LLOYD_KERNEL labelTilesKernel(LLOYD_GLOBAL(const std::uint8_t) points, LLOYD_GLOBAL(std::uint16_t) tiles,
                              std::size_t n, std::size_t count, unsigned size) {
  const std::size_t tile = static_cast<std::size_t>(blockIdx.x) * warpsPerBlock + threadIdx.x / 32;
  if (tile >= count) return;
  const std::size_t begin = tile * size;
  const std::size_t end = begin + size < n ? begin + size : n;
  const std::uint8_t first = points[begin];
  bool isOne = true;
  for (std::size_t p = begin + threadIdx.x % 32; p < end; p += 32)
    isOne = isOne && points[p] == first;
  isOne = __all_sync(0xffffffffu, isOne) != 0;
  if (threadIdx.x % 32 == 0) tiles[tile] = isOne ? std::uint16_t{first} : mixedTile;
}

/// A warp takes one tile after another. As in inertia(), squares are taken and added in double.
LLOYD_KERNEL inertiaKernel(LLOYD_GLOBAL(const float) ordered, LLOYD_GLOBAL(const std::uint16_t) tiles,
                           LLOYD_GLOBAL(const std::uint8_t) points, LLOYD_GLOBAL(const float) centroids,
                           LLOYD_GLOBAL(double) inertia, std::size_t n, std::size_t count, unsigned size,
                           unsigned d) {
  LLOYD_SHARED(double, warpSum, warpsPerBlock);
  const std::size_t warps = static_cast<std::size_t>(gridDim.x) * warpsPerBlock;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * warpsPerBlock + threadIdx.x / 32;
  double sum = 0;
  for (std::size_t tile = first; tile < count; tile += warps) {
    const std::size_t begin = tile * size;
    const std::size_t end = begin + size < n ? begin + size : n;
    const std::uint16_t label = tiles[tile];
    for (std::size_t p = begin + threadIdx.x % 32; p < end; p += 32) {
      const unsigned c = label == mixedTile ? points[p] : label;
      for (unsigned j = 0; j < d; ++j) {
        const float x = ordered[j * count * size + p];
        const float center = centroids[c * d + j];
        const double difference = static_cast<double>(x) - static_cast<double>(center);
        sum = fma(difference, difference, sum);
      }
    }
  }
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) warpSum[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < warpsPerBlock; ++w)
    sum += warpSum[w];
  atomicAdd(&inertia[0], sum);
}

/// What cub works in.
std::size_t sortingBytes(std::size_t n) {
  std::size_t sort = 0;
  cub::DoubleBuffer<std::uint64_t> keys;
  cub::DoubleBuffer<std::uint32_t> indices;
  LLOYD_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, sort, keys, indices, n));
  std::size_t prefix = 0; // of tiles, which are fewer than points
  std::int64_t* const sums = nullptr;
  LLOYD_CUDA(cub::DeviceScan::InclusiveSum(nullptr, prefix, sums, sums, n));
  return std::max(sort, prefix);
}

/// Memory that ordering needs for as long as its kernels run.
struct OrderScratch {
  OrderScratch(std::size_t n, const LaunchContext& context) : sortingBytes(cuda::sortingBytes(n)) {
    const std::size_t places = (n + 31) / 32 * 32; // keeps every part on a 256-byte line
    keys = reinterpret_cast<std::uint64_t*>(
        context.lend(2 * places * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + sortingBytes));
    indices = reinterpret_cast<std::uint32_t*>(keys + 2 * places);
    sorting = indices + 2 * places;
  }
  std::uint64_t* keys = nullptr;    ///< [2][n]
  std::uint32_t* indices = nullptr; ///< [2][n]
  void* sorting = nullptr;
  std::size_t sortingBytes = 0;
};

} // namespace

void orderTiles(const OrderTilesArgs& args, LaunchContext& context) {
  const OrderScratch scratch(args.n, context);
  const auto stream = static_cast<cudaStream_t>(context.stream());
  const std::size_t places = args.count * args.size;
  const std::size_t extent = pointExtent({args.n, args.d, 1}, args.stride);
  const HilbertCurve curve = hilbertCurveOf(args.box, args.d);
  const auto makeKeys = [&](auto kernel) {
    launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, kernel,
                 global(args.points, extent), args.stride, global(scratch.keys, args.n),
                 global(scratch.indices, args.n), args.n, curve);
  };
  if (args.d == 1) makeKeys(placeKernel<1>);
  if (args.d == 2) makeKeys(placeKernel<2>);
  if (args.d == 3) makeKeys(placeKernel<3>);

  // The sort is stable, so that points in one place stay in their own order.
  cub::DoubleBuffer<std::uint64_t> keys(scratch.keys, scratch.keys + args.n);
  cub::DoubleBuffer<std::uint32_t> indices(scratch.indices, scratch.indices + args.n);
  std::size_t bytes = scratch.sortingBytes;
  const auto d = static_cast<unsigned>(args.d);
  const auto bits = static_cast<int>(d * HilbertCurve::bitsPerAxis(d));
  LLOYD_CUDA(cub::DeviceRadixSort::SortPairs(scratch.sorting, bytes, keys, indices, args.n, 0, bits, stream));

  // Points are gathered at random, and buffers that OpenGL lends lie on small pages: of many points the card
  // would look nearly every page up. The keys are done with, and leave room for a copy on large ones.
  static_assert(2 * sizeof(std::uint64_t) >= Box::most * sizeof(float));
  auto* const rows = reinterpret_cast<float*>(scratch.keys);
  for (unsigned j = 0; j < d; ++j)
    LLOYD_CUDA(cudaMemcpyAsync(rows + j * args.n, args.points + j * args.stride, args.n * sizeof(float),
                               cudaMemcpyDeviceToDevice, stream));
  launchKernel(context, {blocksFor(places, blockThreads), blockThreads}, gatherKernel,
               global(static_cast<const float*>(rows), args.n * d), args.n, global(indices.Current(), args.n),
               global(args.ordered, places * d), global(args.place, args.n), args.n, places, args.d);
  static_assert(sizeof(long long) == sizeof(std::int64_t));
  launchKernel(context, {blocksFor(args.count, warpsPerBlock), blockThreads}, summariseKernel,
               global(args.ordered, places * d), global(args.low, args.count * d),
               global(args.high, args.count * d),
               global(reinterpret_cast<long long*>(args.sums), args.count * d), args.n, args.count, args.size,
               args.d, args.fixed);
  if (args.d != 1) return;
  LLOYD_CUDA(cudaMemsetAsync(args.prefix, 0, sizeof(std::int64_t), stream));
  bytes = scratch.sortingBytes;
  LLOYD_CUDA(
      cub::DeviceScan::InclusiveSum(scratch.sorting, bytes, args.sums, args.prefix + 1, args.count, stream));
}

void writeTileLabels(const WriteTileLabelsArgs& args, LaunchContext& context) {
  const std::size_t count = blocksFor(args.n, args.size);
  launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, writeLabelsKernel,
               global(args.place, args.n), global(args.from.tiles, count),
               global(args.from.points, count * args.size), global(args.to, args.n), args.n, args.size);
}

void readTileLabels(const ReadTileLabelsArgs& args, LaunchContext& context) {
  const std::size_t places = args.count * args.size;
  launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, scatterLabelsKernel,
               global(args.place, args.n), global(args.from, args.n), global(args.to.points, places), args.n);
  launchKernel(context, {blocksFor(args.count, warpsPerBlock), blockThreads}, labelTilesKernel,
               global(static_cast<const std::uint8_t*>(args.to.points), places),
               global(args.to.tiles, args.count), args.n, args.count, args.size);
}

void tileInertia(const TileInertiaArgs& args, LaunchContext& context) {
  // So many blocks fill any card, and each brings one value to global memory.
  constexpr std::size_t mostBlocks = 2048;
  const Problem& problem = args.problem;
  const TileView& view = args.view;
  const std::size_t places = view.count * view.size;
  launchKernel(context, {std::min(blocksFor(view.count, warpsPerBlock), mostBlocks), blockThreads},
               inertiaKernel, global(view.points, places * static_cast<std::size_t>(problem.d)),
               global(args.labels.tiles, view.count), global(args.labels.points, places),
               global(args.centroids, problem.centroidValues()), global(args.inertia, 1), problem.n,
               view.count, view.size, problem.d);
}

} // namespace lloyd::cuda
