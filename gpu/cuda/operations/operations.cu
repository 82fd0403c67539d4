// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/core/tiles/hilbert.hpp"
#include "gpu/cuda/operations/operations.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"
#include "gpu/cuda/words/cuda_words.hpp"

#include <algorithm>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace lloyd::cuda {
namespace {

constexpr int blockThreads = 256;
constexpr unsigned warpsPerBlock = blockThreads / 32;
constexpr unsigned allLanes = 0xffffffffu;
// Sums and minima: so many blocks fill any card, and each brings one value to global memory.
constexpr std::size_t mostBlocks = 2048;

/// The sum of a block's threads, in the same order every time; thread 0 gets it.
__device__ double sumOfBlock(double sum) {
  LLOYD_SHARED(double, warpSum, warpsPerBlock);
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(allLanes, sum, distance);
  if (threadIdx.x % 32 == 0) warpSum[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned w = 1; w < warpsPerBlock; ++w)
      sum += warpSum[w];
  return sum;
}

/// One block adds the sums of the others to total: atomics of doubles would give other bits every time.
LLOYD_KERNEL addPartsKernel(LLOYD_GLOBAL(const double) parts, LLOYD_GLOBAL(double) total, unsigned count) {
  double sum = 0;
  for (unsigned part = threadIdx.x; part < count; part += blockThreads)
    sum += parts[part];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0) total[0] += sum;
}

/// Squares are taken and added in double, because the result decides between clusterings that differ by
/// little.
template <class Stored>
LLOYD_KERNEL inertiaKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                           LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Stored) labels,
                           LLOYD_GLOBAL(double) parts, std::size_t n, unsigned d) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double sum = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
    const Stored label = labels[i];
    const std::size_t c = static_cast<std::size_t>(label) * d;
    for (unsigned j = 0; j < d; ++j) {
      const float x = points[j * stride + i];
      const float center = centroids[c + j];
      const double difference = static_cast<double>(x) - static_cast<double>(center);
      sum = fma(difference, difference, sum);
    }
  }
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

LLOYD_KERNEL advanceKernel(LLOYD_GLOBAL(const float) base, LLOYD_GLOBAL(float) out,
                           LLOYD_GLOBAL(const std::uint8_t) component, LLOYD_GLOBAL(const float) shifts,
                           std::size_t stride, std::size_t n, unsigned d) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint8_t own = component[i];
  for (unsigned j = 0; j < d; ++j)
    out[j * stride + i] = base[j * stride + i] + shifts[own * d + j];
}

/// One thread a value of the records, so that what is written is contiguous; what is read comes from few
/// lines at once.
LLOYD_KERNEL interleaveKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                              LLOYD_GLOBAL(float) records, std::size_t values, unsigned d) {
  const std::size_t v = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v >= values) return;
  records[v] = points[v % d * stride + v / d];
}

template <class From, class To>
LLOYD_KERNEL convertLabelsKernel(LLOYD_GLOBAL(const From) from, LLOYD_GLOBAL(To) to, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<To>(from[i]);
}

LLOYD_KERNEL storeWordKernel(LLOYD_GLOBAL(std::uint32_t) to, LLOYD_GLOBAL(const std::uint32_t) from) {
  to[0] = from[0];
}

/// Long against the step of the card's timer, which is a microsecond on some; short against a sample.
constexpr unsigned long long waitNs = 100'000;

__device__ unsigned long long timerNs() {
  unsigned long long ns = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}

/// One thread, so that both counts are those of one multiprocessor. The timer is waited for to step before
/// the first reading, since a reading in the middle of a step would be off by part of it.
LLOYD_KERNEL countCyclesKernel(LLOYD_GLOBAL(unsigned long long) cyclesAndNs) {
  const unsigned long long before = timerNs();
  unsigned long long from = before;
  while (from == before)
    from = timerNs();
  const long long firstCycle = clock64();
  unsigned long long now = from;
  while (now - from < waitNs)
    now = timerNs();
  cyclesAndNs[0] = static_cast<unsigned long long>(clock64() - firstCycle);
  cyclesAndNs[1] = now - from;
}

/// Every file is built for the same cards, so what one kernel finds holds for all.
__global__ void probe() {}

std::size_t blocksToFill(std::size_t count) { return std::min(blocksFor(count, blockThreads), mostBlocks); }

// Seeding: one step of k-means++ as a race of all points (SeedRace in gpu/core/math/random.hpp), the new
// distances and the draw in one pass.

/// Later than every point arrives.
constexpr unsigned long long never = 0x7f800000ffffffffull;

/// The better of best and a point's entry, which is not even made where the point surely loses.
__device__ unsigned long long enter(unsigned long long best, const SeedRace& race, std::uint32_t index,
                                    float closest) {
  if (race.loses(index, closest, __uint_as_float(static_cast<unsigned>(best >> 32)))) return best;
  const unsigned long long key = race.entry(index, closest);
  return key < best ? key : best;
}

/// Lowers the block's best by what a warp has found, one lane for all: at the beginning everybody has found
/// something.
__device__ void lower(unsigned long long* blockBest, unsigned long long best, unsigned long long own) {
  if (__any_sync(allLanes, own < best ? 1 : 0) == 0) return;
  for (int distance = 16; distance > 0; distance /= 2) {
    const unsigned long long other = __shfl_xor_sync(allLanes, own, distance);
    own = other < own ? other : own;
  }
  if (threadIdx.x % 32 == 0) atomicMin(blockBest, own);
}

/// The centres there are: none, so that every point is infinitely far from one; one, whose distances are the
/// nearest; or more, the newest of which some points are nearer to.
enum class Centres { none, one, more };

/// A thread takes four points by loads of 16 bytes. The block shares its best key: after its first points
/// hardly another one needs a logarithm.
template <Centres There>
LLOYD_KERNEL seedKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                        LLOYD_GLOBAL(const unsigned long long) newest, LLOYD_GLOBAL(float) nearest,
                        LLOYD_GLOBAL(unsigned long long) winner, std::size_t n, unsigned d, SeedRace race) {
  LLOYD_SHARED(unsigned long long, blockBest, 1);
  if (threadIdx.x == 0) blockBest[0] = never;
  __syncthreads();
  const std::size_t chosen = There == Centres::none ? 0 : newest[0] & 0xffffffffu;
  auto* const nearestFour = reinterpret_cast<float4*>(nearest);
  const auto* const pointsFour = reinterpret_cast<const float4*>(points);
  const unsigned inGrid = gridDim.x * blockDim.x;
  const auto fours = static_cast<unsigned>(n / 4);
  // The same turns for all threads of a block, whether or not each has points left.
  for (unsigned turn = blockIdx.x * blockDim.x; turn < fours; turn += inGrid) {
    const unsigned v = turn + threadIdx.x;
    const bool here = v < fours;
    float4 closest = make_float4(INFINITY, INFINITY, INFINITY, INFINITY);
    if (There == Centres::more && here) closest = nearestFour[v];
    if (There != Centres::none && here) {
      float4 distance = make_float4(0, 0, 0, 0);
      for (unsigned j = 0; j < d; ++j) {
        const float center = points[j * stride + chosen];
        const float4 x = pointsFour[j * (stride / 4) + v];
        distance.x = addSquare(distance.x, x.x, center);
        distance.y = addSquare(distance.y, x.y, center);
        distance.z = addSquare(distance.z, x.z, center);
        distance.w = addSquare(distance.w, x.w, center);
      }
      const bool nearer = There == Centres::one || distance.x < closest.x || distance.y < closest.y ||
                          distance.z < closest.z || distance.w < closest.w;
      closest.x = fminf(closest.x, distance.x);
      closest.y = fminf(closest.y, distance.y);
      closest.z = fminf(closest.z, distance.z);
      closest.w = fminf(closest.w, distance.w);
      if (nearer) nearestFour[v] = closest;
    }
    // Any warp may lower it at any time; one that is read late is a weaker bound, never a wrong one.
    const unsigned long long best = readAnew(blockBest);
    unsigned long long own = best;
    if (here) {
      own = enter(own, race, 4 * v, closest.x);
      own = enter(own, race, 4 * v + 1, closest.y);
      own = enter(own, race, 4 * v + 2, closest.z);
      own = enter(own, race, 4 * v + 3, closest.w);
    }
    lower(blockBest, best, own);
  }
  const std::size_t i = static_cast<std::size_t>(fours) * 4 + threadIdx.x;
  if (blockIdx.x == 0 && i < n) {
    float closest = INFINITY;
    if constexpr (There != Centres::none) {
      float distance = 0;
      for (unsigned j = 0; j < d; ++j) {
        const float center = points[j * stride + chosen];
        distance = addSquare(distance, points[j * stride + i], center);
      }
      closest = There == Centres::one ? distance : fminf(nearest[i], distance);
      nearest[i] = closest;
    }
    const unsigned long long best = readAnew(blockBest);
    const unsigned long long own = enter(best, race, static_cast<std::uint32_t>(i), closest);
    if (own < best) atomicMin(blockBest, own);
  }
  __syncthreads();
  if (threadIdx.x == 0 && blockBest[0] != never) atomicMin(&winner[0], blockBest[0]);
}

// Points in tiles.

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
      low = fminf(low, __shfl_xor_sync(allLanes, low, distance));
      high = fmaxf(high, __shfl_xor_sync(allLanes, high, distance));
      sum += __shfl_xor_sync(allLanes, sum, distance);
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
  isOne = __all_sync(allLanes, isOne) != 0;
  if (threadIdx.x % 32 == 0) tiles[tile] = isOne ? std::uint16_t{first} : mixedTile;
}

/// A warp takes one tile after another. As in inertia(), squares are taken and added in double.
LLOYD_KERNEL tileInertiaKernel(LLOYD_GLOBAL(const float) ordered, LLOYD_GLOBAL(const std::uint16_t) tiles,
                               LLOYD_GLOBAL(const std::uint8_t) points, LLOYD_GLOBAL(const float) centroids,
                               LLOYD_GLOBAL(double) parts, std::size_t n, std::size_t count, unsigned size,
                               unsigned d) {
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
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
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
        context.lender->lend(2 * places * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + sortingBytes));
    indices = reinterpret_cast<std::uint32_t*>(keys + 2 * places);
    sorting = indices + 2 * places;
  }
  std::uint64_t* keys = nullptr;    ///< [2][n]
  std::uint32_t* indices = nullptr; ///< [2][n]
  void* sorting = nullptr;
  std::size_t sortingBytes = 0;
};

/// Launches a kernel whose blocks each write a sum, by launch(parts), and adds those to total.
void addParts(std::size_t blocks, double* total, LaunchContext& context, const auto& launch) {
  auto* const parts = reinterpret_cast<double*>(context.lender->lend(mostBlocks * sizeof(double)));
  launch(global(parts, blocks));
  launchKernel(context, {1, blockThreads}, addPartsKernel, global(static_cast<const double*>(parts), blocks),
               global(total, 1), static_cast<unsigned>(blocks));
}

void inertia(const InertiaArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const std::size_t blocks = blocksToFill(problem.n);
  withLabels(args.labels, [&]<class Stored>(const Stored* labels) {
    addParts(blocks, args.inertia, context, [&](const auto& parts) {
      launchKernel(context, {blocks, blockThreads}, inertiaKernel<Stored>,
                   global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
                   global(args.centroids, problem.centroidValues()), global(labels, problem.n), parts,
                   problem.n, problem.d);
    });
  });
}

void advance(const AdvanceArgs& args, LaunchContext& context) {
  const std::size_t extent = pointExtent({args.n, args.d, 1}, args.stride);
  const auto d = static_cast<std::size_t>(args.d);
  constexpr std::size_t mostComponents = 256;
  launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, advanceKernel,
               global(args.base, extent), global(args.out, extent), global(args.component, args.n),
               global(args.shifts, mostComponents * d), args.stride, args.n, args.d);
}

void interleave(const InterleaveArgs& args, LaunchContext& context) {
  const std::size_t values = args.n * static_cast<std::size_t>(args.d);
  launchKernel(context, {blocksFor(values, blockThreads), blockThreads}, interleaveKernel,
               global(args.points.data, pointExtent({args.n, args.d, 1}, args.points.stride)),
               args.points.stride, global(args.records, values), values, args.d);
}

void convertLabels(const ConvertLabelsArgs& args, LaunchContext& context) {
  withLabels(args.from, [&]<class From>(const From* from) {
    withLabels(args.to, [&]<class To>(To* to) {
      launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, convertLabelsKernel<From, To>,
                   global(from, args.n), global(to, args.n), args.n);
    });
  });
}

void seedStep(const SeedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  auto* const winner = reinterpret_cast<unsigned long long*>(args.winner);
  const auto* const newest = reinterpret_cast<const unsigned long long*>(args.newest);
  const auto launchAs = [&](auto kernel) {
    const std::size_t blocks = std::min(blocksFor(problem.n, 4 * std::size_t{blockThreads}),
                                        blocksAtOnce(context, kernel, blockThreads, 0));
    launchKernel(context, {blocks, blockThreads}, kernel,
                 global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
                 global(newest, 1), global(args.nearest, problem.n), global(winner, 1), problem.n, problem.d,
                 SeedRace(args.seed, args.step));
  };
  if (!args.newest)
    launchAs(seedKernel<Centres::none>);
  else if (args.step == 1)
    launchAs(seedKernel<Centres::one>);
  else
    launchAs(seedKernel<Centres::more>);
}

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
  const Problem& problem = args.problem;
  const TileView& view = args.view;
  const std::size_t places = view.count * view.size;
  const std::size_t blocks = std::min(blocksFor(view.count, warpsPerBlock), mostBlocks);
  addParts(blocks, args.inertia, context, [&](const auto& parts) {
    launchKernel(context, {blocks, blockThreads}, tileInertiaKernel,
                 global(view.points, places * static_cast<std::size_t>(problem.d)),
                 global(args.labels.tiles, view.count), global(args.labels.points, places),
                 global(args.centroids, problem.centroidValues()), parts, problem.n, view.count, view.size,
                 problem.d);
  });
}

} // namespace

const Operations& operations() noexcept {
  static constexpr Operations table{.inertia = inertia,
                                    .seedStep = seedStep,
                                    .advance = advance,
                                    .interleave = interleave,
                                    .convertLabels = convertLabels,
                                    .orderTiles = orderTiles,
                                    .writeTileLabels = writeTileLabels,
                                    .readTileLabels = readTileLabels,
                                    .tileInertia = tileInertia};
  return table;
}

void countCycles(unsigned long long* cyclesAndNs, LaunchContext& context) {
  launchKernel(context, {1, 1}, countCyclesKernel, global(cyclesAndNs, 2));
}

void storeWord(std::uint32_t* to, const std::uint32_t* from, LaunchContext& context) {
  launchKernel(context, {1, 1}, storeWordKernel, global(to, 1), global(from, 1));
}

void requireKernelImage() {
  cudaFuncAttributes attributes{};
  const cudaError_t code = cleared(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&probe)));
  switch (code) {
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorUnsupportedPtxVersion:
    throw DeviceError(static_cast<int>(code), Severity::absent, "cudaFuncGetAttributes",
                      "this program was built without code for this GPU; configure it with "
                      "-DCMAKE_CUDA_ARCHITECTURES=native and build again");
  default:
    checkCuda(code, "cudaFuncGetAttributes");
  }
}

} // namespace lloyd::cuda
