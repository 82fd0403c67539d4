// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/colour_key.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace lloyd {
namespace {

constexpr double rampWidth = 160;

QString lineText(const ColourKey& key, int line) {
  if (line < ColourKey::mostNames) return key.names[line];
  return QCoreApplication::translate("ColourLegend", "and %1 more")
      .arg(key.names.size() - ColourKey::mostNames);
}

void paintRamp(QPainter& painter, const QRectF& box, const ColourKey& key, double line) {
  QLinearGradient gradient(box.left(), 0, box.right(), 0);
  const auto steps = static_cast<double>(std::max<std::size_t>(1, key.colours.size() - 1));
  for (std::size_t i = 0; i < key.colours.size(); ++i)
    gradient.setColorAt(static_cast<double>(i) / steps, toQColor(key.colours[i]));
  painter.fillRect(QRectF(box.left(), box.top() + 2, box.width(), line - 4), gradient);
  const QRectF below(box.left(), box.top() + line, box.width(), line);
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, withSeparators(key.names.value(0)));
  painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, withSeparators(key.names.value(1)));
}

} // namespace

int ColourKey::lines() const {
  if (ramp) return 2;
  return static_cast<int>(std::min(names.size(), mostNames)) + (names.size() > mostNames ? 1 : 0);
}

int colourKeyLine(const QFont& font) { return qRound(QFontMetricsF(font).height()) + 2; }

QSizeF colourKeySize(const QFont& font, const ColourKey& key) {
  const QFontMetricsF metrics(font);
  const int line = colourKeyLine(font);
  double width = key.ramp ? rampWidth : 0;
  for (int i = 0; !key.ramp && i < key.lines(); ++i)
    width = std::max(width, line + 3 + metrics.horizontalAdvance(lineText(key, i)));
  return {std::max(width, metrics.horizontalAdvance(key.title)),
          static_cast<double>(line * (key.lines() + 1))};
}

void paintColourKey(QPainter& painter, const QRectF& box, const ColourKey& key) {
  if (key.empty()) return;
  const int line = colourKeyLine(painter.font());
  painter.setPen(UiTheme::current().text);
  if (key.ramp) return paintRamp(painter, box, key, line);
  const QFontMetricsF metrics(painter.font());
  const double square = line - 6;
  for (int i = 0; i < key.lines(); ++i) {
    const QRectF at(box.left(), box.top() + i * line, box.width(), line);
    if (i < ColourKey::mostNames && static_cast<std::size_t>(i) < key.colours.size())
      painter.fillRect(QRectF(at.left() + 2, at.top() + 3, square, square),
                       toQColor(key.colours[static_cast<std::size_t>(i)]));
    const QRectF text = at.adjusted(square + 8, 0, 0, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(lineText(key, i), Qt::ElideRight, text.width()));
  }
}

} // namespace lloyd
