// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/selected_rows_model.hpp"

#include "app/data/table/table.hpp"
#include "app/model/selection/centre_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <optional>

namespace lloyd {
namespace {

constexpr qsizetype longestName = 24;
constexpr qsizetype longestCell = 60;

/// The column of the points that a column of their table is.
std::optional<std::size_t> featureOf(const PointSet& points, std::size_t column) {
  return points.table ? points.table->columns[column].feature : std::optional(column);
}

} // namespace

SelectedRowsModel::SelectedRowsModel(const Session& session, const PointSelection& selection, QObject* parent)
    : QAbstractTableModel(parent), session_(session), selection_(selection) {
  connect(&selection_, &PointSelection::changed, this, [this] {
    if (selection_.busy()) return;
    beginResetModel();
    points_ = selection_.marks() ? session_.data() : nullptr;
    summary_ = selection_.summary();
    endResetModel();
  });
}

int SelectedRowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !points_ ? 0 : static_cast<int>(summary_.first.size()) + 1;
}

int SelectedRowsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !points_ ? 0 : static_cast<int>(rowColumns(*points_)) + 1;
}

QString SelectedRowsModel::meanText(std::size_t column) const {
  const auto feature = featureOf(*points_, column);
  if (!feature || *feature >= summary_.means.size()) return {};
  return centreText(*points_, *feature, summary_.means[*feature]);
}

QVariant SelectedRowsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const bool means = index.row() == 0;
  if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (index.column() == 0) {
    if (means) return role == Qt::DisplayRole ? tr("mean") : tr("Means of the columns that are clustered");
    return countText(points_->inputRow(summary_.first[static_cast<std::size_t>(index.row() - 1)]) + 1);
  }
  const auto column = static_cast<std::size_t>(index.column() - 1);
  if (means) return meanText(column);
  const auto row = static_cast<std::size_t>(index.row() - 1);
  QString cell;
  if (row >= summary_.cells.size())
    cell = qtext(rowCell(*points_, column, summary_.first[row]));
  else if (column < summary_.cells[row].size())
    cell = qtext(summary_.cells[row][column]);
  return role == Qt::DisplayRole && cell.size() > longestCell ? cell.left(longestCell) + QStringLiteral("…")
                                                              : cell;
}

QVariant SelectedRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (section == 0) return role == Qt::DisplayRole ? tr("row") : tr("Row of the data, from 1");
  const QString name = qtext(rowColumnName(*points_, static_cast<std::size_t>(section - 1)));
  return role == Qt::DisplayRole ? withShortWords(name, longestName) : name;
}

} // namespace lloyd
