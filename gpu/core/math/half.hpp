// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// IEEE 754's halves, for processors that have no instruction for them: a sign, five digits of an exponent,
// ten digits behind the first.
#include <bit>
#include <cmath>
#include <cstdint>

namespace lloyd {

[[nodiscard]] inline float floatOf(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1fu;
  const std::uint32_t digits = half & 0x3ffu;
  if (exponent == 0) { // denormal, or 0
    const float value = static_cast<float>(digits) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | digits << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | digits << 13);
}

/// The nearest half, of two equally near ones the even one; infinite from 65,520 on.
[[nodiscard]] inline std::uint16_t halfOf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u; // not a number
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
  // A denormal half is a multiple of 2^-24, which is what a float of that size is rounded to by adding 0.5.
  if (magnitude < 0x38800000u) {
    const float moved = std::bit_cast<float>(magnitude) + 0.5f;
    return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(moved) - 0x3f000000u);
  }
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return sign | static_cast<std::uint16_t>((rounded >> 13) - (112u << 10));
}

} // namespace lloyd
