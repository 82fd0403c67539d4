// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/steps/measured_model.hpp"
#include "app/model/teach/teach_subject.hpp"

#include <QWidget>

#include <string>

class QLabel;
class QTableView;

namespace lloyd {

/// What a card did with both versions: time, registers, bytes, occupancy, IPC and issue slots. Hidden where
/// nothing was measured.
class MeasuredView : public QWidget {
  Q_OBJECT
public:
  explicit MeasuredView(QWidget* parent = nullptr);
  /// card: the one that computes here, whose table is taken where there is one.
  void showMeasured(const TeachSubject& subject, const std::string& card);
  /// Columns and rows for the present font in so many pixels; returns the width that they need.
  int fit(int room = QWIDGETSIZE_MAX);
  [[nodiscard]] const MeasuredModel& model() const { return model_; }

private:
  MeasuredModel model_;
  QLabel* caption_;
  QTableView* table_;
};

} // namespace lloyd
