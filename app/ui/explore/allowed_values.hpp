// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QToolTip>
#include <QWidget>

namespace lloyd {

/// Says below a field what it takes, where something else was typed: the field goes back to what it had.
inline void tellAllowed(const QWidget& field, const QString& sentence) {
  QToolTip::showText(field.mapToGlobal(QPoint(0, field.height())), sentence);
}

} // namespace lloyd
