// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/plain_labels.hpp"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace lloyd {

PlainLabels::PlainLabels(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool PlainLabels::eventFilter(QObject* watched, QEvent* event) {
  // A label is polished before its text is laid out for the first time, and a tooltip is a label of Qt's own.
  if (event->type() == QEvent::Polish) {
    if (auto* label = qobject_cast<QLabel*>(watched)) label->setTextFormat(Qt::PlainText);
  }
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
