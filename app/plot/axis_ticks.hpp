// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace lloyd {

/// Places on a linear axis that are worth a line and a number: multiples of 1, 2 or 5 times a power of ten
/// within [low, high], about targetCount of them and never more than twice as many. whole: whole numbers
/// only. Empty when the range is empty, not finite, or too narrow for its magnitude to be told apart.
[[nodiscard]] std::vector<double> linearTicks(double low, double high, int targetCount, bool whole = false);

/// The same for a logarithmic axis: powers of ten where there are several, 1, 2 and 5 of each where there are
/// few, and even steps within less than one. Empty unless low is above 0.
[[nodiscard]] std::vector<double> logarithmicTicks(double low, double high, int targetCount);

/// A tick with its number.
struct Tick {
  double value = 0;
  std::string label; ///< with as many digits as tell it from its neighbours, the decimal point a point in
                     ///< every locale
};

/// linearTicks() with numbers that all have the same decimals.
[[nodiscard]] std::vector<Tick> axisTicks(double low, double high, int targetCount);

} // namespace lloyd
