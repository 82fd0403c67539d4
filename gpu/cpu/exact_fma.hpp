// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace lloyd {

/// x * y + z with one rounding, as fmaf gives it, infinities, subnormals and the sign of zero included. For
/// processors without the instruction, where the C library changes the rounding mode and back in every call
/// and is a hundred times slower than this.
///
/// The product of two floats is a double without any rounding. The sum is rounded to odd, that is, to the one
/// of its two neighbours whose last bit is set where it is no double itself; rounding that to a float is then
/// what rounding the true sum once would give. S. Boldo and G. Melquiond, "Emulation of FMA and correctly
/// rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57(4), 2008.
inline float exactFma(float x, float y, float z) {
  const double product = static_cast<double>(x) * static_cast<double>(y);
  const auto term = static_cast<double>(z);
  // What the rounded sum lacks, by Knuth's way for terms of any order of size. Not a number where the sum is
  // infinite, which then stays as it is.
  const double sum = product + term;
  const double ofTerm = sum - product;
  const double lack = (product - (sum - ofTerm)) + (term - ofTerm);
  if (!(std::abs(lack) > 0)) return static_cast<float>(sum);
  // Taken as an integer, a double less one is the next towards zero.
  const std::int64_t away = std::signbit(lack) != std::signbit(sum) ? 1 : 0;
  return static_cast<float>(std::bit_cast<double>((std::bit_cast<std::int64_t>(sum) - away) | 1));
}

} // namespace lloyd
