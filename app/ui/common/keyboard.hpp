// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

class QWidget;

namespace lloyd {

/// Window-wide single keys (Space, Right, Home, Page Up) must not take a key from a focused control that
/// needs it: a button is pressed with Space, a list walked with Page Down. A number's field takes what
/// belongs to a number and gives all other keys to the window, and after Enter all of them. Undo is the
/// window's where a field has nothing of its own to undo. Installed on the application, for widgets of one
/// window.
class ShortcutGuard : public QObject {
  Q_OBJECT
public:
  explicit ShortcutGuard(QWidget* window);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  QWidget* window_;
};

/// The control that gets the keys when a view is turned to; null for none. Not Qt's focus proxy of the view:
/// Tab would follow that from wherever the view stands in the chain, and so go round within it for ever.
void setKeysOf(QWidget& view, QWidget* control);
/// Null where none was set, or it is gone.
[[nodiscard]] QWidget* keysOf(const QWidget& view);

/// Lets Tab go through the controls of a panel as the eye does: in the order of its layouts, splitters and
/// tabs, whatever the order was in which they were made.
void tabInReadingOrder(QWidget& panel);

} // namespace lloyd
