// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/labels.hpp"

#include <QApplication>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

#include <algorithm>

namespace lloyd {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setHeadline() {
  QFont large = font();
  large.setBold(true);
  large.setPointSizeF(large.pointSizeF() * 1.15);
  setFont(large);
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 6, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QRect line = contentsRect().adjusted(0, 0, -std::max(0, indent()), 0);
  painter.drawText(line, int(alignment()), fontMetrics().elidedText(text(), Qt::ElideRight, line.width()));
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const bool cut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
    const QString tip =
        cut ? (toolTip().isEmpty() ? text() : text() + QLatin1Char('\n') + toolTip()) : toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
  }
  return QLabel::event(event);
}

void ElidedCombo::paintEvent(QPaintEvent* /*event*/) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 4);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

PlainLabels::PlainLabels(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool PlainLabels::eventFilter(QObject* watched, QEvent* event) {
  // A label is polished before its text is laid out for the first time, and a tooltip is a label of Qt's own.
  if (event->type() == QEvent::Polish) {
    if (auto* label = qobject_cast<QLabel*>(watched)) label->setTextFormat(Qt::PlainText);
  }
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
