// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/shortcut_guard.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QScrollBar>

namespace lloyd {

namespace {

bool moves(int key) {
  switch (key) {
  case Qt::Key_Left:
  case Qt::Key_Right:
  case Qt::Key_Up:
  case Qt::Key_Down:
  case Qt::Key_Home:
  case Qt::Key_End:
  case Qt::Key_PageUp:
  case Qt::Key_PageDown:
    return true;
  default:
    return false;
  }
}

bool needs(const QObject* control, const QKeyEvent& key) {
  if (key.modifiers() & ~Qt::KeypadModifier) return false;
  if (qobject_cast<const QAbstractButton*>(control)) return key.key() == Qt::Key_Space;
  if (qobject_cast<const QComboBox*>(control)) return key.key() == Qt::Key_Space || moves(key.key());
  if (qobject_cast<const QAbstractItemView*>(control)) return key.key() == Qt::Key_Space || moves(key.key());
  if (qobject_cast<const QAbstractSpinBox*>(control)) return moves(key.key());
  if (qobject_cast<const QAbstractSlider*>(control)) return moves(key.key());
  return false;
}

} // namespace

ShortcutGuard::ShortcutGuard(QWidget* window) : QObject(window), window_(window) {
  qApp->installEventFilter(this);
}

bool ShortcutGuard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget && widget->window() == window_ && needs(watched, static_cast<QKeyEvent&>(*event))) {
      event->accept();
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
