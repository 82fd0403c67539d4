// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_ticks.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr int tickWidth = 50; ///< pixels from one number on an axis to the next, at least
constexpr int tickHeight = 24;

} // namespace

void AxisTicker::fit(const QCPAxis& axis) {
  const bool level = axis.orientation() == Qt::Horizontal;
  const auto& places = axis_.places;
  if (places.empty()) {
    const int pixels = level ? axis.axisRect()->width() : axis.axisRect()->height();
    setTickCount(std::clamp(pixels / (level ? tickWidth : tickHeight), 3, 10));
    return;
  }
  const QFontMetrics metrics(axis.tickLabelFont());
  int needed = metrics.height() + 2;
  if (level) {
    needed = 1;
    for (const PlotTick& place : places)
      needed = std::max(needed, metrics.horizontalAdvance(place.label) + 8);
  }
  const double length =
      std::abs(axis.coordToPixel(places.back().value) - axis.coordToPixel(places.front().value));
  const double apart = length / std::max(1.0, static_cast<double>(places.size() - 1));
  every_ = std::max(1, static_cast<int>(std::ceil(needed / std::max(1.0, apart))));
}

/// Of places the last always gets a tick.
QVector<double> AxisTicker::createTickVector(double, const QCPRange& range) {
  QVector<double> ticks;
  if (axis_.places.empty()) {
    PlotAxis seen = axis_;
    seen.low = range.lower;
    seen.high = range.upper;
    for (const PlotTick& tick : seen.ticksFor(tickCount()))
      ticks << tick.value;
  }
  for (std::size_t i = 0; i < axis_.places.size(); ++i)
    if (static_cast<int>(axis_.places.size() - 1 - i) % every_ == 0 && range.contains(axis_.places[i].value))
      ticks << axis_.places[i].value;
  return ticks;
}

QString AxisTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  if (axis_.places.empty()) return tickText(axis_.magnitudes ? std::abs(tick) : tick);
  const auto found = std::find_if(axis_.places.begin(), axis_.places.end(),
                                  [&](const PlotTick& place) { return place.value == tick; });
  return found == axis_.places.end() ? QString() : found->label;
}

void describeAxis(QCPAxis& axis, const PlotAxis& description) {
  axis.setScaleType(description.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis.setTicker(QSharedPointer<AxisTicker>::create(description));
  axis.setLabel(description.title);
  axis.setTickLabels(description.numbered);
}

} // namespace lloyd
