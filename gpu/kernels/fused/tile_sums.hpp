// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A block's sums of tiles and of points: integers (fixed_point.hpp), a row of D sums and a count for each
// cluster. They are exact, so that it makes no difference in which order, by whom, or in what parts anything
// is added: the result is the same bits for every launch shape, every size of tiles, every card.
#include "gpu/core/kernel.hpp"
#include "gpu/core/tiles.hpp"
#include "gpu/kernels/fused/totals.hpp"

namespace lloyd::fused {

using Sum = unsigned long long; ///< a signed sum's bits, which atomics take

/// What is added to one cluster: the same in all lanes once it has been reduced.
template <unsigned D>
struct Portion {
  long long sum[D];
  unsigned count;
};

/// Over a warp: every lane gets the whole.
template <unsigned D>
LLOYD_DEVICE void reduce(Portion<D>& portion) {
  LLOYD_UNROLL
  for (int distance = 16; distance > 0; distance /= 2) {
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      portion.sum[j] += __shfl_xor_sync(0xffffffffu, portion.sum[j], distance);
    portion.count += __shfl_xor_sync(0xffffffffu, portion.count, distance);
  }
}

/// By one warp, with a reduced portion: each lane adds one number, because a card adds 64 bits in shared
/// memory by trying until nobody has come between.
template <unsigned D, class Sums>
LLOYD_DEVICE void addPortion(const Sums& sums, unsigned cluster, const Portion<D>& portion) {
  const unsigned lane = threadIdx.x % 32;
  if (lane > D) return;
  Sum own = portion.count;
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j)
    if (lane == j) own = static_cast<Sum>(portion.sum[j]);
  if (own != 0) atomicAdd(&sums[cluster * (D + 1) + lane], own);
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

/// Adds a block's sums to the totals of all blocks; the last block turns those into what a reduction says:
/// sums of deviations from the centroids.
template <unsigned D, class BlockSums, class Centers, class Last, class Ticket, class Totals, class Sums,
          class Counts>
LLOYD_DEVICE void handOverPortions(const BlockSums& blockSums, const Centers& centers,
                                   const FixedPoint& fixed, Last last, const Ticket& ticket,
                                   const Totals& totals, const Sums& sums, const Counts& counts, unsigned k) {
  for (unsigned v = threadIdx.x; v < k * (D + 1); v += blockDim.x) {
    const Sum sum = blockSums[v];
    if (sum == 0) continue;
    const unsigned c = v / (D + 1);
    const unsigned j = v % (D + 1);
    if (j < D)
      atomicAdd(&totals[c * D + j], sum);
    else
      atomicAdd(&counts[c], static_cast<unsigned>(sum));
  }
  if (!isLastBlock(ticket, last)) return;
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x) {
    const unsigned count = readAnew(&counts[v / D]);
    const float center = centers[v];
    const Sum total = atomicExch(&totals[v], Sum{0}); // as the next launch wants to find it
    sums[v] = deviationSum(measureOf<D>(fixed, v % D), total, count, center);
  }
}

} // namespace lloyd::fused
