// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/timeline_figure.hpp"

#include <QAbstractTableModel>

#include <cstddef>
#include <vector>

namespace lloyd {

/// Bars of timelines as a table: one a row, in the order in which they begin, the copies of engines left out
/// because they are the queues'. GUI thread.
class TimelineTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { run, row, what, set, begin, duration, bytes, columns };

  explicit TimelineTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// The bars that lie, if only in part, between two moments since their runs began.
  void show(const NamedTimelines& timelines, double from, double to);
  /// How many bars there are in all.
  [[nodiscard]] std::size_t all() const { return all_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(places_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : columns;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  [[nodiscard]] QString cell(const TimelinePlace& place, int column) const;

  NamedTimelines timelines_;
  std::vector<TimelinePlace> places_;
  std::size_t all_ = 0;
};

} // namespace lloyd
