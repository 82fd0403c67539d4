// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/plot_axis.hpp"

#include "app/plot/axis_ticks.hpp"
#include "app/text/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
double PlotAxis::fraction(double value) const {
  if (log) return value > 0 ? std::log(value / low) / std::log(high / low) : std::nan("");
  return (value - low) / (high - low);
}

std::vector<PlotTick> PlotAxis::ticksFor(int count) const {
  if (!places.empty()) return places;
  std::vector<PlotTick> ticks;
  const auto [from, to] = std::minmax(low, high);
  for (const double value : log ? logarithmicTicks(from, to, count) : linearTicks(from, to, count, whole))
    ticks.push_back({value, tickText(value)});
  return ticks;
}

PlotAxis PlotAxis::fromZero(const QString& title, std::span<const double> values) {
  double most = 0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, value);
  return {.title = title, .high = most > 0 ? most * 1.02 : 1};
}

PlotAxis PlotAxis::around(const QString& title, std::span<const double> values, bool always) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (!(most > 0) || (!always && most < 10 * least)) return fromZero(title, values);
  const double space = std::max(1.15, std::pow(most / least, 0.06));
  return {.title = title, .log = true, .low = least / space, .high = most * space};
}

PlotAxis PlotAxis::through(const QString& title, std::vector<PlotTick> places) {
  const double first = places.front().value;
  const double last = places.back().value;
  PlotAxis axis{.title = title, .log = first > 0 && last >= 4 * first};
  const double room = axis.log       ? std::pow(last / first, 0.04)
                      : last > first ? (last - first) * 0.04
                                     : std::max(1.0, first * 0.1);
  axis.low = axis.log ? first / room : first - room;
  axis.high = axis.log ? last * room : last + room;
  axis.places = std::move(places);
  return axis;
}

PlotAxis PlotAxis::categories(const QString& title, const std::vector<QString>& labels) {
  PlotAxis axis{.title = title, .low = -0.5, .high = static_cast<double>(labels.size()) - 0.5};
  for (std::size_t i = 0; i < labels.size(); ++i)
    axis.places.push_back({static_cast<double>(i), labels[i]});
  return axis;
}

} // namespace lloyd
