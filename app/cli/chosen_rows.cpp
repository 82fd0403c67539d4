// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chosen_rows.hpp"

#include "app/data/subset.hpp"
#include "app/model/selection/rule.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

LoadedPoints chosenRows(const Arguments& arguments, LoadedPoints points) {
  if (!arguments.given("--where")) return points;
  const PointSet& all = *points.points;
  if (points.file)
    throw RequestError("--where needs points in memory, and those of " + all.source + " stay in their file");
  const std::string text = arguments.text("--where");
  const auto rule = Rule::parse(text, all, RuleClusters::unknown);
  if (!rule) throw RequestError("--where " + text + ": " + rule.error());
  const std::vector<std::uint8_t> met = rule->matches(all, {});
  const auto count =
      static_cast<std::size_t>(std::ranges::count_if(met, [](auto mark) { return mark != 0; }));
  const RowCounts rows(all);
  if (count == 0)
    throw RequestError("--where " + text + ": none of the " + std::to_string(all.n) + " rows of " +
                       all.source + (rows.dropped > 0 ? " that were not dropped" : "") + " meets it");
  std::string remark = std::to_string(count) + " of " + std::to_string(rows.all) + " rows meet " + text;
  if (rows.dropped > 0)
    remark += ", " + std::to_string(all.n - count) + " do not, and " + std::to_string(rows.dropped) +
              " were dropped";
  return {markedSubset(all, met, remark, text), nullptr};
}

} // namespace lloyd
