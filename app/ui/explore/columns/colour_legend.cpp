// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/columns/colour_legend.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace lloyd {

ColourLegend::ColourLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setVisible(false);
}

void ColourLegend::setEntries(const QStringList& names, const std::vector<Rgb>& colours, bool ramp) {
  names_ = names;
  colours_ = colours;
  ramp_ = ramp;
  setVisible(!names.isEmpty());
  const QString all = ramp ? tr("From %1 to %2").arg(names.value(0), names.value(1))
                           : names.mid(0, mostNames).join(QStringLiteral(", "));
  setAccessibleName(tr("Colours: %1").arg(all));
  setToolTip(all);
  updateGeometry();
  update();
}

int ColourLegend::lines() const {
  if (ramp_) return 2;
  return static_cast<int>(std::min(names_.size(), mostNames)) + (names_.size() > mostNames ? 1 : 0);
}

QSize ColourLegend::sizeHint() const { return {160, lines() * (fontMetrics().height() + 2)}; }

void ColourLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int line = fontMetrics().height() + 2;
  painter.setPen(UiTheme::current().text);
  if (ramp_) {
    QLinearGradient gradient(0, 0, width(), 0);
    for (std::size_t i = 0; i < colours_.size(); ++i)
      gradient.setColorAt(static_cast<double>(i) /
                              static_cast<double>(std::max<std::size_t>(1, colours_.size() - 1)),
                          toQColor(colours_[i]));
    painter.fillRect(QRect(0, 2, width(), line - 4), gradient);
    const QRect below(0, line, width(), line);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, withSeparators(names_.value(0)));
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, withSeparators(names_.value(1)));
    return;
  }
  const int square = line - 6;
  for (int i = 0; i < lines(); ++i) {
    const bool more = i == mostNames;
    if (!more)
      painter.fillRect(QRect(2, i * line + 3, square, square),
                       toQColor(colours_[static_cast<std::size_t>(i)]));
    const QString text = more ? tr("and %1 more").arg(names_.size() - mostNames) : names_[i];
    painter.drawText(QRect(square + 8, i * line, width() - square - 8, line),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text, Qt::ElideRight, width() - square - 8));
  }
}

} // namespace lloyd
