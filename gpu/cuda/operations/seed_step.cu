// SPDX-License-Identifier: GPL-3.0-or-later
// One step of k-means++ as a race of all points (SeedRace in gpu/core/math/random.hpp): the new distances and
// the draw in one pass.
#include "gpu/core/math/random.hpp"
#include "gpu/cuda/operations/operations.hpp"
#include "gpu/kernels/kernel.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd::cuda {
namespace {

constexpr int blockThreads = 256;
constexpr unsigned allLanes = 0xffffffffu;

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
                        LLOYD_GLOBAL(const float) newest, LLOYD_GLOBAL(float) nearest,
                        LLOYD_GLOBAL(unsigned long long) winner, std::size_t n, unsigned d, SeedRace race) {
  LLOYD_SHARED(unsigned long long, blockBest, 1);
  if (threadIdx.x == 0) blockBest[0] = never;
  __syncthreads();
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
        const float center = newest[j];
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
        const float center = newest[j];
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

} // namespace

void seedStep(const SeedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  auto* const winner = reinterpret_cast<unsigned long long*>(args.winner);
  const auto launchAs = [&](auto kernel) {
    const std::size_t blocks = std::min(blocksFor(problem.n, 4 * std::size_t{blockThreads}),
                                        blocksAtOnce(context, kernel, blockThreads, 0));
    launchKernel(context, {blocks, blockThreads}, kernel,
                 global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
                 global(args.newest, static_cast<std::size_t>(problem.d)), global(args.nearest, problem.n),
                 global(winner, 1), problem.n, problem.d, SeedRace(args.seed, args.step));
  };
  if (!args.newest)
    launchAs(seedKernel<Centres::none>);
  else if (args.step == 1)
    launchAs(seedKernel<Centres::one>);
  else
    launchAs(seedKernel<Centres::more>);
}

} // namespace lloyd::cuda
