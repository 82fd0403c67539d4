// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/point_selection.hpp"

#include <QAbstractTableModel>

namespace lloyd {

/// The first of the selected rows, with every column of their table: above them the means of the columns that
/// are clustered. The selection and the session must outlive it. GUI thread.
class SelectedRowsModel : public QAbstractTableModel {
  Q_OBJECT
public:
  SelectedRowsModel(const Session& session, const PointSelection& selection, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  /// Of the columns that are clustered, which column of the table has which mean.
  [[nodiscard]] QString meanText(std::size_t column) const;

  const Session& session_;
  const PointSelection& selection_;
  SharedPointSet points_;
  SelectionSummary summary_;
};

} // namespace lloyd
