// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/classes/class_watch.hpp"

#include <QAbstractTableModel>
#include <QString>

namespace lloyd {

/// A ClassWatch's confusion table: a row a cluster, a column a class. The watch must outlive it. GUI thread.
class ConfusionModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int shareRole = Qt::UserRole; ///< double: the part of the cluster that the class has

  explicit ConfusionModel(const ClassWatch& watch, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() || !shown_ ? 0 : shown_->confusion.clusters;
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() || !shown_ ? 0 : shown_->confusion.classes;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  void take();

  const ClassWatch& watch_;
  ClassAgreementPtr shown_;
};

/// "species: adjusted Rand 0.7302, normalised mutual information 0.7582"; empty without a class.
[[nodiscard]] QString classSentence(const ClassWatch& watch);

} // namespace lloyd
