// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

namespace lloyd {

/// From a moment to a later one.
struct Interval {
  double begin = 0;
  double end = 0;
  bool operator==(const Interval&) const = default;
};

/// The moments that any of them holds, as intervals that ascend and do not touch. Empty ones are dropped.
[[nodiscard]] std::vector<Interval> merged(std::vector<Interval> intervals);
/// All of them together; of merged ones, the length of their moments.
[[nodiscard]] double lengthOf(std::span<const Interval> intervals);
/// The part of merged intervals that lies in a window.
[[nodiscard]] std::vector<Interval> within(std::span<const Interval> merged, const Interval& window);
/// The length of the moments that both hold; both are merged.
[[nodiscard]] double overlapOf(std::span<const Interval> a, std::span<const Interval> b);

} // namespace lloyd
