// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/table/column_groups.hpp"

#include "app/data/table/table.hpp"
#include "app/text/strings.hpp"

#include <algorithm>

namespace lloyd {

ColumnGroups groupsByColumn(const PointSet& points, std::size_t at) {
  constexpr std::size_t steps = 64;
  const TableColumn& column = points.table->columns[at];
  ColumnGroups made;
  auto groups = std::make_shared<std::vector<std::int32_t>>();
  groups->reserve(points.n);
  if (!column.words.empty()) {
    made.count = column.words.size();
    for (const std::string& word : column.words)
      made.names << qtext(word);
    for (std::size_t i = 0; i < points.n; ++i)
      groups->push_back(points.table->codeAt(at, points.inputRow(i)));
  } else {
    made.count = steps;
    made.ordered = true;
    made.names = {qtext(fixedText(column.low, column.decimals)),
                  qtext(fixedText(column.high, column.decimals))};
    const double width = (column.high - column.low) / steps;
    for (std::size_t i = 0; i < points.n; ++i) {
      const auto value = numberAt(points, at, i);
      const double step = value && width > 0 ? (*value - column.low) / width : 0;
      groups->push_back(value ? static_cast<std::int32_t>(std::clamp(step, 0.0, steps - 1.0)) : -1);
    }
  }
  made.groups = std::move(groups);
  return made;
}

} // namespace lloyd
