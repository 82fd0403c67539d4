// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/subset.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace lloyd {

namespace {

std::shared_ptr<PointSet> partOf(const PointSet& points, std::span<const std::size_t> chosen,
                                 const std::string& remark) {
  auto subset = std::make_shared<PointSet>();
  subset->n = chosen.size();
  subset->d = points.d;
  subset->values.reserve(chosen.size() * static_cast<std::size_t>(points.d));
  for (int j = 0; j < points.d; ++j)
    for (const std::size_t i : chosen)
      subset->values.push_back(points.row(j)[i]);
  subset->columns = points.columns;
  subset->scales = points.scales;
  subset->decimals = points.decimals;
  subset->dominant = points.dominant;
  subset->table = points.table;
  subset->source = points.source;
  subset->selected = points.selected;
  subset->part = points.part;
  subset->rule = points.rule;
  subset->inputRows = points.inputRows;
  subset->dropped = points.dropped;
  subset->rows.reserve(chosen.size());
  for (const std::size_t i : chosen)
    subset->rows.push_back(points.inputRow(i));
  subset->remarks = points.remarks;
  subset->remarks.push_back(remark);
  if (points.drift) {
    subset->drift = Drift{.component = {},
                          .components = points.drift->components,
                          .reach = points.drift->reach,
                          .seed = points.drift->seed};
    subset->drift->component.reserve(chosen.size());
    for (const std::size_t i : chosen)
      subset->drift->component.push_back(points.drift->component[i]);
  }
  subset->colours = points.colours;
  subset->white = points.white;
  return subset;
}

} // namespace

SharedPointSet subsetOf(const PointSet& points, std::span<const std::size_t> chosen,
                        const std::string& remark) {
  return partOf(points, chosen, remark);
}

SharedPointSet markedSubset(const PointSet& points, std::span<const std::uint8_t> marks,
                            const std::string& remark, const std::string& rule) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < points.n && i < marks.size(); ++i)
    if (marks[i] != 0) chosen.push_back(i);
  const std::shared_ptr<PointSet> subset = partOf(points, chosen, remark);
  subset->selected = true;
  subset->part = std::to_string(chosen.size()) + " of " +
                 (points.part.empty() ? std::to_string(RowCounts(points).all) + " rows" : points.part);
  if (!points.selected)
    subset->rule = rule;
  else if (!points.rule.empty() && !rule.empty())
    subset->rule = "(" + points.rule + ") & (" + rule + ")";
  return subset;
}

} // namespace lloyd
