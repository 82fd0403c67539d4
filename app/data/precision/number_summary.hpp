// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace lloyd {

/// What the numbers of a column are like, in double precision. What is not finite does not count.
struct NumberSummary {
  /// Some number of the column: sums are of differences from it, which keeps their digits far from 0.
  double pivot = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double squares = 0;
  std::uint64_t count = 0;
  bool exact = true; ///< single precision holds each as it is

  void take(double value) {
    if (!std::isfinite(value)) return;
    low = value < low ? value : low;
    high = value > high ? value : high;
    const double off = value - pivot;
    sum += off;
    squares += off * off;
    ++count;
    exact = exact && static_cast<double>(static_cast<float>(value)) == value;
  }
  /// Those of another part of the column, with the same pivot.
  void take(const NumberSummary& other) {
    low = other.low < low ? other.low : low;
    high = other.high > high ? other.high : high;
    sum += other.sum;
    squares += other.squares;
    count += other.count;
    exact = exact && other.exact;
  }

  [[nodiscard]] double mean() const { return count == 0 ? pivot : pivot + sum / static_cast<double>(count); }
  /// Of the population: divided by the count.
  [[nodiscard]] double deviation() const;
};

/// What is taken off a column before it becomes single precision, so that the digits of the file are kept: a
/// number near its mean with few binary digits. 0 where single precision keeps them anyway, or where their
/// mean is so near 0 that nothing would be won. unit: the least difference that the file tells, as 0.01; 0
/// where its numbers have all the digits of double precision.
[[nodiscard]] double shiftFor(const NumberSummary& numbers, double unit);

/// The distance from a number of this size to the next one of single precision.
[[nodiscard]] double singleStep(double size);

} // namespace lloyd
