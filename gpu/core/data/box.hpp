// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/value_range.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lloyd {

/// Between which values the coordinates of all points lie, for the first three dimensions; both ends belong
/// to it. Nothing is known of a box whose ends are the wrong way round, which a new one's are.
struct Box {
  static constexpr std::size_t most = 3; ///< dimensions
  std::array<float, most> low{};
  std::array<float, most> high{-1.0f, -1.0f, -1.0f};

  [[nodiscard]] bool known() const { return low[0] <= high[0]; }
  bool operator==(const Box&) const = default;
};

/// The box of n points of d dimensions, host memory [d][n]. Unknown for no points.
[[nodiscard]] inline Box boxOf(const float* values, std::size_t n, int d) {
  Box box;
  for (std::size_t j = 0; n > 0 && j < std::min<std::size_t>(static_cast<std::size_t>(d), Box::most); ++j) {
    const ValueRange range = valueRange({values + j * n, n});
    box.low[j] = range.low;
    box.high[j] = range.high;
  }
  return box;
}

} // namespace lloyd
