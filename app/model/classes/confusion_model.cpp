// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/classes/confusion_model.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <cstddef>

namespace lloyd {

ConfusionModel::ConfusionModel(const ClassWatch& watch, QObject* parent)
    : QAbstractTableModel(parent), watch_(watch) {
  connect(&watch, &ClassWatch::changed, this, &ConfusionModel::take);
  take();
}

/// Numbers alone leave selection and scrolling where they are.
void ConfusionModel::take() {
  const ClassAgreementPtr& next = watch_.last();
  if (shown_ == next) return;
  const bool alike = shown_ && next && shown_->confusion.clusters == next->confusion.clusters &&
                     shown_->classes == next->classes;
  if (!alike) beginResetModel();
  shown_ = next;
  if (!alike)
    endResetModel();
  else if (rowCount() > 0 && columnCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QVariant ConfusionModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Confusion& confusion = shown_->confusion;
  const std::uint64_t count = confusion.at(index.row(), index.column());
  const std::uint64_t size = confusion.clusterSize(index.row());
  const double share = size > 0 ? static_cast<double>(count) / static_cast<double>(size) : 0;
  switch (role) {
  case Qt::DisplayRole:
    return countText(count);
  case Qt::TextAlignmentRole:
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  case Qt::ToolTipRole:
    return tr("%1 of the %2 of cluster %3 are %4, %5 %")
        .arg(countText(count), pointsText(size))
        .arg(index.row())
        .arg(qtext(shown_->classes[static_cast<std::size_t>(index.column())]), percentText(share));
  case shareRole:
    return share;
  default:
    return {};
  }
}

QVariant ConfusionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (!shown_ || section < 0) return {};
  if (orientation == Qt::Vertical) {
    if (section >= shown_->confusion.clusters) return {};
    if (role == Qt::DisplayRole) return tr("cluster %1").arg(section);
    if (role == Qt::ToolTipRole) return pointsText(shown_->confusion.clusterSize(section));
    return {};
  }
  if (section >= shown_->confusion.classes) return {};
  const QString text = qtext(shown_->classes[static_cast<std::size_t>(section)]);
  if (role == Qt::DisplayRole) return text;
  if (role == Qt::ToolTipRole)
    return QStringLiteral("%1: %2").arg(text, pointsText(shown_->confusion.classSize(section)));
  return {};
}

QString classSentence(const ClassWatch& watch) { return watch.last() ? classText(*watch.last()) : QString(); }

} // namespace lloyd
