// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

// Scalar code that must round like a fused multiply-add. Without the processor's instruction fmaf is a
// library call about twenty times slower, so such code is compiled twice and the processor is asked once.

#if defined(__x86_64__) && !defined(__FMA__)
#define LLOYD_FMA_CLONE __attribute__((target("fma")))
#else
#define LLOYD_FMA_CLONE
#endif

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

inline bool processorHasFma() {
#if defined(__x86_64__) && !defined(__FMA__)
  static const bool has = __builtin_cpu_supports("fma") != 0;
  return has;
#else
  return false; // the plain build has the instruction already, or there is none to choose
#endif
}

/// flatten pulls function and all it calls into the clone, where fmaf becomes one instruction.
template <auto function, class... Args>
LLOYD_FMA_CLONE __attribute__((flatten)) auto callWithFma(const Args&... args) {
  return function(args...);
}

/// function(args...), in the faster of its two builds; both give the same bits.
template <auto function, class... Args>
auto callFused(const Args&... args) {
  return processorHasFma() ? callWithFma<function>(args...) : function(args...);
}

} // namespace lloyd
