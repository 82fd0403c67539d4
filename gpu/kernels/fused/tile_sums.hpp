// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A block's sums of tiles and of points: integers (fixed_point.hpp). They are exact, so that it makes no
// difference in which order, by whom, or in what parts anything is added: the result is the same bits for
// every launch shape, every size of tiles, every card.
#include "gpu/core/tiles/tiles.hpp"
#include "gpu/kernels/fused/totals.hpp"
#include "gpu/kernels/kernel.hpp"

namespace lloyd::fused {

using Sum = unsigned long long; ///< a signed sum's bits, which atomics take

/// A block's sums, and those of all: D sums and a count for each cluster, and last the number of new labels.
[[nodiscard]] LLOYD_EVERYWHERE constexpr unsigned totalsWidth(unsigned d, unsigned k) {
  return k * (d + 1) + 1;
}

/// Shared memory for a block's sums and the centroids.
[[nodiscard]] inline std::size_t sumBytes(const Problem& problem) {
  return totalsWidth(static_cast<unsigned>(problem.d), static_cast<unsigned>(problem.k)) * sizeof(Sum) +
         problem.centroidValues() * sizeof(float);
}
/// For these and a list of candidates a warp.
[[nodiscard]] inline std::size_t listBytes(const Problem& problem, int block) {
  return sumBytes(problem) +
         static_cast<std::size_t>(block) / 32 * static_cast<std::size_t>(problem.k) * sizeof(unsigned);
}

/// No sums yet, and the centroids at hand.
template <unsigned D, class BlockSums, class Centers, class Centroids>
LLOYD_DEVICE void beginBlock(const BlockSums& blockSums, const Centers& centers, const Centroids& centroids,
                             unsigned k) {
  for (unsigned v = threadIdx.x; v < totalsWidth(D, k); v += blockDim.x)
    blockSums[v] = 0;
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    centers[v] = centroids[v];
  __syncthreads();
}

/// What one lane adds to a cluster.
template <unsigned D>
struct Portion {
  long long sum[D];
  unsigned count;
};

/// The D sums and the count of a warp's portions lie spread over its lanes: so many neighbours have the same
/// number, the first ones the first.
template <unsigned D>
inline constexpr unsigned spread = D == 1 ? 16 : 8;
/// Which of the numbers this lane has; beyond the count there may be one that means nothing.
template <unsigned D>
LLOYD_DEVICE unsigned spreadAt() {
  return threadIdx.x % 32 / spread<D>;
}

/// Adds the portions of all lanes up. Each step halves the numbers that a lane has while there are several:
/// it gives away what its partner keeps. Otherwise all lanes would add up all of them.
template <unsigned D>
LLOYD_DEVICE Sum addUp(const Portion<D>& portion) {
  constexpr unsigned numbers = 32 / spread<D>;
  const unsigned lane = threadIdx.x % 32;
  Sum number[numbers] = {};
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j)
    number[j] = static_cast<Sum>(portion.sum[j]);
  number[D] = portion.count;
  int distance = 16;
  LLOYD_UNROLL
  for (unsigned kept = numbers / 2; kept > 0; kept /= 2, distance /= 2) {
    const bool isUpper = (lane & static_cast<unsigned>(distance)) != 0;
    LLOYD_UNROLL
    for (unsigned i = 0; i < kept; ++i) {
      const Sum own = isUpper ? number[i + kept] : number[i];
      const Sum given = isUpper ? number[i] : number[i + kept];
      number[i] = own + __shfl_xor_sync(0xffffffffu, given, distance);
    }
  }
  LLOYD_UNROLL
  for (; distance > 0; distance /= 2)
    number[0] += __shfl_xor_sync(0xffffffffu, number[0], distance);
  return number[0];
}

/// Adds to one of the sums, whose halves lie in shared memory, the lower one first. A card adds 32 bits there
/// in one step, but 64 by trying until nobody has come between. Who makes the lower half overflow carries.
template <class Halves>
LLOYD_DEVICE void addTo(const Halves& halves, unsigned at, Sum number) {
  if (number == 0) return;
  const auto low = static_cast<unsigned>(number);
  const unsigned carry = atomicAdd(&halves[2 * at], low) + low < low ? 1 : 0;
  atomicAdd(&halves[2 * at + 1], static_cast<unsigned>(number >> 32) + carry);
}

/// By one warp: gives spread numbers to a cluster.
template <unsigned D, class Halves>
LLOYD_DEVICE void addSpread(const Halves& halves, unsigned cluster, Sum number) {
  const unsigned at = spreadAt<D>();
  if (threadIdx.x % spread<D> == 0 && at <= D) addTo(halves, cluster * (D + 1) + at, number);
}

/// Where a coordinate is measured from, and what one step of its integers is worth: a power of two, so that
/// multiplying by it rounds nothing.
struct Measure {
  double middle;
  double step;
};
template <unsigned D>
LLOYD_DEVICE Measure measureOf(const FixedPoint& fixed, unsigned j) {
  double middle = fixed.middle[0];
  double scale = fixed.scale[0];
  LLOYD_UNROLL
  for (unsigned other = 1; other < D; ++other) {
    middle = j == other ? fixed.middle[other] : middle;
    scale = j == other ? fixed.scale[other] : scale;
  }
  return {middle, 1 / scale};
}

/// What a reduction says of one coordinate of a cluster: its points' deviations from center, out of their
/// exact sum.
LLOYD_DEVICE double deviationSum(const Measure& measure, Sum total, unsigned count, float center) {
  const double sum = static_cast<double>(static_cast<long long>(total)) * measure.step;
  return sum + count * (measure.middle - static_cast<double>(center));
}

/// Adds a block's sums to the totals of all blocks.
template <unsigned D, class BlockSums, class Totals, class Counts, class Changed>
LLOYD_DEVICE void addToTotals(const BlockSums& blockSums, const Totals& totals, const Counts& counts,
                              const Changed& changed, unsigned k) {
  for (unsigned v = threadIdx.x; v < totalsWidth(D, k); v += blockDim.x) {
    const Sum sum = blockSums[v];
    if (sum == 0) continue;
    const unsigned c = v / (D + 1);
    const unsigned j = v % (D + 1);
    if (c == k)
      atomicAdd(&changed[0], static_cast<unsigned>(sum));
    else if (j < D)
      atomicAdd(&totals[c * D + j], sum);
    else
      atomicAdd(&counts[c], static_cast<unsigned>(sum));
  }
}

/// By the last block: turns totals into what a reduction says, sums of deviations from the centroids, and
/// leaves them zero for the next launch.
template <unsigned D, class Centers, class Totals, class Sums, class Counts>
LLOYD_DEVICE void handOverTotals(const Centers& centers, const FixedPoint& fixed, const Totals& totals,
                                 const Sums& sums, const Counts& counts, unsigned k) {
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x) {
    const unsigned count = readAnew(&counts[v / D]);
    const float center = centers[v];
    const Sum total = atomicExch(&totals[v], Sum{0});
    sums[v] = deviationSum(measureOf<D>(fixed, v % D), total, count, center);
  }
}

} // namespace lloyd::fused
