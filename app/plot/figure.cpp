// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lloyd {

std::pair<double, double> PlotCells::range() const {
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (const Cell& cell : cells) {
    if (!std::isfinite(cell.value)) continue;
    low = std::min(low, cell.value);
    high = std::max(high, cell.value);
  }
  return high > 0 ? std::pair(low, high) : std::pair(1.0, 1.0);
}

bool PlotCells::logarithmic() const {
  const auto [low, high] = range();
  return low > 0 && high > 10 * low;
}

} // namespace lloyd
