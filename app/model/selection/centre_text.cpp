// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/centre_text.hpp"

#include "app/data/precision/figures.hpp"
#include "app/data/precision/number_summary.hpp"
#include "app/data/table/table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

QString centreText(const PointSet& points, std::size_t column, double value) {
  constexpr double more = 0.01;
  constexpr int unknownDigits = 6;
  const ColumnScale scale = points.scaleOf(column);
  const double stored = scale.fromFile(value);
  const double unit = toldUnit(points, column, stored);
  if (!(unit > 0)) return significantText(value, unknownDigits);
  const double told = std::max(unit * more, singleStep(stored) * std::abs(scale.factor));
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(told) - 1e-9)));
  return withSeparators(qtext(fixedText(value, decimals)));
}

} // namespace lloyd
