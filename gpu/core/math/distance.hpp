// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/math/everywhere.hpp"

#include <cmath>

namespace lloyd {

/// One link of the squared distance: sum + (x - c)^2 with one rounding for the difference and one for the
/// rest. Every device adds coordinates in order through this, so labels agree between devices to the last
/// bit.
LLOYD_EVERYWHERE inline float addSquare(float sum, float x, float c) {
  const float difference = x - c;
  return fmaf(difference, difference, sum);
}

} // namespace lloyd
