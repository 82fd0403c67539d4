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

#include <algorithm>
#include <iterator>

namespace lloyd {

namespace {

bool moves(int key) {
  constexpr int keys[] = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,
                          Qt::Key_Home, Qt::Key_End,   Qt::Key_PageUp, Qt::Key_PageDown};
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

template <class... Types>
bool isAny(const QObject* control) {
  return (qobject_cast<const Types*>(control) || ...);
}

bool needs(const QObject* control, const QKeyEvent& key) {
  if (key.modifiers() & ~Qt::KeypadModifier) return false;
  if (isAny<QAbstractButton, QComboBox, QAbstractItemView>(control) && key.key() == Qt::Key_Space)
    return true;
  return isAny<QComboBox, QAbstractItemView, QAbstractSpinBox, QAbstractSlider>(control) && moves(key.key());
}

/// Whether a field of a number would swallow a key that is no part of one; 1e6 is a number to some.
bool swallows(const QObject* control, const QKeyEvent& key) {
  const auto* field = qobject_cast<const QAbstractSpinBox*>(control);
  if (!field || key.text().isEmpty()) return false;
  const QChar typed = key.text().front();
  if (typed == QLatin1Char(' ')) return true;
  if (!typed.isLetter()) return false;
  QString alone(typed);
  int at = 1;
  return field->validate(alone, at) == QValidator::Invalid;
}

} // namespace

ShortcutGuard::ShortcutGuard(QWidget* window) : QObject(window), window_(window) {
  qApp->installEventFilter(this);
}

bool ShortcutGuard::eventFilter(QObject* watched, QEvent* event) {
  auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget || widget->window() != window_) return false;
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = static_cast<QKeyEvent&>(*event);
    if (needs(watched, key)) {
      event->accept();
      return true;
    }
    if (swallows(watched, key)) {
      event->ignore();
      return true;
    }
  }
  if (event->type() == QEvent::KeyPress && isAny<QAbstractSpinBox>(watched)) {
    const auto& key = static_cast<QKeyEvent&>(*event);
    if (swallows(watched, key)) return true; // no shortcut has it, and it is no number's
    if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter)
      QMetaObject::invokeMethod(widget, qOverload<>(&QWidget::clearFocus), Qt::QueuedConnection);
  }
  return false;
}

} // namespace lloyd
