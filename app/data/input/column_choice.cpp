// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/column_choice.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/read_error.hpp"
#include "app/data/input/wording.hpp"

#include <algorithm>
#include <numeric>

namespace lloyd {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::size_t findColumn(const std::string& asked, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), asked);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), asked) != names.end())
      refuse("several columns are called " + quoted(asked) + "; name the one to use by its index");
    return static_cast<std::size_t>(found - names.begin());
  }
  const auto index =
      asked.find_first_not_of("0123456789") == std::string::npos ? parseCount(asked) : std::nullopt;
  if (!index) refuse("there is no column " + quoted(asked) + "; there is " + listed(names));
  if (*index >= names.size())
    refuse("there is no column " + asked + "; there are " + counted(names.size(), "column") +
           ", counted from 0");
  return static_cast<std::size_t>(*index);
}

} // namespace

std::string unnamedColumn(std::size_t index) { return "column " + std::to_string(index); }

std::vector<std::size_t> chooseColumns(const std::vector<std::string>& asked,
                                       const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  if (asked.empty()) {
    chosen.resize(names.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  for (const std::string& one : asked) {
    const std::size_t column = findColumn(trimmed(one), names);
    if (std::find(chosen.begin(), chosen.end(), column) != chosen.end())
      refuse("column " + quoted(names[column]) + " is asked for twice");
    chosen.push_back(column);
  }
  return chosen;
}

} // namespace lloyd
