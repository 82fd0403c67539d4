// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace lloyd {

/// A place on an axis worth a line and a number.
struct Tick {
  double value = 0;
  std::string label; ///< with as many digits as tell it from its neighbours, the decimal point a point in
                     ///< every locale
};

/// Ticks within [low, high] at multiples of 1, 2 or 5 times a power of ten, about targetCount of them and
/// never more than twice as many. Empty when the range is empty, not finite, or too narrow for its magnitude
/// to be told apart.
[[nodiscard]] std::vector<Tick> axisTicks(double low, double high, int targetCount);

} // namespace lloyd
