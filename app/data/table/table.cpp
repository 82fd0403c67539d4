// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/table/table.hpp"

#include "app/data/point_set.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace lloyd {
namespace {

template <class T>
constexpr bool isCodes =
    std::is_same_v<T, std::vector<std::uint8_t>> || std::is_same_v<T, std::vector<std::uint16_t>> ||
    std::is_same_v<T, std::vector<std::uint32_t>>;

/// What the points hold, with the digits of the file.
double featureAt(const PointSet& points, const TableColumn& column, std::size_t point) {
  const std::size_t j = *column.feature;
  const double stored = points.row(static_cast<int>(j))[point];
  const double value = points.scaleOf(j).inFile(stored);
  const double power = std::pow(10.0, column.decimals);
  const double whole = value * power;
  return std::abs(whole) < 0x1p52 ? std::nearbyint(whole) / power : value;
}

} // namespace

std::string_view name(ColumnType type) {
  return type == ColumnType::number ? "number" : type == ColumnType::text ? "text" : "empty";
}

std::string_view name(ColumnRole role) {
  switch (role) {
  case ColumnRole::feature:
    return "feature";
  case ColumnRole::classes:
    return "class";
  case ColumnRole::name:
    return "name";
  default:
    return "ignore";
  }
}

std::optional<std::size_t> Table::columnWith(ColumnRole role) const {
  const auto found = std::ranges::find(columns, role, &TableColumn::role);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::int32_t Table::codeAt(std::size_t column, std::uint64_t row) const {
  return std::visit(
      [&](const auto& cells) -> std::int32_t {
        if constexpr (isCodes<std::decay_t<decltype(cells)>>)
          return row < cells.size() ? static_cast<std::int32_t>(cells[row]) - 1 : -1;
        else
          return -1;
      },
      columns[column].cells);
}

std::size_t Table::bytes() const {
  std::size_t sum = 0;
  for (const TableColumn& column : columns) {
    sum += sizeof(TableColumn) + column.words.size() * sizeof(std::string);
    for (const std::string& word : column.words)
      sum += word.size() > std::string().capacity() ? word.capacity() : 0;
    sum += std::visit(
        [](const auto& cells) -> std::size_t {
          using Kind = std::decay_t<decltype(cells)>;
          if constexpr (std::is_same_v<Kind, std::monostate> || std::is_same_v<Kind, RowNumbers>)
            return 0;
          else
            return cells.size() * sizeof(cells[0]);
        },
        column.cells);
  }
  return sum;
}

std::optional<double> numberAt(const PointSet& points, std::size_t at, std::size_t point) {
  const TableColumn& column = points.table->columns[at];
  if (column.type != ColumnType::number) return std::nullopt;
  const std::uint64_t row = points.inputRow(point);
  return std::visit(
      [&](const auto& cells) -> std::optional<double> {
        using Kind = std::decay_t<decltype(cells)>;
        if constexpr (std::is_same_v<Kind, std::monostate>) {
          if (!column.feature) return std::nullopt;
          return featureAt(points, column, point);
        } else if constexpr (std::is_same_v<Kind, RowNumbers>) {
          return cells.first + static_cast<double>(row);
        } else if constexpr (isCodes<Kind>) {
          const std::int32_t code = points.table->codeAt(at, row);
          if (code < 0) return std::nullopt;
          return column.wordNumbers[static_cast<std::size_t>(code)];
        } else {
          const auto value = static_cast<double>(cells[row]);
          if (!std::isfinite(value)) return std::nullopt;
          return value;
        }
      },
      column.cells);
}

std::string cellAt(const PointSet& points, std::size_t at, std::size_t point) {
  const TableColumn& column = points.table->columns[at];
  if (column.type == ColumnType::number) {
    const auto value = numberAt(points, at, point);
    return value ? fixedText(*value, column.decimals) : std::string();
  }
  const std::int32_t code = points.table->codeAt(at, points.inputRow(point));
  return code < 0 ? std::string() : column.words[static_cast<std::size_t>(code)];
}

bool hasClass(const PointSet& points) {
  return points.table && points.table->columnWith(ColumnRole::classes).has_value();
}

const std::vector<std::string>& classNames(const PointSet& points) {
  static const std::vector<std::string> none;
  if (!hasClass(points)) return none;
  return points.table->columns[*points.table->columnWith(ColumnRole::classes)].words;
}

std::int32_t classOf(const PointSet& points, std::size_t point) {
  if (!points.table) return -1;
  const auto column = points.table->columnWith(ColumnRole::classes);
  return column ? points.table->codeAt(*column, points.inputRow(point)) : -1;
}

std::vector<std::int32_t> classCodes(const PointSet& points) {
  std::vector<std::int32_t> codes;
  if (!hasClass(points)) return codes;
  const std::size_t column = *points.table->columnWith(ColumnRole::classes);
  codes.reserve(points.n);
  for (std::size_t i = 0; i < points.n; ++i)
    codes.push_back(points.table->codeAt(column, points.inputRow(i)));
  return codes;
}

std::string fixedText(double value, int decimals) {
  std::array<char, 400> room{};
  const bool plain = std::abs(value) < 1e15;
  const auto end = plain ? std::to_chars(room.data(), room.data() + room.size(), value,
                                         std::chars_format::fixed, std::clamp(decimals, 0, 60))
                         : std::to_chars(room.data(), room.data() + room.size(), value);
  return {room.data(), end.ptr};
}

} // namespace lloyd
