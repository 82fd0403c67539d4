// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/instruction_mix.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "app/ui/plot/share_bars.hpp"

#include <QWidget>

class QLabel;
class QTableView;

namespace lloyd {

class ElidedLabel;

/// The mix of instructions in the inner loops of both versions: bars, and below them a table that is their
/// legend. Hidden where nothing of this version was counted.
class InstructionView : public QWidget {
  Q_OBJECT
public:
  explicit InstructionView(QWidget* parent = nullptr);
  void showMix(const TeachSubject& subject);
  /// Columns and rows for the present font in so many pixels; returns the width that they need.
  int fit(int room = QWIDGETSIZE_MAX);
  [[nodiscard]] const InstructionModel& model() const { return model_; }

protected:
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] ShareBar barOf(const InstructionModel::Version& version) const;
  void renewBars();

  InstructionModel model_;
  QLabel* caption_;
  ShareBars* bars_;
  QTableView* table_;
  ElidedLabel* whereBefore_; ///< the lines of the loops
  ElidedLabel* whereNow_;
};

} // namespace lloyd
