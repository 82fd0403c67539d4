// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/axis_ticker.hpp"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr int tickWidth = 50; ///< pixels from one number on an axis to the next, at least
constexpr int tickHeight = 24;

} // namespace

void AxisTicker::fit(const QCPAxis& axis) {
  const bool level = axis.orientation() == Qt::Horizontal;
  const QFontMetrics metrics(axis.tickLabelFont());
  const auto& places = axis_.places;
  const auto widest = [&](const std::vector<PlotTick>& ticks) {
    int width = 1;
    for (const PlotTick& tick : ticks)
      width = std::max(width, metrics.horizontalAdvance(tick.label) + 8);
    return width;
  };
  if (places.empty()) {
    const int pixels = level ? axis.axisRect()->width() : axis.axisRect()->height();
    const int count = std::clamp(pixels / (level ? tickWidth : tickHeight), 3, 10);
    const int least = level ? widest(seen(axis.range()).ticksFor(count)) : metrics.ascent();
    most_ = std::max(2, pixels / std::max(1, least));
    setTickCount(count);
    return;
  }
  const int needed = level ? widest(places) : metrics.ascent();
  const double length =
      std::abs(axis.coordToPixel(places.back().value) - axis.coordToPixel(places.front().value));
  const double apart = length / std::max(1.0, static_cast<double>(places.size() - 1));
  every_ = std::max(1, static_cast<int>(std::ceil(needed / std::max(1.0, apart))));
  shortened_.clear();
  if (level && axis_.everyPlace && every_ > 1) putInRows(metrics, apart);
}

/// A text has the width of two places, and the outer ones that of one and what is free beside the axis.
void AxisTicker::putInRows(const QFontMetrics& metrics, double apart) {
  constexpr double fewLetters = 40;
  constexpr double between = 6;
  constexpr double beside = 8;
  every_ = std::max(1, static_cast<int>(std::ceil(fewLetters / std::max(1.0, 2 * apart))));
  const double room = 2 * apart * every_ - between;
  for (std::size_t i = 0; i < axis_.places.size(); ++i) {
    const bool outer = i == 0 || i + 1 == axis_.places.size();
    const double width = outer ? std::min(room, apart + 2 * beside) : room;
    shortened_.push_back(metrics.elidedText(axis_.places[i].label, Qt::ElideMiddle, static_cast<int>(width)));
  }
}

PlotAxis AxisTicker::seen(const QCPRange& range) const {
  PlotAxis axis = axis_;
  axis.low = range.lower;
  axis.high = range.upper;
  return axis;
}

/// Of places the last always gets a tick. Where there is no room for all, headings alone have theirs.
QVector<double> AxisTicker::createTickVector(double, const QCPRange& range) {
  ticks_.clear();
  if (axis_.places.empty()) {
    ticks_ = seen(range).ticksFor(tickCount(), most_);
  } else {
    const bool headings = every_ > 1 && std::ranges::any_of(axis_.places, &PlotTick::bold);
    for (std::size_t i = 0; i < axis_.places.size(); ++i)
      if ((headings ? axis_.places[i].bold : static_cast<int>(axis_.places.size() - 1 - i) % every_ == 0) &&
          range.contains(axis_.places[i].value)) {
        ticks_.push_back(axis_.places[i]);
        if (!shortened_.empty())
          ticks_.back().label = QString(ticks_.size() % 2 == 0 ? 1 : 0, QLatin1Char('\n')) + shortened_[i];
      }
  }
  QVector<double> values;
  for (const PlotTick& tick : ticks_)
    values << tick.value;
  return values;
}

QString AxisTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  const auto found =
      std::find_if(ticks_.begin(), ticks_.end(), [&](const PlotTick& one) { return one.value == tick; });
  return found == ticks_.end() ? QString() : found->label;
}

void describeAxis(QCPAxis& axis, const PlotAxis& description) {
  axis.setScaleType(description.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis.setRangeReversed(description.low > description.high);
  axis.setTicker(QSharedPointer<AxisTicker>::create(description));
  axis.setLabel(description.title);
  axis.setTickLabels(description.numbered);
  axis.setTicks(description.numbered || description.grid);
  axis.setNumberFormat(QStringLiteral("g")); // labels stay as they are written, as in texts
}

} // namespace lloyd
