// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

#include <QTimer>
#include <QToolBar>

class QLabel;
class QSlider;

namespace lloyd {

class Actions;

/// Play, step, restart; where the run stands; how fast it goes; and the workspaces.
class ToolBar : public QToolBar {
  Q_OBJECT
public:
  ToolBar(Session& session, const Actions& actions, QWidget* parent = nullptr);
  /// A step of the iteration rate, 1 or -1.
  void changeRate(int direction);
  /// Whether every iteration is shown as it comes; else some of them, when they come at full speed.
  void showEvery(bool every) { every_ = every; }

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void showState();
  void iterated();
  void showIteration();
  void fixIteration();
  void rateMoved(int step);

  Session& session_;
  QLabel* iteration_;
  QLabel* points_;
  QLabel* clusters_;
  QSlider* rate_;
  QLabel* rateText_;
  bool every_ = false;
  QTimer shown_;          ///< until the next iteration is shown at full speed
  QList<QAction*> spare_; ///< the places of labels that a narrow window does without
};

} // namespace lloyd
