// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <vector>

namespace lloyd {

/// Points grouped by their value in one column of their table.
struct ColumnGroups {
  std::shared_ptr<const std::vector<std::int32_t>> groups; ///< [n]; -1 for a missing value
  std::size_t count = 0;
  bool ordered = false; ///< numbers, from low to high
  QStringList names;    ///< of the groups; of numbers the lowest and the highest
};

/// Texts and classes have a group each; numbers have 64 of one width from the lowest to the highest. Any
/// thread.
[[nodiscard]] ColumnGroups groupsByColumn(const PointSet& points, std::size_t column);

} // namespace lloyd
