// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace lloyd {

/// The least and the greatest of some values. For no values the ends are the wrong way round, as infinities.
struct ValueRange {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  bool finite = true; ///< false as soon as one value is not a number or infinite; NaN moves neither end
};

/// Many results side by side let the compiler use vectors: a single one would need it to change the order of
/// comparisons, which floating-point rules forbid. Several times as fast as std::minmax_element.
[[nodiscard]] inline ValueRange valueRange(std::span<const float> values) {
  constexpr std::size_t lanes = 32;
  std::array<float, lanes> low;
  std::array<float, lanes> high;
  std::array<float, lanes> zeros{}; // 0 times a finite value is 0, times any other NaN
  ValueRange range;
  low.fill(range.low);
  high.fill(range.high);
  const auto take = [&](std::size_t lane, float value) {
    low[lane] = value < low[lane] ? value : low[lane];
    high[lane] = value > high[lane] ? value : high[lane];
    zeros[lane] += 0.0F * value;
  };
  const std::size_t whole = values.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      take(lane, values[i + lane]);
  for (std::size_t i = whole; i < values.size(); ++i)
    take(i - whole, values[i]);
  range.low = *std::min_element(low.begin(), low.end());
  range.high = *std::max_element(high.begin(), high.end());
  range.finite = std::all_of(zeros.begin(), zeros.end(), [](float zero) { return zero == 0.0F; });
  return range;
}

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
