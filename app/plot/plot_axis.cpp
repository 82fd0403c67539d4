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

constexpr std::ptrdiff_t fewest = 3; ///< one or two numbers tell no scale
constexpr int dense = 12;            ///< as many as are asked for to get the fewest on a whole axis

std::string written(double value, std::chars_format format, int digits) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, digits);
  return {text.data(), end.ptr};
}

/// 1.5e+07 as 1.5e7, and 0.0e+00 as 0.
std::string withPower(double value, int digits) {
  if (value == 0) return "0";
  std::string text = written(value, std::chars_format::scientific, digits);
  const std::size_t sign = text.find('e') + 1;
  const std::size_t digit = std::min(text.find_first_not_of('0', sign + 1), text.size() - 1);
  text.erase(text[sign] == '-' ? sign + 1 : sign, digit - (text[sign] == '-' ? sign + 1 : sign));
  return text;
}

/// All in one style: powers of ten on all or on none, and as many decimals as tell neighbours apart.
std::vector<QString> evenLabels(const std::vector<double>& values) {
  std::vector<QString> labels;
  if (values.empty()) return labels;
  const double magnitude = std::max(std::abs(values.front()), std::abs(values.back()));
  const double step = values.size() > 1 ? values[1] - values[0] : magnitude;
  const double place = step > 0 ? std::floor(std::log10(step) + 1e-9) : 0;
  const bool powers = needsPower(magnitude);
  const double first = powers ? std::floor(std::log10(magnitude) + 1e-9) : 0;
  const int digits = std::clamp(static_cast<int>(first - place), 0, 12);
  for (const double value : values)
    labels.push_back(withSeparators(QString::fromStdString(
        powers ? withPower(value, digits) : written(value, std::chars_format::fixed, digits))));
  return labels;
}

/// The same for a logarithmic axis, each with the digits that it has.
std::vector<QString> logarithmicLabels(const std::vector<double>& values) {
  const bool powers = std::any_of(values.begin(), values.end(), needsPower);
  std::vector<QString> labels;
  labels.reserve(values.size());
  for (const double value : values)
    labels.push_back(powers ? shortPower(QString::number(value, 'e', 0)) : tickText(value));
  return labels;
}

/// Ticks for the first count from the wanted one up to the most that gives enough of them; of the wanted one
/// where none does. enough: whether the ticks will do.
template <class Ticks, class Enough>
auto firstEnough(int count, int most, const Ticks& ticksOf, const Enough& enough) {
  auto wanted = ticksOf(count);
  if (enough(wanted)) return wanted;
  for (int more = count + 1; more <= most; ++more)
    if (auto ticks = ticksOf(more); enough(ticks)) return ticks;
  return wanted;
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

double PlotAxis::fraction(double value) const {
  if (log) return value > 0 ? std::log(value / low) / std::log(high / low) : std::nan("");
  return (value - low) / (high - low);
}

std::vector<PlotTick> PlotAxis::ticksFor(int count, int most) const {
  if (!places.empty()) return places;
  const auto [from, to] = std::minmax(low, high);
  const double sure = std::max(0.1, 1 - unsureLow - unsureHigh);
  const std::vector<double> values = firstEnough(
      count, static_cast<int>(std::lround(dense / sure)),
      [&, from = from, to = to](int wanted) {
        return log ? logarithmicTicks(from, to, wanted) : linearTicks(from, to, wanted, whole);
      },
      [&, from = from, to = to](const std::vector<double>& some) {
        const auto numbers = std::ranges::count_if(some, [&](double value) {
          return value >= from + unsureLow * (to - from) && value <= to - unsureHigh * (to - from);
        });
        return numbers >= fewest && (most <= 0 || static_cast<int>(some.size()) <= most);
      });
  std::vector<PlotTick> ticks;
  ticks.reserve(values.size());
  const bool wide = log && to >= 10 * from;
  const std::vector<QString> labels = wide ? logarithmicLabels(values) : evenLabels(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    QString label = labels[i];
    if (magnitudes && label.startsWith(QLatin1Char('-'))) label.remove(0, 1);
    ticks.push_back({values[i], label});
  }
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
