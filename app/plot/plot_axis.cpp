// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/plot_axis.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

/// The smallest of 1, 2, 5 and 10 times a power of ten that is not below a rough step.
double niceStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (rough <= digit * power * (1 + 1e-9)) return digit * power;
  return 10 * power;
}

std::string label(double value, double step, double magnitude) {
  std::array<char, 64> text{};
  std::to_chars_result end{};
  if (magnitude >= 1e6 || magnitude < 1e-3) {
    // Enough digits after the first to tell values one step apart.
    const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(magnitude / step))), 0, 12);
    end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits);
  } else {
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  }
  return {text.data(), end.ptr};
}

} // namespace

std::vector<double> linearTicks(double low, double high, int targetCount, bool whole) {
  std::vector<double> ticks;
  const double range = high - low;
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (!(range > 0) || !std::isfinite(range) || range < magnitude * 1e-12 || !std::isnormal(range))
    return ticks;
  const int wanted = std::clamp(targetCount, 1, 100);
  const double step = std::max(niceStep(range / wanted), whole ? 1.0 : 0.0);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 2 * wanted; ++i) {
    const double multiple = first + i;
    const double value = multiple * step;
    if (value > high + 1e-9 * step) break;
    ticks.push_back(multiple == 0 ? 0 : value); // not minus nothing
  }
  return ticks;
}

std::vector<double> logarithmicTicks(double low, double high, int targetCount) {
  if (!(low > 0) || !(high > low)) return {};
  const double decades = std::log10(high / low);
  if (decades < 1) return linearTicks(low, high, targetCount);
  const int wanted = std::clamp(targetCount, 2, 100);
  static const std::vector<double> alone{1};
  static const std::vector<double> few{1, 3};
  static const std::vector<double> more{1, 2, 5};
  const std::vector<double>& within = decades * 3 <= wanted ? more : decades * 2 <= wanted ? few : alone;
  const int every = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::log10(high); ++power) {
    if (power % every != 0) continue;
    for (const double digit : within) {
      const double value = digit * std::pow(10.0, power);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
    }
  }
  return ticks;
}

std::vector<Tick> axisTicks(double low, double high, int targetCount) {
  const std::vector<double> values = linearTicks(low, high, targetCount);
  const double magnitude = std::max(std::abs(low), std::abs(high));
  const double step = values.size() > 1 ? values[1] - values[0] : high - low;
  std::vector<Tick> ticks;
  ticks.reserve(values.size());
  for (const double value : values)
    ticks.push_back({value, label(value, step, magnitude)});
  return ticks;
}

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
