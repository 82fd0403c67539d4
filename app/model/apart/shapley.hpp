// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// Shares a gain out among the switches that made it, each by what it adds on average over all orders in
/// which they can be put on (Shapley, "A value for n-person games", 1953). The shares add up to the gain, a
/// switch that never adds anything gets nothing, and two that always add the same get the same.
/// gains[c]: what the switches of combination c gain together, bit s saying whether s is one of them, in any
/// unit; 2^n of them for n switches. Nothing where there are not as many, or one is not finite.
[[nodiscard]] std::optional<std::vector<double>> shapleyShares(std::span<const double> gains);

/// How two switches get on with each other.
struct PairGain {
  double without = 0; ///< what the one adds where the other is off, on average over the rest
  double with = 0;    ///< and where it is on

  /// What both gain more than each by itself: Shapley's interaction index, the same for either of them.
  [[nodiscard]] double together() const { return with - without; }
};
/// What one switch adds without and with the other, on average over all orders of the rest; under the same
/// conditions as shapleyShares(), and nothing for one and the same switch.
[[nodiscard]] std::optional<PairGain> pairGain(std::span<const double> gains, std::size_t one,
                                               std::size_t other);

} // namespace lloyd
