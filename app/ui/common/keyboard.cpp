// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/keyboard.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLayout>
#include <QLineEdit>
#include <QList>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTextEdit>
#include <QVariant>

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

/// Whether a key moves in a text that is only read: by characters, words and lines, with Shift marking. Page
/// keys stay the window's, which turns to the next variant with them, as the key of a lecturer's pointer
/// does.
bool movesInText(const QObject* control, const QKeyEvent& key) {
  if (!isAny<QPlainTextEdit, QTextEdit>(control) || !moves(key.key())) return false;
  if (key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown)
    return (key.modifiers() & Qt::ShiftModifier) && !(key.modifiers() & Qt::AltModifier);
  return !(key.modifiers() & (Qt::AltModifier | Qt::MetaModifier));
}

bool needs(const QObject* control, const QKeyEvent& key) {
  if (movesInText(control, key)) return true;
  const bool marks = isAny<QAbstractItemView>(control) && moves(key.key());
  const Qt::KeyboardModifiers own = marks ? Qt::KeypadModifier | Qt::ShiftModifier : Qt::KeypadModifier;
  if (key.modifiers() & ~own) return false;
  if (isAny<QAbstractButton, QComboBox, QAbstractItemView>(control) && key.key() == Qt::Key_Space)
    return true;
  // A row of tabs has no pages.
  if (isAny<QTabBar>(control) && (key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown)) return false;
  return isAny<QComboBox, QAbstractItemView, QAbstractSpinBox, QAbstractSlider, QTabBar>(control) &&
         moves(key.key());
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

/// Whether a field of a number shows what was typed and not yet taken.
bool isEdited(const QObject* control) {
  if (!isAny<QAbstractSpinBox>(control)) return false;
  const auto* line = control->findChild<QLineEdit*>();
  return line && line->isModified();
}

bool undoes(const QKeyEvent& key) {
  return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo);
}

/// Whether a field has something of its own to undo, or to redo; else the window has.
bool undoesItself(const QObject* control, const QKeyEvent& key) {
  const auto* line = qobject_cast<const QLineEdit*>(control);
  if (!line) return isEdited(control);
  return key.matches(QKeySequence::Undo) ? line->isUndoAvailable() : line->isRedoAvailable();
}

/// The field shows its number again.
void restore(QObject* field) {
  if (auto* whole = qobject_cast<QSpinBox*>(field)) whole->setValue(whole->value());
  if (auto* real = qobject_cast<QDoubleSpinBox*>(field)) real->setValue(real->value());
}

class Walk {
public:
  void widget(QWidget* widget) {
    if (!widget || seen_.contains(widget)) return;
    seen_ << widget;
    if ((widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy()) stops_ << widget;
    // What these are made of is theirs.
    if (qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
        qobject_cast<QAbstractItemView*>(widget))
      return;
    if (auto* splitter = qobject_cast<QSplitter*>(widget))
      for (int i = 0; i < splitter->count(); ++i)
        this->widget(splitter->widget(i));
    if (auto* tabs = qobject_cast<QTabWidget*>(widget)) {
      // The bar takes the keys itself: the frame around it would send Tab back to it, and as long as the bar
      // is its proxy, has the bar's policy.
      tabs->setFocusProxy(nullptr);
      tabs->setFocusPolicy(Qt::NoFocus);
      tabs->tabBar()->setFocusPolicy(Qt::TabFocus);
      stops_.removeOne(tabs);
      this->widget(tabs->tabBar());
      for (int i = 0; i < tabs->count(); ++i)
        this->widget(tabs->widget(i));
    }
    if (auto* area = qobject_cast<QScrollArea*>(widget)) this->widget(area->widget());
    layout(widget->layout());
  }

  [[nodiscard]] const QList<QWidget*>& stops() const { return stops_; }

private:
  void layout(QLayout* layout) {
    for (int i = 0; layout && i < layout->count(); ++i) {
      QLayoutItem* item = layout->itemAt(i);
      widget(item->widget());
      if (item->layout()) this->layout(item->layout());
    }
  }

  QList<QWidget*> seen_;
  QList<QWidget*> stops_;
};

constexpr const char* keysProperty = "keys";

/// A number is finished: keys go to what its view is about, as Memory's picture, and else to the window.
void leave(QWidget& number) {
  for (QWidget* view = number.parentWidget(); view && !view->isWindow(); view = view->parentWidget())
    if (QWidget* about = keysOf(*view); about && about->isVisible() && about->isEnabled())
      return about->setFocus(Qt::OtherFocusReason);
  number.clearFocus();
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
    if (needs(watched, key) || (key.key() == Qt::Key_Escape && isEdited(watched))) {
      event->accept();
      return true;
    }
    if (undoes(key) && isAny<QAbstractSpinBox, QLineEdit>(watched)) {
      event->setAccepted(undoesItself(watched, key));
      return true;
    }
    if (swallows(watched, key)) {
      event->ignore();
      return true;
    }
  }
  if (event->type() == QEvent::KeyPress && isAny<QAbstractSpinBox>(watched)) {
    const auto& key = static_cast<QKeyEvent&>(*event);
    if ((key.key() == Qt::Key_Escape || undoes(key)) && isEdited(watched)) {
      if (!key.matches(QKeySequence::Redo)) restore(watched);
      return true;
    }
    if (swallows(watched, key)) return true; // no shortcut has it, and it is no number's
    if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter)
      QMetaObject::invokeMethod(
          widget, [widget] { leave(*widget); }, Qt::QueuedConnection);
  }
  return false;
}

void setKeysOf(QWidget& view, QWidget* control) {
  view.setProperty(keysProperty, QVariant::fromValue(QPointer<QWidget>(control)));
}

QWidget* keysOf(const QWidget& view) { return view.property(keysProperty).value<QPointer<QWidget>>(); }

void tabInReadingOrder(QWidget& panel) {
  Walk walk;
  walk.widget(&panel);
  for (qsizetype i = 1; i < walk.stops().size(); ++i)
    QWidget::setTabOrder(walk.stops()[i - 1], walk.stops()[i]);
}

} // namespace lloyd
