// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/table/column_table_model.hpp"

#include "app/data/precision/figures.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/data/box.hpp"

#include <QCoreApplication>

#include <algorithm>

namespace lloyd {
namespace {

QString words(const char* text) { return QCoreApplication::translate("ColumnTable", text); }

QString rangeText(const QString& low, const QString& high) {
  return low == high ? withSeparators(low) : words("%1 to %2").arg(withSeparators(low), withSeparators(high));
}

QString rangeOf(const TableColumn& column) {
  if (column.type == ColumnType::empty) return unknownText();
  if (column.tooManyWords) return words("too many texts to keep");
  if (column.type == ColumnType::text)
    return countedText(column.words.size(), words("%1 value"), words("%1 values"));
  return rangeText(qtext(fixedText(column.low, column.decimals)),
                   qtext(fixedText(column.high, column.decimals)));
}

QString rangeOf(const PointSet& points, std::size_t column) {
  if (points.values.empty()) return unknownText();
  const ValueRange range = valueRange({points.row(static_cast<int>(column)), points.n});
  return rangeText(qtext(figureText(points, column, range.low)),
                   qtext(figureText(points, column, range.high)));
}

} // namespace

QString roleText(ColumnRole role) {
  switch (role) {
  case ColumnRole::feature:
    return words("feature");
  case ColumnRole::classes:
    return words("class");
  case ColumnRole::name:
    return words("name");
  default:
    return words("ignore");
  }
}

void ColumnTableModel::setPoints(const SharedPointSet& points) {
  beginResetModel();
  points_ = points;
  endResetModel();
}

int ColumnTableModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !points_) return 0;
  return points_->table ? static_cast<int>(points_->table->columns.size()) : points_->d;
}

QVariant ColumnTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !points_) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const TableColumn* column = points_->table ? &points_->table->columns[row] : nullptr;
  const QString name = qtext(column ? column->name : points_->columns[row]);
  const QString kind = column ? qtext(lloyd::name(column->type)) : words("number");
  const QString range = column ? rangeOf(*column) : rangeOf(*points_, row);
  const QString missing = countText(column ? column->missing : 0);
  const QString what = column ? roleText(column->role) : roleText(ColumnRole::feature);
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
    return words("%1: %2, %3, %4 missing, %5").arg(name, kind, range, missing, what);
  if (role == Qt::TextAlignmentRole && index.column() == missingColumn)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
  case nameColumn:
    return name;
  case roleColumn:
    return what;
  case typeColumn:
    return kind;
  case rangeColumn:
    return range;
  default:
    return missing;
  }
}

QVariant ColumnTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  static constexpr const char* titles[] = {
      QT_TRANSLATE_NOOP("ColumnTable", "Column"), QT_TRANSLATE_NOOP("ColumnTable", "Role"),
      QT_TRANSLATE_NOOP("ColumnTable", "Type"), QT_TRANSLATE_NOOP("ColumnTable", "Range"),
      QT_TRANSLATE_NOOP("ColumnTable", "Missing")};
  return words(titles[section]);
}

int FirstRowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(std::min<std::size_t>(points_->n, mostRows));
}

int FirstRowsModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return points_->table ? static_cast<int>(points_->table->columns.size()) : points_->d;
}

QVariant FirstRowsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<std::size_t>(index.column());
  const auto row = static_cast<std::size_t>(index.row());
  const bool number = !points_->table || points_->table->columns[column].type == ColumnType::number;
  if (role == Qt::TextAlignmentRole)
    return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  if (points_->table) return qtext(cellAt(*points_, column, row));
  return qtext(figureText(*points_, column, points_->row(index.column())[row]));
}

QVariant FirstRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return countText(points_->inputRow(static_cast<std::size_t>(section)) + 1);
  const auto column = static_cast<std::size_t>(section);
  return qtext(points_->table ? points_->table->columns[column].name : points_->columns[column]);
}

} // namespace lloyd
