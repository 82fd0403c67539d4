// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"

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

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showState();
  void rateMoved(int step);

  Session& session_;
  QLabel* iteration_;
  QLabel* points_;
  QLabel* clusters_;
  QSlider* rate_;
  QLabel* rateText_;
  QList<QAction*> spare_; ///< the places of labels that a narrow window does without
};

} // namespace lloyd
