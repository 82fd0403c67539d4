// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/elided_label.hpp"

#include <QHelpEvent>
#include <QPainter>
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

} // namespace lloyd
