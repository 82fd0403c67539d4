// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTableView>

namespace lloyd {

class TimingTableModel;

/// The live table of times. Sums stand out, rows that were not part of the last iteration step back.
class TimingTable : public QTableView {
  Q_OBJECT
public:
  explicit TimingTable(TimingTableModel& model, QWidget* parent = nullptr);
  /// Makes columns fit what is in them; they only ever grow, so that numbers do not dance.
  void fitColumns();
  [[nodiscard]] QSize sizeHint() const override;
};

} // namespace lloyd
