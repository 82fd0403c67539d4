// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

namespace lloyd {

/// Window-wide single keys (Space, Right, Home, Page Up) must not take a key from a focused control that
/// needs it: a button is pressed with Space, a list walked with Page Down. Installed on the application, for
/// widgets of one window.
class ShortcutGuard : public QObject {
  Q_OBJECT
public:
  explicit ShortcutGuard(QWidget* window);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  QWidget* window_;
};

} // namespace lloyd
