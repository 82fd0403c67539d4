// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"
#include "app/model/teach/wait_model.hpp"
#include "app/ui/plot/share_bars.hpp"

#include <QWidget>

#include <string>

class QLabel;
class QTableView;

namespace lloyd {

/// Why the warps of both versions waited on a card, as its profiler counted once: bars on one scale, a table
/// that is their legend, what the text says of it, and what was found. Hidden where nothing was counted.
class WaitView : public QWidget {
  Q_OBJECT
public:
  explicit WaitView(QWidget* parent = nullptr);
  /// card: the one that computes here, whose table is taken where there is one.
  void showWaits(const TeachSubject& subject, const std::string& card);
  /// Columns and rows for the present font in so many pixels; returns the width that they need.
  int fit(int room = QWIDGETSIZE_MAX);
  [[nodiscard]] const WaitModel& model() const { return model_; }
  [[nodiscard]] QString diagnosis() const;

protected:
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] static ShareBar barOf(const WaitModel::Version& version);
  void renewBars();

  WaitModel model_;
  QLabel* caption_;
  ShareBars* bars_;
  QTableView* table_;
  QLabel* diagnosis_;
};

} // namespace lloyd
