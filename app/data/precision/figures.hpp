// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace lloyd {

/// A stored value in the units of the file, with as many digits as reading the same stored value back takes.
[[nodiscard]] std::string storedText(const ColumnScale& scale, float stored);

/// The least difference that figures of a column should tell, in the units of the file: that of the file's
/// last digit, or what single precision tells of stored values of this size, whichever is more; where the
/// file's is not known, the latter of a shifted column. 0: not known.
[[nodiscard]] double toldUnit(const PointSet& points, std::size_t column, double storedSize);

/// The value of a point in a column, from its stored coordinate, as the file has it: rounded to the file's
/// last digit where that is known and stored. No powers of ten below 1e15.
[[nodiscard]] std::string figureText(const PointSet& points, std::size_t column, float stored);

} // namespace lloyd
