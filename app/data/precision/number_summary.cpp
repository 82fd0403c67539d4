// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/precision/number_summary.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// Binary digits in reserve: means of rounded numbers, and differences from them, are to be right to the last
/// digit of the file, too.
constexpr double reserve = 16;
/// A shift must take the typical number that many times as near to 0, or it is not worth it.
constexpr double worthIt = 16;

} // namespace

double NumberSummary::deviation() const {
  if (count == 0) return 0;
  const double n = static_cast<double>(count);
  const double off = sum / n;
  return std::sqrt(std::max(0.0, squares / n - off * off));
}

double singleStep(double size) {
  const float at = std::abs(static_cast<float>(size));
  return static_cast<double>(std::nextafter(at, std::numeric_limits<float>::infinity())) - at;
}

double shiftFor(const NumberSummary& numbers, double unit) {
  if (numbers.count == 0) return 0;
  const double step = singleStep(std::max(std::abs(numbers.low), std::abs(numbers.high)));
  if (!std::isfinite(step)) return 0;
  if (unit > 0 ? reserve * step <= unit : numbers.exact) return 0;
  if (numbers.low == numbers.high) return numbers.exact ? 0 : numbers.low;
  const double mean = numbers.mean();
  const double deviation = numbers.deviation();
  const double grain = std::exp2(std::floor(std::log2(deviation)));
  if (!(grain > 0)) return 0;
  const double shift = std::nearbyint(mean / grain) * grain;
  if (std::abs(mean) >= worthIt * deviation) return shift;
  const double near = singleStep(std::max(std::abs(numbers.low - shift), std::abs(numbers.high - shift)));
  return !numbers.exact && step > unit && near <= unit ? shift : 0;
}

} // namespace lloyd
