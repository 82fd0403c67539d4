// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace lloyd {

/// A record of a table of text as it stands in its file, without the line's end.
struct TableRow {
  std::string_view record; ///< valid until take returns
  std::uint64_t row = 0;   ///< input row; of no meaning for the header
  bool header = false;
  bool endedWithReturn = false; ///< the line ended in a carriage return and a line feed
};

/// Reads the file of the points' table once more, in order, until take answers false. Throws ReadFailure,
/// also where the file is not the one that was read. points.table is not null.
void eachTableRow(const PointSet& points, const std::function<bool(const TableRow& row)>& take);

} // namespace lloyd
