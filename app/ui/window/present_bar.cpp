// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/present_bar.hpp"

#include "app/ui/common/theme.hpp"

#include <QPainter>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace lloyd {

PresentBar::PresentBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Headline"));
  hide();
}

int PresentBar::letterPixels() const {
  const int height = screen() ? screen()->size().height() : 900;
  return std::max(20, static_cast<int>(std::ceil(0.032 * height)));
}

QSize PresentBar::sizeHint() const { return {400, 4 * letterPixels()}; }

void PresentBar::showText(const QString& headline, const QStringList& numbers) {
  headline_ = headline;
  numbers_ = numbers.mid(0, 3);
  setAccessibleDescription(headline_ + QStringLiteral(". ") + numbers_.join(QStringLiteral(", ")));
  update();
}

void PresentBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const UiTheme& theme = UiTheme::current();
  painter.fillRect(rect(), theme.view);
  QFont large = font();
  large.setPixelSize(letterPixels() + letterPixels() / 4);
  large.setBold(true);
  QFont plain = font();
  plain.setPixelSize(letterPixels());
  const QRect inside = rect().adjusted(24, 6, -24, -10);
  const QRect top(inside.left(), inside.top(), inside.width(), inside.height() / 2);
  const QRect below(inside.left(), top.bottom(), inside.width(), inside.height() - top.height());
  painter.setPen(theme.text);
  painter.setFont(large);
  painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(headline_, Qt::ElideRight, top.width()));
  painter.setFont(plain);
  painter.setPen(theme.dim);
  const QString line = numbers_.join(QStringLiteral("   "));
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(line, Qt::ElideRight, below.width()));
}

} // namespace lloyd
