// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/table/column_request.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lloyd {
namespace {

/// What names the column for a reader: its name where that is its alone and can stand in a list, else its
/// index.
std::string nameOf(const Table& table, std::size_t column) {
  constexpr std::size_t uncut = 190; // bytes; longer names may have been shortened
  const std::string& name = table.columns[column].name;
  const bool alone = std::ranges::count(table.columns, name, &TableColumn::name) == 1;
  const bool plain = name.find_first_of(",\"'\n\t") == std::string::npos && !name.starts_with(' ') &&
                     !name.ends_with(' ') && !name.starts_with('-') &&
                     name.find_first_not_of("0123456789") != std::string::npos;
  return alone && plain && name.size() < uncut ? name : std::to_string(column);
}

} // namespace

DataRequest withRole(const DataRequest& request, const Table& table, std::span<const std::size_t> columns,
                     ColumnRole role) {
  std::vector<ColumnRole> roles;
  for (const TableColumn& column : table.columns)
    roles.push_back(column.role);
  for (const std::size_t column : columns) {
    if (role == ColumnRole::feature && table.columns[column].type != ColumnType::number) continue;
    if (role == ColumnRole::classes && table.columns[column].type == ColumnType::empty) continue;
    if (role == ColumnRole::classes || role == ColumnRole::name)
      std::ranges::replace(roles, role, ColumnRole::ignored);
    roles[column] = role;
  }
  DataRequest wanted = request;
  wanted.columns.clear();
  wanted.classColumn = wanted.nameColumn = std::string();
  // Features keep their order, which is that of the axes; new ones come last.
  std::vector<std::size_t> features;
  for (std::size_t c = 0; c < roles.size(); ++c)
    if (roles[c] == ColumnRole::feature) features.push_back(c);
  std::ranges::stable_sort(
      features, {}, [&](std::size_t c) { return table.columns[c].feature.value_or(table.columns.size()); });
  for (const std::size_t c : features)
    wanted.columns.push_back(nameOf(table, c));
  for (std::size_t c = 0; c < roles.size(); ++c) {
    if (roles[c] == ColumnRole::classes) wanted.classColumn = nameOf(table, c);
    if (roles[c] == ColumnRole::name) wanted.nameColumn = nameOf(table, c);
  }
  return wanted.columns.empty() ? request : wanted;
}

} // namespace lloyd
