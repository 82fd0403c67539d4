// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/version_model.hpp"

namespace lloyd {

QVariant VersionModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const int row = index.row(), column = index.column();
  switch (role) {
  case Qt::DisplayRole:
    return text(row, column);
  case Qt::TextAlignmentRole:
    return int((column == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  case Qt::ToolTipRole:
    return text(row, nameColumn) + u'\n' + meaning(row); // a narrow table cuts names
  case Qt::AccessibleTextRole:
    return column == nameColumn ? text(row, column)
                                : QStringLiteral("%1, %2: %3")
                                      .arg(text(row, nameColumn),
                                           versionName(static_cast<Column>(column))
                                               .replace(QLatin1Char('\n'), QLatin1Char(' ')),
                                           text(row, column));
  case partRole: {
    const std::optional<std::size_t> part = partOf(row);
    return part ? QVariant::fromValue(static_cast<int>(*part)) : QVariant();
  }
  default:
    return {};
  }
}

QVariant VersionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
  if (role == Qt::DisplayRole)
    return section == nameColumn ? QString() : versionName(static_cast<Column>(section));
  if (role == Qt::TextAlignmentRole)
    return int((section == nameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
  return {};
}

} // namespace lloyd
