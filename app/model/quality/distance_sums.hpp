// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

namespace lloyd {

/// So many points are held against others at once, so that a coordinate is read once for all of them.
inline constexpr std::size_t distanceGroup = 4;

/// Adds the distances from each of distanceGroup places, at from[p * d + j], to the points begin to end - 1,
/// coordinate j of point i at rows[j * stride + i]: sums[p]. Double precision throughout.
void addDistances(const float* rows, std::size_t stride, int d, const double* from, std::size_t begin,
                  std::size_t end, double* sums);

} // namespace lloyd
