// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What reading and writing a tuning table share and nobody else needs.
#include <array>
#include <string>
#include <string_view>

namespace lloyd {

inline constexpr std::array<std::string_view, 17> choiceColumns{
    "backend",  "device",   "target",      "cores",  "n",         "d",      "k",         "iteration", "fused",
    "fused_us", "classify", "classify_us", "reduce", "reduce_us", "update", "update_us", "measured"};

[[nodiscard]] inline std::string choiceHeadings() {
  std::string line;
  for (const std::string_view column : choiceColumns)
    line.append(line.empty() ? "" : ",").append(column);
  return line;
}

} // namespace lloyd
