// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/kernel.hpp"
#include "gpu/core/random.hpp"
#include "gpu/cuda/operations.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd::cuda {
namespace {

constexpr int blockThreads = 256;
constexpr unsigned warpsPerBlock = blockThreads / 32;
// Sums and minima: so many blocks fill any card, and each brings one value to global memory.
constexpr std::size_t mostBlocks = 2048;

/// Squares are taken and added in double, because the result decides between clusterings that differ by
/// little.
LLOYD_KERNEL inertiaKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                           LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) labels,
                           LLOYD_GLOBAL(double) inertia, std::size_t n, unsigned d) {
  LLOYD_SHARED(double, warpSum, warpsPerBlock);
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double sum = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
    const Label label = labels[i];
    const std::size_t c = static_cast<std::size_t>(label) * d;
    for (unsigned j = 0; j < d; ++j) {
      const float x = points[j * stride + i];
      const float center = centroids[c + j];
      const double difference = static_cast<double>(x) - static_cast<double>(center);
      sum = fma(difference, difference, sum);
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

/// first: there is no newest centre yet, so every point is infinitely far from one.
LLOYD_KERNEL seedKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                        LLOYD_GLOBAL(const float) newest, LLOYD_GLOBAL(float) nearest,
                        LLOYD_GLOBAL(unsigned long long) winner, std::size_t n, unsigned d,
                        std::uint64_t seed, std::uint32_t step, bool first) {
  LLOYD_SHARED(unsigned long long, warpBest, warpsPerBlock);
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  unsigned long long best = ~0ull;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
    float closest = INFINITY;
    if (first) {
      nearest[i] = closest;
    } else {
      closest = nearest[i];
      float distance = 0;
      for (unsigned j = 0; j < d; ++j) {
        const float center = newest[j];
        distance = addSquare(distance, points[j * stride + i], center);
      }
      if (distance < closest) {
        closest = distance;
        nearest[i] = distance;
      }
    }
    const unsigned long long key = seedKey(seed, step, static_cast<std::uint32_t>(i), closest);
    if (key < best) best = key;
  }
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const unsigned long long other = __shfl_down_sync(0xffffffffu, best, distance);
    if (other < best) best = other;
  }
  if (threadIdx.x % 32 == 0) warpBest[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < warpsPerBlock; ++w) {
    const unsigned long long other = warpBest[w];
    if (other < best) best = other;
  }
  atomicMin(&winner[0], best);
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

std::size_t blocksToFill(std::size_t count) { return std::min(blocksFor(count, blockThreads), mostBlocks); }

} // namespace

void inertia(const InertiaArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  launchKernel(context, {blocksToFill(problem.n), blockThreads}, inertiaKernel,
               global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
               global(args.centroids, problem.centroidValues()), global(args.labels, problem.n),
               global(args.inertia, 1), problem.n, problem.d);
}

void seedStep(const SeedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  auto* const winner = reinterpret_cast<unsigned long long*>(args.winner);
  launchKernel(context, {blocksToFill(problem.n), blockThreads}, seedKernel,
               global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
               global(args.newest, static_cast<std::size_t>(problem.d)), global(args.nearest, problem.n),
               global(winner, 1), problem.n, problem.d, args.seed, args.step, args.newest == nullptr);
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

} // namespace lloyd::cuda
