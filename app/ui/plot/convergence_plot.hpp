// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

#include <QWidget>

#include <deque>

class QCheckBox;
class QCustomPlot;

namespace lloyd {

class ElidedLabel;

/// Inertia over iterations of the present run, on a linear or logarithmic axis.
class ConvergencePlot : public QWidget {
  Q_OBJECT
public:
  explicit ConvergencePlot(QWidget* parent = nullptr);
  void show(const std::deque<IterationStats>& history);

protected:
  void changeEvent(QEvent* event) override;

private:
  void paintTheme();
  void setLogarithmic(bool on);

  ElidedLabel* title_;
  QCheckBox* logarithmic_;
  QCustomPlot* plot_;
};

} // namespace lloyd
