// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sums of many clusters: a table of integers in shared memory, to which the threads of a block add by
// atomics. With many clusters, two lanes of a warp seldom want the same one. Integers, because a card adds
// them in shared memory in one instruction, where floats take a loop, and because their sum does not depend
// on the order.
//
// A coordinate, seen from the middle of the points' box, becomes an integer of 30 bits; its high and its low
// half are added apart, so that 2^16 points can follow one another before a sum could overflow.
//
// What a coordinate is rounded to is therefore a matter of the box: up to 2^-24 of half its extent. Where a
// few points lie far from all others, the box is theirs, and the others' sums are coarser than those of
// private_sums.hpp.
#include "gpu/kernels/kernel.hpp"

#include <cmath>

namespace lloyd::fused {

/// Points that a block may add before it empties its table; a few more do no harm.
inline constexpr unsigned pointsBeforeOverflow = 64000;
inline constexpr int lowBits = 14;

/// Entries of a table for one cluster: a count, then a high and a low part of each coordinate.
[[nodiscard]] LLOYD_EVERYWHERE constexpr unsigned tableWidth(unsigned d) { return 1 + 2 * d; }

/// Where coordinates are measured from, and the power of two that makes integers of them.
struct Fixed {
  float middle[3];
  float scale;
};
/// Of points in a box: |x - middle| x scale is at most 2^29.
[[nodiscard]] inline Fixed fixedOf(const Box& box, int d) {
  Fixed fixed{};
  double half = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
    const double low = box.low[j];
    const double high = box.high[j];
    fixed.middle[j] = static_cast<float>(low / 2 + high / 2);
    half = std::max(
        {half, high - static_cast<double>(fixed.middle[j]), static_cast<double>(fixed.middle[j]) - low});
  }
  // Scales beyond 2^100 would serve points closer together than any use of floats needs.
  int exponent = -70;
  if (half > 0) exponent = std::max(exponent, std::ilogb(half) + 1);
  fixed.scale = static_cast<float>(std::ldexp(1.0, 29 - exponent));
  return fixed;
}

/// Adds a point to its cluster's entries; table is [cluster][tableWidth].
template <unsigned D, class Table>
LLOYD_DEVICE void addToTable(const Table& table, unsigned first, const float (&x)[D], const Fixed& fixed) {
  atomicAdd(&table[first], 1);
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const int value = static_cast<int>((x[j] - fixed.middle[j]) * fixed.scale);
    atomicAdd(&table[first + 1 + 2 * j], value >> lowBits);
    atomicAdd(&table[first + 2 + 2 * j], value & ((1 << lowBits) - 1));
  }
}

/// Empties the block's copies of the table into its own totals, [k][d] and [k]; between two barriers.
template <unsigned D, class Table, class Sums, class Counts>
LLOYD_DEVICE void emptyTable(const Table& table, unsigned copies, unsigned k, const Sums& sums,
                             const Counts& counts) {
  constexpr unsigned width = tableWidth(D);
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    long long sum[D] = {};
    unsigned count = 0;
    for (unsigned r = 0; r < copies; ++r) {
      const unsigned first = (r * k + c) * width;
      count += static_cast<unsigned>(static_cast<int>(table[first]));
      table[first] = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j) {
        const int high = table[first + 1 + 2 * j];
        const int low = table[first + 2 + 2 * j];
        sum[j] += (static_cast<long long>(high) << lowBits) + static_cast<unsigned>(low);
        table[first + 1 + 2 * j] = 0;
        table[first + 2 + 2 * j] = 0;
      }
    }
    counts[c] += count;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      sums[c * D + j] += sum[j];
  }
}

} // namespace lloyd::fused
