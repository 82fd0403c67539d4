// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/math/everywhere.hpp"

#include <cmath>
#include <cstdint>

namespace lloyd {

/// 64 random bits that are a pure function of their arguments, so any thread of any device can draw the i-th
/// without the ones before. The finaliser is splitmix64's (Steele, Lea and Flood, 2014).
LLOYD_EVERYWHERE inline std::uint64_t randomBits(std::uint64_t seed, std::uint64_t stream,
                                                 std::uint64_t index) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15u ^ stream * 0xd1342543de82ef95u;
  x ^= x >> 32;
  x = (x + index) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// -ln(1 - u) for u uniform in (0, 1): an exponential variate. Written with explicit fused multiply-adds and
/// no library logarithm, because the bits must be the same on every machine; a small u, which is what wins a
/// race among millions of points, keeps all 24 bits of its own precision.
LLOYD_EVERYWHERE inline float exponentialVariate(std::uint64_t bits) {
  float u = static_cast<float>(bits | 1u) * 0x1p-64f;
  if (u > 1.0f - 0x1p-24f) u = 1.0f - 0x1p-24f;
  if (u < 0.25f) { // u + u^2/2 + u^3/3 + ...
    float sum = 1.0f / 12.0f;
    for (int n = 11; n >= 1; --n)
      sum = fmaf(sum, u, 1.0f / static_cast<float>(n));
    return u * sum;
  }
  const float v = 1.0f - u;
  std::uint32_t word = __builtin_bit_cast(std::uint32_t, v);
  int exponent = static_cast<int>(word >> 23) - 126;
  float mantissa = __builtin_bit_cast(float, (word & 0x007fffffu) | 0x3f000000u); // in [0.5, 1)
  if (mantissa < 0.70710678f) {
    mantissa += mantissa;
    --exponent;
  }
  const float s = (mantissa - 1.0f) / (mantissa + 1.0f);
  const float square = s * s;
  float series = fmaf(square, 1.0f / 9.0f, 1.0f / 7.0f);
  series = fmaf(series, square, 1.0f / 5.0f);
  series = fmaf(series, square, 1.0f / 3.0f);
  series = fmaf(series, square, 1.0f);
  const float logMantissa = (s + s) * series;
  return fmaf(static_cast<float>(-exponent), 0.693147180f, -logMantissa);
}

/// One step of the k-means++ race, in which every point has an entry. Whoever looks at each of many millions
/// of points needs its random bits for no more than to see that it loses, so those are cheap: the high ones,
/// by C. Wellons' 32-bit mixer "lowbias32" with the step's own key before each multiplication. The few points
/// that may win get the low ones too.
class SeedRace {
public:
  LLOYD_EVERYWHERE SeedRace(std::uint64_t seed, std::uint32_t step) : key_(randomBits(seed, step, 0)) {}

  /// A point's entry: the smaller, the earlier it arrives; equal keys go to the lower index. nearest is the
  /// squared distance to the nearest chosen centre, or +infinity while there is none.
  [[nodiscard]] LLOYD_EVERYWHERE std::uint64_t entry(std::uint32_t index, float nearest) const {
    const std::uint64_t low = randomBits(key_, 1, index) >> 32;
    const float arrival = exponentialVariate(static_cast<std::uint64_t>(highBits(index)) << 32 | low);
    const float key = hasCentre(nearest) ? arrival / nearest : arrival; // nearest = 0: infinitely late
    return static_cast<std::uint64_t>(__builtin_bit_cast(std::uint32_t, key)) << 32 | index;
  }

  /// Whether a point surely arrives after bestKey, the float in the high half of the best entry so far. An
  /// exponential variate -ln(1 - u) is at least u, and the highest 23 bits are at most u, so most points are
  /// seen to lose before any logarithm is taken. Those bits make a float from 1 to 2 without a conversion,
  /// which takes a GPU four times as long as an addition. The margin is far above what is rounded.
  [[nodiscard]] LLOYD_EVERYWHERE bool loses(std::uint32_t index, float nearest, float bestKey) const {
    constexpr float margin = 1.0f - 0x1p-16f;
    const float onePlus = __builtin_bit_cast(float, 0x3f800000u | highBits(index) >> 9);
    const float weight = hasCentre(nearest) ? nearest : 1.0f;
    return fmaf(onePlus, margin, -margin) > bestKey * weight;
  }

private:
  /// Whether there is a centre that the point is near to.
  [[nodiscard]] LLOYD_EVERYWHERE static bool hasCentre(float nearest) { return !(nearest > 3.0e38f); }
  [[nodiscard]] LLOYD_EVERYWHERE std::uint32_t highBits(std::uint32_t index) const {
    std::uint32_t x = index ^ static_cast<std::uint32_t>(key_);
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = ((x ^ (x >> 15)) + static_cast<std::uint32_t>(key_ >> 32)) * 0x846ca68bu;
    return x ^ (x >> 16);
  }

  std::uint64_t key_;
};

} // namespace lloyd
