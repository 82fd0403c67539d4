// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/finite_rows.hpp"

#include "app/data/input/read_error.hpp"
#include "app/data/input/wording.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

/// Moves the values of the kept rows together, column by column. A value never moves up, so this works in
/// place.
void compact(PointSet& points) {
  std::size_t to = 0;
  for (int j = 0; j < points.d; ++j) {
    const float* const column = points.row(j);
    std::size_t from = 0;
    for (std::size_t next = 0; next <= points.dropped.size(); ++next) {
      const std::size_t stop = next < points.dropped.size() ? points.dropped[next] : points.n;
      std::copy(column + from, column + stop, points.values.data() + to);
      to += stop - from;
      from = stop + 1;
    }
  }
  points.n -= points.dropped.size();
  points.values.resize(to);
}

} // namespace

void keepFiniteRows(PointSet& points) {
  points.inputRows = points.n;
  points.scales.assign(static_cast<std::size_t>(points.d), {});
  if (points.n > std::numeric_limits<std::uint32_t>::max())
    refuse(counted(points.n, "row") + " are more than the 4,294,967,295 that labels can count");
  for (std::size_t i = 0; i < points.n; ++i) {
    bool finite = true;
    for (int j = 0; j < points.d; ++j)
      finite = finite && std::isfinite(points.row(j)[i]);
    if (!finite) points.dropped.push_back(i);
  }
  if (points.dropped.empty()) return;
  if (points.dropped.size() == points.n)
    refuse("no points are left: in every row a value is missing or not a finite number");
  points.remarks.push_back(std::to_string(points.dropped.size()) + " of " + counted(points.n, "row") +
                           " left out: a value is missing or not a finite number");
  compact(points);
}

} // namespace lloyd
