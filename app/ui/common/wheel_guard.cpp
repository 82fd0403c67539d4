// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/wheel_guard.hpp"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

namespace lloyd {

namespace {

bool changesByWheel(const QObject* control) {
  return qobject_cast<const QAbstractSpinBox*>(control) || qobject_cast<const QComboBox*>(control) ||
         qobject_cast<const QSlider*>(control);
}

} // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
  const bool wheel = event->type() == QEvent::Wheel;
  if ((!wheel && event->type() != QEvent::Polish) || !changesByWheel(watched)) return false;
  auto* control = static_cast<QWidget*>(watched);
  if (!wheel) {
    // A control is polished before it is shown, so no wheel comes earlier. A list that was chosen from with
    // the mouse leaves the keys to the window: Space goes on playing.
    const auto* list = qobject_cast<const QComboBox*>(control);
    if (control->focusPolicy() == Qt::WheelFocus)
      control->setFocusPolicy(list && !list->isEditable() ? Qt::TabFocus : Qt::StrongFocus);
    return false;
  }
  const QWidget* focused = QApplication::focusWidget();
  if (focused && (focused == control || control->isAncestorOf(focused))) return false;
  // Ignored, it goes on to the parent, which scrolls.
  event->ignore();
  return true;
}

} // namespace lloyd
