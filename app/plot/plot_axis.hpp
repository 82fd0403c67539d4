// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <span>
#include <vector>

namespace lloyd {

/// Places on a linear axis that are worth a line and a number: multiples of 1, 2 or 5 times a power of ten
/// within [low, high], about targetCount of them and never more than twice as many. whole: whole numbers
/// only. Empty when the range is empty, not finite, or too narrow for its magnitude to be told apart.
[[nodiscard]] std::vector<double> linearTicks(double low, double high, int targetCount, bool whole = false);

/// The same for a logarithmic axis: powers of ten where there are several, 1, 2 and 5 of each where there are
/// few, and even steps within less than one. Empty unless low is above 0.
[[nodiscard]] std::vector<double> logarithmicTicks(double low, double high, int targetCount);

/// A place on an axis with its text.
struct PlotTick {
  double value = 0;
  QString label; ///< empty: a line without a number
  bool bold = false;
};

/// One axis of a plot, in the values' own units. high may be below low: the axis then runs backwards.
struct PlotAxis {
  QString title{}; ///< with the unit
  bool log = false;
  double low = 0; ///< above 0 on a logarithmic axis
  double high = 1;
  bool whole = false;      ///< only whole numbers are worth a tick
  bool magnitudes = false; ///< numbers go without their sign
  bool numbered = true;
  bool grid = true; ///< a line across the plot at every tick
  /// The parts of it at its ends whose numbers may find no room, so that they do not count as enough.
  double unsureLow = 0;
  double unsureHigh = 0;
  bool still = false;             ///< what moves the view leaves it as it is, where that is possible
  std::vector<PlotTick> places{}; ///< where ticks stand; empty: at round numbers
  /// Every place keeps its text as long as a few letters fit: in two rows by turns, and shortened.
  bool everyPlace = false;

  /// Where the value stands: 0 at low, 1 at high, not clamped. NaN where it has no place.
  [[nodiscard]] double fraction(double value) const;
  /// The places, or about count round numbers between low and high, in one style, with as many digits as tell
  /// them apart and the decimal point a point in every locale. Where that gives fewer than three there are
  /// more, but then no more than most; 0: however many.
  [[nodiscard]] std::vector<PlotTick> ticksFor(int count, int most = 0) const;

  /// From 0 to a little above the largest of values.
  [[nodiscard]] static PlotAxis fromZero(const QString& title, std::span<const double> values);
  /// Around all finite values that are above 0: logarithmic where they span more than a decade, else linear
  /// from zero. always: logarithmic in any case.
  [[nodiscard]] static PlotAxis around(const QString& title, std::span<const double> values,
                                       bool always = false);
  /// Through all places, which ascend, with a little room at the ends: logarithmic where they span much.
  [[nodiscard]] static PlotAxis through(const QString& title, std::vector<PlotTick> places);
  /// One place a label, for cells: the first is around 0.
  [[nodiscard]] static PlotAxis categories(const QString& title, const std::vector<QString>& labels);
};

} // namespace lloyd
