// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/box_plot_strip.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr int margin = 10;

} // namespace

BoxPlotStrip::BoxPlotStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pairStrip"));
  setAccessibleName(tr("How the samples of A and B are spread"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

QSize BoxPlotStrip::sizeHint() const { return {200, 4 * fontMetrics().height() + 16}; }

BoxPlotStrip::Box BoxPlotStrip::boxOf(const std::vector<double>& samples) {
  const std::vector<double> sorted = sortedFinite(samples);
  if (sorted.empty()) return {};
  return {sorted.size(),         quantile(sorted, 0.05), quantile(sorted, 0.25),
          quantile(sorted, 0.5), quantile(sorted, 0.75), quantile(sorted, 0.95)};
}

QString BoxPlotStrip::words(const QString& side, const Box& box) {
  if (box.samples == 0) return tr("%1: no samples yet").arg(side);
  return tr("%1: median %2 µs, middle half %3 to %4 µs, middle 90 % %5 to %6 µs, of %7 samples")
      .arg(side, microsecondsText(box.median), microsecondsText(box.first), microsecondsText(box.third),
           microsecondsText(box.low), microsecondsText(box.high), countText(box.samples));
}

void BoxPlotStrip::show(const QString& title, const std::vector<double>& a, const std::vector<double>& b) {
  title_ = title;
  a_ = boxOf(a);
  b_ = boxOf(b);
  const QString text = words(QStringLiteral("A"), a_) + QLatin1Char('\n') + words(QStringLiteral("B"), b_);
  setToolTip(text);
  setAccessibleDescription(title + QLatin1Char('\n') + text);
  update();
}

void BoxPlotStrip::paintEvent(QPaintEvent*) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme.panel);
  const QFontMetrics metrics = fontMetrics();
  const int line = metrics.height();
  painter.setPen(theme.dim);
  painter.drawText(QRect(margin, 4, width() - 2 * margin, line), Qt::AlignLeft,
                   metrics.elidedText(title_, Qt::ElideRight, width() - 2 * margin));
  if (a_.samples + b_.samples == 0) {
    painter.drawText(QRect(margin, 4 + line, width() - 2 * margin, 2 * line),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("No samples yet: play or step"));
    return;
  }
  const Box& some = a_.samples > 0 ? a_ : b_;
  double low = some.low, high = some.high;
  for (const Box* box : {&a_, &b_}) {
    if (box->samples == 0) continue;
    low = std::min(low, box->low);
    high = std::max(high, box->high);
  }
  const double room = std::max((high - low) * 0.04, high * 1e-3);
  low -= room;
  high += room;
  const int left = margin + metrics.horizontalAdvance(QLatin1Char('B')) + 8;
  const int right = width() - margin;
  const auto at = [&](double us) { return left + (us - low) / (high - low) * (right - left); };
  const int tall = std::clamp((height() - 2 * line - 14) / 2, line, 3 * line);
  int top = 6 + line;
  for (const auto& [side, box] : {std::pair{QStringLiteral("A"), &a_}, std::pair{QStringLiteral("B"), &b_}}) {
    const double middle = top + tall / 2.0;
    painter.setPen(theme.text);
    painter.drawText(QRect(margin, top, left - margin, tall), Qt::AlignLeft | Qt::AlignVCenter, side);
    if (box->samples > 0) {
      painter.setPen(QPen(theme.dim, 1.5));
      painter.drawLine(QPointF(at(box->low), middle), QPointF(at(box->high), middle));
      painter.setPen(QPen(theme.accent, 1.2));
      painter.setBrush(theme.control);
      const double wide = std::max(2.0, at(box->third) - at(box->first));
      painter.drawRoundedRect(QRectF(at(box->first), middle - tall * 0.34, wide, tall * 0.68), 2, 2);
      painter.setPen(QPen(theme.text, 2.4));
      painter.drawLine(QPointF(at(box->median), middle - tall * 0.4),
                       QPointF(at(box->median), middle + tall * 0.4));
    } else {
      painter.setPen(theme.dim);
      painter.drawText(QRect(left, top, right - left, tall), Qt::AlignLeft | Qt::AlignVCenter, unknownText());
    }
    top += tall;
  }
  painter.setPen(theme.dim);
  painter.drawLine(left, top + 1, right, top + 1);
  painter.drawText(QRect(left, top + 2, right - left, line), Qt::AlignLeft,
                   microsecondsText(std::max(0.0, low)));
  painter.drawText(QRect(left, top + 2, right - left, line), Qt::AlignRight, microsecondsText(high));
}

} // namespace lloyd
