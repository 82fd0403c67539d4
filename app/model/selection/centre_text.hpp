// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <QString>

#include <cstddef>

namespace lloyd {

/// A mean of a column, in the units of the file: two digits more than the file has, because the mean of many
/// rows is known better than each, and no more than single precision tells of stored values of this size; six
/// where the file's digits are not known.
[[nodiscard]] QString centreText(const PointSet& points, std::size_t column, double value);

} // namespace lloyd
