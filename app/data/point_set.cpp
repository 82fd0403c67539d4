// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/point_set.hpp"

#include <algorithm>

namespace lloyd {

std::uint64_t PointSet::inputRow(std::size_t i) const {
  if (!rows.empty()) return rows[i];
  // dropped[j] - j is the number of points that come before the j-th dropped row, and never falls as j grows.
  const auto before = std::partition_point(dropped.begin(), dropped.end(), [&](const std::uint64_t& row) {
    return row - static_cast<std::uint64_t>(&row - dropped.data()) <= i;
  });
  return i + static_cast<std::uint64_t>(before - dropped.begin());
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
