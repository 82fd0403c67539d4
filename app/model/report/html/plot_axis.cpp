// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/plot_axis.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

constexpr double wantedTicks = 8;

/// The smallest of 1, 2, 5 and 10 times a power of ten that is not below a rough step.
double niceStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (rough <= digit * power * (1 + 1e-9)) return digit * power;
  return 10 * power;
}

/// Without the zeros that a fixed number of digits leaves behind the point.
QString tickText(double value) {
  QString text = significantText(value, 6);
  if (!text.contains(u'.') || text.contains(u'e')) return text;
  while (text.endsWith(u'0'))
    text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text;
}

std::vector<PlotTick> linearTicks(double high) {
  std::vector<PlotTick> ticks;
  const double step = niceStep(high / wantedTicks);
  for (int i = 0; i * step <= high * (1 + 1e-9); ++i) {
    // Whole steps are rounded to their own digits: three times 0.1 is 0.3.
    const double value = QString::number(i * step, 'g', 12).toDouble();
    ticks.push_back({value, tickText(value)});
  }
  return ticks;
}

/// 1, 2 and 5 of every decade, or powers of ten alone where those would crowd.
std::vector<PlotTick> logTicks(double low, double high) {
  std::vector<PlotTick> ticks;
  const double decades = std::log10(high / low);
  if (decades < 0.8) {
    // Too narrow for 1, 2 and 5: even steps, which logarithms hardly bend here.
    const double step = niceStep((high - low) / wantedTicks);
    for (double i = std::ceil(low / step); i * step <= high; ++i) {
      const double value = QString::number(i * step, 'g', 12).toDouble();
      ticks.push_back({value, tickText(value)});
    }
    return ticks;
  }
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::log10(high); ++power) {
    if (power % every != 0) continue;
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10.0, power);
      const bool inside = value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
      if (inside && (digit == 1 || decades <= 3.2)) ticks.push_back({value, tickText(value)});
    }
  }
  return ticks;
}

} // namespace

double PlotAxis::fraction(double value) const {
  if (log) return value > 0 ? std::log(value / low) / std::log(high / low) : std::nan("");
  return (value - low) / (high - low);
}

PlotAxis PlotAxis::fromZero(const QString& title, std::span<const double> values) {
  double most = 0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, value);
  PlotAxis axis{.title = title, .log = false, .low = 0, .high = most > 0 ? most * 1.02 : 1, .ticks = {}};
  axis.ticks = linearTicks(axis.high);
  return axis;
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
  PlotAxis axis{.title = title, .log = true, .low = least / space, .high = most * space, .ticks = {}};
  axis.ticks = logTicks(axis.low, axis.high);
  if (axis.ticks.size() < 2) axis.ticks = {{least, tickText(least)}, {most, tickText(most)}};
  return axis;
}

PlotAxis PlotAxis::categories(const QString& title, const std::vector<QString>& labels) {
  PlotAxis axis{.title = title,
                .log = false,
                .low = 0,
                .high = std::max(1.0, static_cast<double>(labels.size())),
                .ticks = {}};
  for (std::size_t i = 0; i < labels.size(); ++i)
    axis.ticks.push_back({static_cast<double>(i) + 0.5, labels[i]});
  return axis;
}

} // namespace lloyd
