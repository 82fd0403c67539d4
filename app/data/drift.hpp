// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

namespace lloyd {

/// What the drift generator adds to a static mixture: each component wanders on a smooth closed path around
/// its home.
struct Drift {
  std::vector<std::uint8_t> component; ///< [n], the component of each point
  int components = 0;
  double reach = 0; ///< how far a component strays from its home, in the points' units
  std::uint64_t seed = 0;

  /// [components][d]: where each component stands at time t relative to its home. One unit of t is one
  /// iteration.
  [[nodiscard]] std::vector<float> shifts(double t, int d) const;
};

} // namespace lloyd
