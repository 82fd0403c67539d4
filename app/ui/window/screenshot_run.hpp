// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/window/window_options.hpp"

#include <QEventLoop>
#include <QObject>
#include <QTimer>

namespace lloyd {

class MainWindow;

/// Waits until a window has shown its frames and has nothing left to draw.
class ScreenshotWait : public QObject {
  Q_OBJECT
public:
  ScreenshotWait(MainWindow& window, int frames);
  /// Empty when there is something to show; else what went wrong.
  [[nodiscard]] QString wait();

private:
  void frame();
  void look();

  MainWindow& window_;
  QEventLoop loop_;
  QTimer look_;
  QTimer patience_;
  int left_;
  bool pausing_ = false;
  QString said_;  ///< the last thing that went wrong, which need not be the end
  QString error_; ///< why there is nothing to show
};

} // namespace lloyd
