// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/point_set.hpp"

#include <algorithm>

namespace lloyd {

// dropped[j] - j is the number of points that come before the j-th dropped row, and never falls as j grows,
// so both directions are binary searches.

std::uint64_t PointSet::inputRow(std::size_t i) const {
  if (!rows.empty()) return rows[i];
  std::size_t low = 0;
  std::size_t high = dropped.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (dropped[middle] - middle <= i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return i + low;
}

std::optional<std::size_t> PointSet::pointOf(std::uint64_t row) const {
  if (!rows.empty()) {
    const auto found = std::lower_bound(rows.begin(), rows.end(), row);
    if (found == rows.end() || *found != row) return std::nullopt;
    return static_cast<std::size_t>(found - rows.begin());
  }
  if (row >= n + dropped.size()) return std::nullopt;
  const auto at = std::lower_bound(dropped.begin(), dropped.end(), row);
  if (at != dropped.end() && *at == row) return std::nullopt;
  return static_cast<std::size_t>(row) - static_cast<std::size_t>(at - dropped.begin());
}

Box boxOf(const PointSet& points) {
  Box box = boxOf(points.values.data(), points.n, points.d);
  if (!points.drift || !box.known()) return box;
  for (std::size_t j = 0; j < std::min<std::size_t>(static_cast<std::size_t>(points.d), Box::most); ++j) {
    const double factor = j < points.scales.size() ? points.scales[j].factor : 1.0;
    // A little more than the reach, because shifts and their sums are rounded.
    const auto reach = static_cast<float>(1.001 * points.drift->reach / factor);
    box.low[j] -= reach;
    box.high[j] += reach;
  }
  return box;
}

} // namespace lloyd
