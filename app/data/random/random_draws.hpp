// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/math/random.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lloyd {

// The C library's log, sin and cos differ in their last bits from machine to machine. These use + - * / and
// sqrt only, which IEEE 754 fixes to the last bit, as long as nothing is contracted into fused operations.

/// The natural logarithm of a positive, normal number, to about 2 units in the last place.
inline double portableLog(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u); // in [1, 2)
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  // ln m = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.172.
  const double f = mantissa - 1;
  const double s = f / (2 + f);
  const double q = s * s;
  double series = 1.0 / 23;
  for (int n = 21; n >= 3; n -= 2)
    series = series * q + 1.0 / n;
  const double tail = s * q * series;
  constexpr double ln2High = 0x1.62e42fefa3800p-1; // 42 bits, so that its product with an exponent is exact
  constexpr double ln2Low = 0x1.ef35793c76730p-45;
  const auto e = static_cast<double>(exponent);
  return e * ln2High + (2 * s + (2 * tail + e * ln2Low));
}

struct SinCos {
  double sin = 0;
  double cos = 1;
};

/// Sine and cosine of an angle in turns: 1 is once round. Taking out whole and quarter turns is exact.
inline SinCos portableSinCos(double turns) {
  const double part = turns - std::floor(turns);
  const double quarter = std::floor(4 * part + 0.5);
  const double x = (part - 0.25 * quarter) * 6.283185307179586; // at most pi / 4
  const double q = x * x;
  double sine = 1.0 / 355687428096000; // 1 / 17!
  sine = sine * q - 1.0 / 1307674368000;
  sine = sine * q + 1.0 / 6227020800;
  sine = sine * q - 1.0 / 39916800;
  sine = sine * q + 1.0 / 362880;
  sine = sine * q - 1.0 / 5040;
  sine = sine * q + 1.0 / 120;
  sine = sine * q - 1.0 / 6;
  sine = x + x * q * sine;
  double cosine = 1.0 / 20922789888000; // 1 / 16!
  cosine = cosine * q - 1.0 / 87178291200;
  cosine = cosine * q + 1.0 / 479001600;
  cosine = cosine * q - 1.0 / 3628800;
  cosine = cosine * q + 1.0 / 40320;
  cosine = cosine * q - 1.0 / 720;
  cosine = cosine * q + 1.0 / 24;
  cosine = 1 - 0.5 * q + q * q * cosine;
  switch (static_cast<int>(quarter) & 3) {
  case 0:
    return {sine, cosine};
  case 1:
    return {cosine, -sine};
  case 2:
    return {-sine, -cosine};
  default:
    return {-cosine, sine};
  }
}

/// What a random number is drawn for. Numbers drawn for different purposes are independent.
enum class Draw : std::uint64_t { normal = 1, uniform, home, size, width, axis, path, shuffle };

/// Random numbers of one data set: each is a pure function of its purpose, its dimension and its index.
class RandomDraws {
public:
  explicit RandomDraws(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] std::uint64_t bits(Draw purpose, std::size_t dimension, std::uint64_t index) const {
    return randomBits(seed_, static_cast<std::uint64_t>(purpose) << 32 | dimension, index);
  }
  /// In [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform(Draw purpose, std::size_t dimension, std::uint64_t index) const {
    return static_cast<double>(bits(purpose, dimension, index) >> 11) * 0x1p-53;
  }
  /// Standard normal numbers, one for each dimension (Box and Muller, 1958: two at a time).
  void normals(Draw purpose, std::uint64_t index, std::span<double> values) const {
    for (std::size_t j = 0; j < values.size(); j += 2) {
      // Half a step away from 0, whose logarithm there is not.
      const double u = (static_cast<double>(bits(purpose, j, index) >> 12) + 0.5) * 0x1p-52;
      const double radius = std::sqrt(-2 * portableLog(u));
      const SinCos angle = portableSinCos(uniform(purpose, j + 1, index));
      values[j] = radius * angle.cos;
      if (j + 1 < values.size()) values[j + 1] = radius * angle.sin;
    }
  }

private:
  std::uint64_t seed_;
};

} // namespace lloyd
