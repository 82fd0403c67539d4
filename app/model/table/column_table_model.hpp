// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/table/table.hpp"

#include <QAbstractTableModel>

#include <cstdint>
#include <utility>

namespace lloyd {

/// Every column of the data, one a row: what it is called, its type, range, missing values and role. Of
/// points from no table of text, those of the points. GUI thread.
class ColumnTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { nameColumn, roleColumn, typeColumn, rangeColumn, missingColumn, columnCountOf };

  using QAbstractTableModel::QAbstractTableModel;

  void setPoints(const SharedPointSet& points);
  [[nodiscard]] const SharedPointSet& points() const { return points_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : columnCountOf;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  SharedPointSet points_;
};

/// The first rows of the data, as they are in all columns of their table.
class FirstRowsModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int mostRows = 100;

  explicit FirstRowsModel(SharedPointSet points, QObject* parent = nullptr)
      : QAbstractTableModel(parent), points_(std::move(points)) {}

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  SharedPointSet points_;
};

/// What a role is called in the window.
[[nodiscard]] QString roleText(ColumnRole role);

} // namespace lloyd
