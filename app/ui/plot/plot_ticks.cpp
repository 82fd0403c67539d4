// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_ticks.hpp"

#include "app/plot/axis_ticks.hpp"
#include "app/text/numbers.hpp"

#include <algorithm>

namespace lloyd {

QVector<double> NumberTicker::createTickVector(double, const QCPRange& range) {
  const std::vector<double> ticks =
      logarithmic_ ? logarithmicTicks(range.lower, range.upper, tickCount())
                   : linearTicks(range.lower, range.upper, tickCount(), values_ == Values::whole);
  return {ticks.begin(), ticks.end()};
}

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return tickText(tick); }

QVector<double> PlaceTicker::createTickVector(double, const QCPRange& range) {
  QVector<double> ticks;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (static_cast<int>(places_.size() - 1 - i) % every_ == 0 && range.contains(places_[i]))
      ticks << places_[i];
  return ticks;
}

QString PlaceTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  const auto found = std::find(places_.begin(), places_.end(), tick);
  return found == places_.end() ? QString() : words_.value(found - places_.begin());
}

void setScale(QCPAxis* axis, bool logarithmic, int count, NumberTicker::Values values) {
  axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis->setTicker(QSharedPointer<NumberTicker>::create(logarithmic, count, values));
}

} // namespace lloyd
