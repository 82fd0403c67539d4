// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/elided_combo.hpp"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace lloyd {

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

} // namespace lloyd
