// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

namespace lloyd {

/// Window-wide single keys (Space, Right, Home, Page Up) must not take a key from a focused control that
/// needs it: a button is pressed with Space, a list walked with Page Down. A number's field takes what
/// belongs to a number and gives all other keys to the window, and after Enter all of them. Installed on the
/// application, for widgets of one window.
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
