// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/precision/figures.hpp"

#include "app/data/precision/number_summary.hpp"
#include "app/data/table/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

constexpr int mostDecimals = 30;

/// So many digits behind the point that differences of step are told.
int decimalsFor(double step) {
  return step > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, mostDecimals) : 0;
}

std::string withoutZeros(std::string text) {
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// The distance from a value in double precision to the next one.
double doubleStep(double value) {
  const double at = std::abs(value);
  return std::nextafter(at, std::numeric_limits<double>::infinity()) - at;
}

template <class T>
std::string shortest(T value) {
  std::array<char, 64> room{};
  return {room.data(), std::to_chars(room.data(), room.data() + room.size(), value).ptr};
}

} // namespace

std::string storedText(const ColumnScale& scale, float stored) {
  const double value = scale.inFile(static_cast<double>(stored));
  if (scale.shift == 0) return shortest(static_cast<float>(value));
  const double step = singleStep(static_cast<double>(stored)) * std::abs(scale.factor);
  return step / 2 < doubleStep(value) ? shortest(value)
                                      : withoutZeros(fixedText(value, decimalsFor(step / 2)));
}

double toldUnit(const PointSet& points, std::size_t column, double storedSize) {
  const ColumnScale scale = points.scaleOf(column);
  const double step = singleStep(storedSize) * std::abs(scale.factor);
  if (column < points.decimals.size()) return std::max(std::pow(10.0, -points.decimals[column]), step);
  return scale.shift == 0 ? 0 : step;
}

std::string figureText(const PointSet& points, std::size_t column, float stored) {
  const ColumnScale scale = points.scaleOf(column);
  const double value = scale.inFile(static_cast<double>(stored));
  const double step = singleStep(static_cast<double>(stored)) * std::abs(scale.factor);
  if (column < points.decimals.size() && std::pow(10.0, -points.decimals[column]) >= step)
    return fixedText(value, points.decimals[column]);
  if (scale == ColumnScale{}) return shortest(stored);
  return step <= doubleStep(value) ? shortest(value) : withoutZeros(fixedText(value, decimalsFor(step)));
}

} // namespace lloyd
