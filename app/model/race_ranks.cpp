// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race.hpp"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace lloyd {
namespace {

bool rankable(const Measurement& row) {
  return row.ran() && row.verified && row.times.median > 0 && std::isfinite(row.times.median);
}

} // namespace

void rankRows(std::vector<Measurement>& rows, const CompareRules& rules) {
  std::map<std::pair<Stage, std::string_view>, const Measurement*> firsts;
  for (Measurement& row : rows) {
    row.rank = rankable(row) ? 1 : 0;
    row.againstFirst.reset();
    if (row.rank == 0) continue;
    const auto [first, isFirst] =
        firsts.try_emplace({row.candidate.stage, row.candidate.variant->info.family}, &row);
    if (!isFirst) row.againstFirst = comparePaired(row.us, first->second->us, rules);
  }
  for (Measurement& row : rows)
    for (const Measurement& other : rows)
      if (row.rank > 0 && rankable(other) && &other != &row && other.candidate.stage == row.candidate.stage &&
          comparePaired(row.us, other.us, rules).verdict == Verdict::slower)
        ++row.rank;
}

} // namespace lloyd
