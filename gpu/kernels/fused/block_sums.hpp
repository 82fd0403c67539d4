// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A block's sums, in one of the two ways that a fused variant has, from its first point to the hand-over of
// what all blocks found. Which way is a matter of the number of clusters: private_sums.hpp, shared_sums.hpp.
#include "gpu/kernels/fused/private_sums.hpp"
#include "gpu/kernels/fused/shared_sums.hpp"
#include "gpu/kernels/fused/totals.hpp"

#include <algorithm>

namespace lloyd::fused {

/// What a launch needs to know of the box: both ends, and the middle as integers are measured from it.
struct Bounds {
  float low[3];
  float high[3];
  Fixed fixed;
};
[[nodiscard]] inline Bounds boundsOf(const Box& box, int d) {
  Bounds bounds{};
  for (std::size_t j = 0; j < 3; ++j) {
    bounds.low[j] = box.low[j];
    bounds.high[j] = box.high[j];
  }
  bounds.fixed = fixedOf(box, d);
  return bounds;
}

/// How a block's shared memory is divided for sums.
struct SumShape {
  bool isPrivate = true;
  unsigned copies = 0;   ///< of the table that is not private
  std::size_t bytes = 0; ///< of both

  /// For blocks of threads that have room bytes. No copies where slots do not fit and not even one table
  /// does.
  [[nodiscard]] static SumShape of(const Problem& problem, int threads, std::size_t room) {
    room = room / 16 * 16; // as bytes are rounded
    const auto k = static_cast<std::size_t>(problem.k);
    const auto d = static_cast<unsigned>(problem.d);
    const std::size_t slots =
        k * static_cast<std::size_t>(threads) * (d == 1 ? sizeof(float2) : sizeof(float4));
    if (slots <= room && k <= mostPrivate) return {true, 0, slots};
    const std::size_t totals = k * (d * sizeof(long long) + sizeof(unsigned long long));
    const std::size_t table = k * tableWidth(d) * sizeof(int);
    SumShape shape{false, 0, 0};
    // More copies mean fewer meetings at one address, fewer bytes mean more blocks; 16 KiB is enough for
    // both.
    while (shape.copies < 8 && totals + (shape.copies + 1) * table <= room &&
           (shape.copies == 0 || (shape.copies + 1) * table <= 16384))
      ++shape.copies;
    shape.bytes = (totals + shape.copies * table + 15) / 16 * 16;
    return shape;
  }
  static constexpr std::size_t mostPrivate = 56; ///< clusters: beyond, threads have too little room each
};

/// The largest extent of box and centroids over all dimensions: no deviation is larger. By one warp; every
/// lane returns it.
template <unsigned D, class Centroids>
LLOYD_DEVICE float extentOf(const Bounds& bounds, const Centroids& centroids, unsigned k) {
  float extent = 0;
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    float low = bounds.low[j];
    float high = bounds.high[j];
    for (unsigned c = threadIdx.x % 32; c < k; c += 32) {
      const float center = centroids[c * D + j];
      low = fminf(low, center);
      high = fmaxf(high, center);
    }
    LLOYD_UNROLL
    for (int distance = 16; distance > 0; distance /= 2) {
      low = fminf(low, __shfl_xor_sync(0xffffffffu, low, distance));
      high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, distance));
    }
    extent = fmaxf(extent, high - low);
  }
  return extent;
}

/// Adds up a warp's changes and gives them to entry at of an array.
template <class Changed>
LLOYD_DEVICE void addChanges(const Changed& changed, unsigned at, unsigned count) {
  LLOYD_UNROLL
  for (int distance = 16; distance > 0; distance /= 2)
    count += __shfl_xor_sync(0xffffffffu, count, distance);
  if (threadIdx.x % 32 == 0 && count > 0) atomicAdd(&changed[at], count);
}

/// Hands a block's private sums over, and in the last block those of all.
template <unsigned D, class Slots, class Centroids, class Last, class Ticket, class Totals, class Sums,
          class Counts>
LLOYD_DEVICE void handOverSlots(const Slots& slots, const Centroids& centroids, const Bounds& bounds,
                                Last last, const Ticket& ticket, const Totals& totals, const Sums& sums,
                                const Counts& counts, std::size_t n, unsigned k) {
  __syncthreads();
  const double scale = sumScale(extentOf<D>(bounds, centroids, k), n);
  for (unsigned c = threadIdx.x / 32; c < k; c += blockDim.x / 32) {
    double sum[D];
    const unsigned count = foldSlots<D>(slots, c, sum);
    if (threadIdx.x % 32 != 0 || count == 0) continue;
    atomicAdd(&counts[c], count);
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      addToTotal(totals, c * D + j, sum[j], scale);
  }
  if (!isLastBlock(ticket, last)) return;
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    sums[v] = takeTotal(totals, v, scale);
}

/// The same for sums in a table that has been emptied into blockSums [k][D] and blockCounts [k], whose
/// coordinates are measured from the middle of the box.
template <unsigned D, class BlockSums, class BlockCounts, class Centroids, class Last, class Ticket,
          class Totals, class Sums, class Counts>
LLOYD_DEVICE void handOverTable(const BlockSums& blockSums, const BlockCounts& blockCounts,
                                const Centroids& centroids, const Fixed& fixed, Last last,
                                const Ticket& ticket, const Totals& totals, const Sums& sums,
                                const Counts& counts, unsigned k) {
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    const unsigned long long count = blockCounts[c];
    if (count == 0) continue;
    atomicAdd(&counts[c], static_cast<unsigned>(count));
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      const long long sum = blockSums[c * D + j];
      if (sum != 0) atomicAdd(&totals[c * D + j], static_cast<unsigned long long>(sum));
    }
  }
  if (!isLastBlock(ticket, last)) return;
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    const unsigned count = atomicAdd(&counts[c], 0u); // past this multiprocessor's own cache
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      const float center = centroids[c * D + j];
      const double toMiddle = static_cast<double>(fixed.middle[j]) - static_cast<double>(center);
      sums[c * D + j] = takeTotal(totals, c * D + j, static_cast<double>(fixed.scale)) + count * toMiddle;
    }
  }
}

} // namespace lloyd::fused
