// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/camera/axis_ticks.hpp"

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

std::vector<Tick> axisTicks(double low, double high, int targetCount) {
  std::vector<Tick> ticks;
  const double range = high - low;
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (!(range > 0) || !std::isfinite(range) || range < magnitude * 1e-12 || !std::isnormal(range))
    return ticks;
  const int wanted = std::clamp(targetCount, 1, 100);
  const double step = niceStep(range / wanted);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 2 * wanted; ++i) {
    const double multiple = first + i;
    double value = multiple * step;
    if (value > high + 1e-9 * step) break;
    if (multiple == 0) value = 0; // not minus nothing
    ticks.push_back({value, label(value, step, magnitude)});
  }
  return ticks;
}

} // namespace lloyd
