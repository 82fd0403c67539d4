// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>

namespace lloyd {

/// A cluster's index, as kernels store it: one a point. -1 stands for "not labelled yet".
using Label = std::int32_t;

/// The size of one k-means problem. n < 2^32, so that counts fit 32 bits; bytes are always computed in
/// std::size_t.
struct Problem {
  std::size_t n = 0; ///< points
  int d = 0;         ///< dimensions of a point, at least 1
  int k = 0;         ///< clusters, at least 1

  [[nodiscard]] std::size_t centroidValues() const {
    return static_cast<std::size_t>(k) * static_cast<std::size_t>(d);
  }
  [[nodiscard]] std::size_t pointValues() const { return n * static_cast<std::size_t>(d); }
  bool operator==(const Problem&) const = default;
};

} // namespace lloyd
