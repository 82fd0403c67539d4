// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/lying_bars.hpp"

#include "app/plot/merged_spans.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr int paleAlpha = 115;
constexpr double beyond = 4;      ///< pixels that a bar may reach out of sight
constexpr double leastToPart = 5; ///< pixels of a bar that gives its last one to a gap
constexpr double wordsMargin = 4;

} // namespace

LyingBars::LyingBars(QCPAxis* x, QCPAxis* y, const PlotSeries& series)
    : QCPAbstractPlottable(x, y), series_(series) {
  setName(series.name);
  setSelectable(QCP::stNone);
  const std::size_t count = series.points.size() / 2;
  reached_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double height = series.points[2 * i].y();
    if (rows_.empty() || rows_.back().y != height || beginOf(i) < beginOf(i - 1))
      rows_.push_back({height, i, i});
    Row& row = rows_.back();
    row.last = i + 1;
    reached_.push_back(row.first == i ? endOf(i) : std::max(reached_.back(), endOf(i)));
  }
}

QCPRange LyingBars::getKeyRange(bool& found, QCP::SignDomain) const {
  found = !reached_.empty();
  if (!found) return {};
  double low = beginOf(0);
  double high = low;
  for (const Row& row : rows_) {
    low = std::min(low, beginOf(row.first));
    high = std::max(high, reached_[row.last - 1]);
  }
  return {low, high};
}

QCPRange LyingBars::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
  found = !rows_.empty();
  if (!found) return {};
  const auto [low, high] = std::ranges::minmax_element(rows_, {}, &Row::y);
  return {low->y - series_.bar / 2, high->y + series_.bar / 2};
}

void LyingBars::draw(QCPPainter* painter) {
  drawn_ = 0;
  painter->setAntialiasing(false);
  painter->setFont(keyAxis()->tickLabelFont());
  for (const Row& row : rows_)
    drawRow(*painter, row);
}

void LyingBars::drawRow(QCPPainter& painter, const Row& row) {
  const QCPAxis& x = *keyAxis();
  const QCPAxis& y = *valueAxis();
  const double top = y.coordToPixel(row.y - series_.bar / 2);
  const double foot = y.coordToPixel(row.y + series_.bar / 2);
  const QRectF area = x.axisRect()->rect();
  if (!(std::max(top, foot) >= area.top() && std::min(top, foot) <= area.bottom())) return;
  // Ends are reached in ascending order, and begins ascend: what is seen is a part between two places.
  const QCPRange seen = x.range();
  const auto from = static_cast<std::size_t>(
      std::lower_bound(reached_.begin() + static_cast<std::ptrdiff_t>(row.first),
                       reached_.begin() + static_cast<std::ptrdiff_t>(row.last), seen.lower) -
      reached_.begin());
  std::size_t to = from;
  for (std::size_t size = row.last - from; size > 0;) { // the first that begins out of sight
    const std::size_t half = size / 2;
    if (beginOf(to + half) <= seen.upper) {
      to += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  const bool even = x.scaleType() == QCPAxis::stLinear;
  const double pixel = even ? seen.size() / std::max(1.0, area.width()) : 0;
  const auto at = [this](std::size_t i) { return std::pair(beginOf(i), endOf(i)); };
  for (const MergedSpan& span : mergedSpans(from, to, at, pixel)) {
    const auto [left, right] =
        std::minmax({std::clamp(x.coordToPixel(span.begin), area.left() - beyond, area.right() + beyond),
                     std::clamp(x.coordToPixel(span.end), area.left() - beyond, area.right() + beyond)});
    if (!std::isfinite(left) || !std::isfinite(right)) continue;
    const bool named = span.count == 1 && span.first < series_.within.size();
    drawBar(
        painter,
        QRectF(QPointF(left, std::min(top, foot)), QPointF(std::max(right, left + 1), std::max(top, foot))),
        named ? series_.within[span.first] : QString());
  }
}

void LyingBars::drawBar(QCPPainter& painter, const QRectF& bar, const QString& words) {
  ++drawn_;
  const QColor colour = colourOf(series_.ink);
  if (series_.hollow) {
    painter.setPen(QPen(colour, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    return;
  }
  QColor fill = colour;
  if (series_.pale) fill.setAlpha(paleAlpha);
  // Neighbours that touch are told apart by the ground between them.
  const bool parted = !series_.within.empty() && bar.width() >= leastToPart;
  painter.fillRect(parted ? bar.adjusted(0, 0, -1, 0) : bar, fill);
  // Measuring words costs more than all the rest of a bar.
  if (words.isEmpty() || bar.width() <= 2 * wordsMargin) return;
  const QFontMetricsF metrics(painter.font());
  const QRectF room = bar & QRectF(keyAxis()->axisRect()->rect());
  if (metrics.height() > room.height() + 2 ||
      metrics.horizontalAdvance(words) + 2 * wordsMargin > room.width())
    return;
  painter.setPen(QPen(inkOn(colour)));
  painter.drawText(room, Qt::AlignCenter, words);
}

void LyingBars::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
  painter->fillRect(rect.adjusted(0, 1, 0, -1), colourOf(series_.ink));
}

} // namespace lloyd
