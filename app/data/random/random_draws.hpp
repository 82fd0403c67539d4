// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/random/portable_math.hpp"
#include "gpu/core/math/random.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lloyd {

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
