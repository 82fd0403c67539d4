// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What reading and writing a tuning table share and nobody else needs.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

inline constexpr std::array<std::string_view, 19> tuningColumns{
    "backend",   "device",    "target",   "cores",     "n",        "d",        "k",
    "iteration", "fused",     "fused_us", "tiled",     "tiled_us", "classify", "classify_us",
    "reduce",    "reduce_us", "update",   "update_us", "measured"};
/// Those that a table may lack, both of them: what no variant of tiles was raced for.
inline constexpr std::array<std::string_view, 2> tiledColumns{"tiled", "tiled_us"};

[[nodiscard]] inline std::vector<std::string_view> columnsWithoutTiled() {
  std::vector<std::string_view> columns(tuningColumns.begin(), tuningColumns.end());
  std::erase_if(columns, [](std::string_view column) {
    return std::find(tiledColumns.begin(), tiledColumns.end(), column) != tiledColumns.end();
  });
  return columns;
}

template <class Columns>
[[nodiscard]] std::string tuningHeadings(const Columns& columns) {
  std::string line;
  for (const std::string_view column : columns)
    line.append(line.empty() ? "" : ",").append(column);
  return line;
}

} // namespace lloyd
