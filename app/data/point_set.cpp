// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/point_set.hpp"

#include <algorithm>
#include <ranges>

namespace lloyd {

std::uint64_t PointSet::inputRow(std::size_t i) const {
  if (!rows.empty()) return rows[i];
  // dropped[j] - j is the number of points that come before the j-th dropped row, and never falls as j grows.
  const std::ranges::iota_view<std::size_t, std::size_t> places(0, dropped.size());
  const auto before =
      std::ranges::partition_point(places, [&](std::size_t j) { return dropped[j] - j <= i; });
  return i + static_cast<std::uint64_t>(before - places.begin());
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
