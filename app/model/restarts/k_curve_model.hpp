// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/k_curve_runner.hpp"

#include <QAbstractTableModel>
#include <QString>

#include <optional>

namespace lloyd {

/// What a KCurveRunner has found: a row for each number of clusters, with the scores of its best run. The
/// runner must outlive it. GUI thread.
class KCurveModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    kColumn,
    inertiaColumn,
    silhouetteColumn,
    daviesBouldinColumn,
    calinskiHarabaszColumn,
    runsColumn, ///< "10", or "8 of 10" of a row that more runs may change
    columns
  };
  enum Role {
    suggestedRole = Qt::UserRole, ///< bool: what the cell's score would choose
    shownRole                     ///< bool: the row is what the session has
  };

  explicit KCurveModel(const KCurveRunner& runner, QObject* parent = nullptr);

  /// Which number of clusters the window shows.
  void setShown(int k);
  [[nodiscard]] int kAt(int row) const { return runner_.points()[static_cast<std::size_t>(row)].k; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(runner_.points().size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(columns);
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  [[nodiscard]] QString toolTip(const KPoint& point, int column) const;
  [[nodiscard]] QString runsText(const KPoint& point) const;

  const KCurveRunner& runner_;
  int shown_ = 0;
};

/// What the scores suggest, in one sentence without its full stop; empty without a curve.
[[nodiscard]] QString kCurveSentence(const KCurveRunner& runner);

} // namespace lloyd
