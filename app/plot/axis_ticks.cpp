// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/axis_ticks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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

} // namespace lloyd
