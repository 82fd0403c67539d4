// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"
#include "gpu/core/math/everywhere.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lloyd {

/// Coordinates as integers, measured from the middle of their box: what is added up so is the same sum in
/// whatever order and in however many parts it is added, and takes back exactly what was put in.
struct FixedPoint {
  double middle[Box::most] = {};
  double scale[Box::most] = {1, 1, 1}; ///< powers of two
};

/// The finest with which the sum of n points of a box fits 63 bits, and no value more than 50: 2^-50 of half
/// the box for a few thousand points, 2^-34 for 2^27, where a float has 24 bits.
[[nodiscard]] inline FixedPoint fixedPointOf(const Box& box, std::size_t n, int d) {
  FixedPoint fixed;
  int bits = 61;
  for (std::size_t points = 1; points < n; points *= 2)
    --bits;
  bits = std::min(bits, 50);
  for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
    const double low = box.low[j];
    const double high = box.high[j];
    fixed.middle[j] = low / 2 + high / 2;
    const double half = std::max(high - fixed.middle[j], fixed.middle[j] - low);
    if (half > 0) fixed.scale[j] = std::ldexp(1.0, bits - std::ilogb(half) - 1);
  }
  return fixed;
}

/// Coordinate j, rounded to nearest. Adding 3 x 2^51 leaves the integer in the low bits of the double, which
/// costs no conversion.
LLOYD_EVERYWHERE inline std::int64_t toFixed(double middle, double scale, float x) {
  constexpr double shift = 0x1.8p52;
  constexpr std::int64_t shiftBits = 0x4338000000000000;
  const double shifted = (static_cast<double>(x) - middle) * scale + shift;
#ifdef __CUDA_ARCH__
  return __double_as_longlong(shifted) - shiftBits;
#else
  return __builtin_bit_cast(std::int64_t, shifted) - shiftBits;
#endif
}

} // namespace lloyd
