// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/cluster_table_model.hpp"

#include "app/model/selection/centre_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr qsizetype longestName = 24; ///< characters of a column's name in a heading
constexpr std::size_t mostLines = 8;  ///< columns that a text beside a centroid has
constexpr int digits = 4;

QString columnName(const PointSet& points, std::size_t column) {
  return column < points.columns.size() ? withShortWords(qtext(points.columns[column]), longestName)
                                        : ClusterTableModel::tr("column %1").arg(column + 1);
}

} // namespace

ClusterTableModel::ClusterTableModel(ClusterWatch& watch, QObject* parent)
    : QAbstractTableModel(parent), watch_(watch) {
  connect(&watch_, &ClusterWatch::changed, this, &ClusterTableModel::renew);
  connect(&watch_, &ClusterWatch::named, this, [this] {
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, nameColumn), index(rowCount() - 1, nameColumn));
  });
  renew();
}

void ClusterTableModel::renew() {
  const ClusterNumbersPtr& now = watch_.numbers();
  const bool sameShape = now && numbers_ && now->k() == numbers_->k() && points_ == watch_.points();
  if (sameShape) {
    // A reset would lose the row that the keys are on, several times a second.
    numbers_ = now;
    Q_EMIT dataChanged(index(0, 0),
                       index(ClusterTableModel::rowCount() - 1, ClusterTableModel::columnCount() - 1));
    return;
  }
  beginResetModel();
  numbers_ = now;
  points_ = watch_.points();
  endResetModel();
}

void ClusterTableModel::setColours(const std::vector<PlotRgb>& colours) {
  if (colours == colours_) return;
  colours_ = colours;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, clusterColumn), index(rowCount() - 1, clusterColumn));
}

void ClusterTableModel::setFocus(int cluster) {
  if (focus_ == cluster) return;
  focus_ = cluster;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ClusterTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !numbers_ ? 0 : static_cast<int>(numbers_->k());
}

int ClusterTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : firstCentre + (numbers_ ? static_cast<int>(numbers_->d) : 0);
}

QString ClusterTableModel::text(std::size_t cluster, int column) const {
  switch (column) {
  case clusterColumn:
    return QString::number(cluster);
  case nameColumn:
    return watch_.name(cluster);
  case sizeColumn:
    return countText(numbers_->sizes[cluster]);
  case shareColumn:
    return percentText(numbers_->share(cluster));
  case spreadColumn:
    return significantText(numbers_->spread[cluster], digits);
  case meanColumn:
    return significantText(numbers_->mean[cluster], digits);
  default: {
    const auto j = static_cast<std::size_t>(column - firstCentre);
    return centreText(*points_, j, numbers_->centres[cluster * numbers_->d + j]);
  }
  }
}

QVariant ClusterTableModel::order(std::size_t cluster, int column) const {
  switch (column) {
  case nameColumn:
    return watch_.name(cluster);
  case sizeColumn:
  case shareColumn:
    return static_cast<qulonglong>(numbers_->sizes[cluster]);
  case spreadColumn:
    return std::isnan(numbers_->spread[cluster]) ? -1.0 : numbers_->spread[cluster];
  case meanColumn:
    return std::isnan(numbers_->mean[cluster]) ? -1.0 : numbers_->mean[cluster];
  case clusterColumn:
    return static_cast<qulonglong>(cluster);
  default:
    return numbers_->centres[cluster * numbers_->d + static_cast<std::size_t>(column - firstCentre)];
  }
}

QVariant ClusterTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const auto cluster = static_cast<std::size_t>(index.row());
  switch (role) {
  case Qt::DisplayRole:
  case Qt::EditRole:
    return text(cluster, index.column());
  case Qt::TextAlignmentRole:
    return static_cast<int>((index.column() == nameColumn ? Qt::AlignLeft : Qt::AlignRight) |
                            Qt::AlignVCenter);
  case Qt::ToolTipRole:
    return index.column() == nameColumn && watch_.name(cluster).isEmpty()
               ? tr("F2 or a double click gives the cluster a name")
               : clusterText(watch_, cluster);
  case colourRole:
    if (index.column() != clusterColumn || cluster >= colours_.size()) return {};
    return static_cast<uint>(colours_[cluster]);
  case sortRole:
    return order(cluster, index.column());
  case focusRole:
    return focus_ == index.row();
  default:
    return {};
  }
}

bool ClusterTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() != nameColumn) return false;
  watch_.setName(static_cast<std::size_t>(index.row()), value.toString());
  return true;
}

Qt::ItemFlags ClusterTableModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  return index.isValid() && index.column() == nameColumn ? usual | Qt::ItemIsEditable : usual;
}

QVariant ClusterTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (section >= firstCentre) {
    const auto j = static_cast<std::size_t>(section - firstCentre);
    if (role == Qt::DisplayRole) return columnName(*points_, j);
    if (role == Qt::ToolTipRole)
      return tr("%1 of the centroid, in the units of the file").arg(columnName(*points_, j));
    return {};
  }
  if (role == Qt::DisplayRole) {
    const QString titles[] = {tr("cluster"), tr("name"),   tr("points"),
                              tr("%"),       tr("spread"), tr("mean distance")};
    return titles[section];
  }
  if (role != Qt::ToolTipRole) return {};
  const QString tips[] = {tr("Number and colour of the cluster"),
                          tr("What you call it; F2 changes it"),
                          tr("Points of the cluster"),
                          tr("Share of all points"),
                          tr("Root of the mean squared distance of its points to the centroid, in the units "
                             "that are clustered"),
                          tr("Mean distance of its points to the centroid, in the units that are clustered")};
  return tips[section];
}

QString clusterText(const ClusterWatch& watch, std::size_t cluster) {
  const ClusterNumbersPtr& numbers = watch.numbers();
  if (!numbers || !watch.points() || cluster >= numbers->k()) return {};
  QStringList lines{watch.title(cluster)};
  lines << ClusterTableModel::tr("%1, %2 % of all")
               .arg(pointsText(numbers->sizes[cluster]), percentText(numbers->share(cluster)));
  for (std::size_t j = 0; j < std::min(numbers->d, mostLines); ++j)
    lines << QStringLiteral("%1: %2").arg(
        columnName(*watch.points(), j),
        centreText(*watch.points(), j, numbers->centres[cluster * numbers->d + j]));
  if (numbers->d > mostLines)
    lines << countedText(numbers->d - mostLines, ClusterTableModel::tr("and %1 more column"),
                         ClusterTableModel::tr("and %1 more columns"));
  if (numbers->sizes[cluster] == 0) return lines.join(QLatin1Char('\n'));
  lines << ClusterTableModel::tr("spread: %1, mean distance: %2")
               .arg(significantText(numbers->spread[cluster], digits),
                    significantText(numbers->mean[cluster], digits));
  return lines.join(QLatin1Char('\n'));
}

} // namespace lloyd
