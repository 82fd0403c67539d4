// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"

#include <cstddef>
#include <vector>

namespace lloyd {

/// How fast memory was found to be where this many bytes take part.
struct MemoryRoof {
  std::size_t bytes = 0;
  double bytesPerSecond = 0;
};

/// One measured variant on the roofline: both numbers by what its stage has to do at least, so that a kernel
/// that moves or computes more than that stands lower, not farther to the right.
struct RooflinePoint {
  std::size_t row = 0; ///< in RaceResult::rows
  double operationsPerByte = 0;
  double operationsPerSecond = 0;
  /// Operations a second that this footprint and the arithmetic allow there; infinite where no copy tells
  /// the footprint's rate.
  double roof = 0;
};

/// The roofline of a race (Williams, Waterman and Patterson, 2009): attainable operations a second over
/// operations a byte, with single-precision operations, a multiply-add counted as two.
struct Roofline {
  std::vector<RooflinePoint> points;      ///< in the order of the rows
  std::vector<MemoryRoof> memory;         ///< one for each footprint with a limit, the fastest first
  double peak = 0;                        ///< operations a second; 0 when the device does not say
  std::vector<std::size_t> notArithmetic; ///< rows that ran but have no operations: they only move bytes

  /// Operations a second that the fastest memory and the arithmetic allow; infinite while neither is known.
  [[nodiscard]] double roofAt(double operationsPerByte) const;
};

/// The variants of a race that ran and were verified. A point is never above its roof: where a variant beats
/// the stated peak, the peak was stated too low and is lifted to it.
[[nodiscard]] Roofline rooflineOf(const RaceResult& race);

} // namespace lloyd
