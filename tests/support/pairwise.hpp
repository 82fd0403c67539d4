// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace lloyd::test {

/// One choice of a level for every factor, by index.
using Row = std::vector<std::size_t>;
using RowFilter = std::function<bool(const Row&)>;

/// A few rows in which every two levels of two different factors meet at least once (pairwise testing: most
/// faults that depend on several inputs show with two of them). levels: how many each factor has. Greedy and
/// deterministic: always the row with the most new pairs, among equals the last in the order of rows, so that
/// levels listed from small to large give large problems. preferred: a pair that some row of the first filter
/// has is covered by such a row, what is left by rows of the second, and so on; rows of no filter come last.
[[nodiscard]] inline std::vector<Row> pairwise(std::span<const std::size_t> levels,
                                               std::span<const RowFilter> preferred = {}) {
  std::vector<Row> candidates{Row{}};
  for (const std::size_t count : levels) {
    std::vector<Row> longer;
    for (const Row& row : candidates) {
      for (std::size_t level = 0; level < count; ++level) {
        longer.push_back(row);
        longer.back().push_back(level);
      }
    }
    candidates = std::move(longer);
  }

  // first[f] + level numbers all levels of all factors; a pair is two such numbers.
  std::vector<std::size_t> first(levels.size() + 1, 0);
  for (std::size_t f = 0; f < levels.size(); ++f)
    first[f + 1] = first[f] + levels[f];
  const std::size_t all = first.back();
  std::vector<char> met(all * all, 0);
  const auto forPairs = [&](const Row& row, const auto& action) {
    for (std::size_t b = 1; b < row.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        action(met[(first[a] + row[a]) * all + first[b] + row[b]]);
  };

  std::vector<Row> chosen;
  for (std::size_t turn = 0; turn <= preferred.size(); ++turn) {
    while (true) {
      const Row* best = nullptr;
      std::size_t most = 1; // a row without new pairs is of no use
      for (const Row& row : candidates) {
        if (turn < preferred.size() && !preferred[turn](row)) continue;
        std::size_t fresh = 0;
        forPairs(row, [&](char pair) { fresh += pair == 0 ? 1 : 0; });
        if (fresh < most) continue;
        most = fresh;
        best = &row;
      }
      if (!best) break;
      forPairs(*best, [](char& pair) { pair = 1; });
      chosen.push_back(*best);
    }
  }
  return chosen;
}

} // namespace lloyd::test
