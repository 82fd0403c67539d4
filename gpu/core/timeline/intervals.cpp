// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/intervals.hpp"

#include <algorithm>
#include <numeric>

namespace lloyd {

std::vector<Interval> merged(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& one) { return !(one.end > one.begin); });
  std::ranges::sort(intervals, {}, &Interval::begin);
  std::vector<Interval> apart;
  for (const Interval& one : intervals)
    if (apart.empty() || one.begin > apart.back().end)
      apart.push_back(one);
    else
      apart.back().end = std::max(apart.back().end, one.end);
  return apart;
}

double lengthOf(std::span<const Interval> intervals) {
  return std::accumulate(intervals.begin(), intervals.end(), 0.0,
                         [](double sum, const Interval& one) { return sum + (one.end - one.begin); });
}

std::vector<Interval> within(std::span<const Interval> merged, const Interval& window) {
  std::vector<Interval> part;
  for (const Interval& one : merged)
    if (one.end > window.begin && one.begin < window.end)
      part.push_back({std::max(one.begin, window.begin), std::min(one.end, window.end)});
  return part;
}

double overlapOf(std::span<const Interval> a, std::span<const Interval> b) {
  double sum = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    sum += std::max(0.0, std::min(x->end, y->end) - std::max(x->begin, y->begin));
    if (x->end < y->end)
      ++x;
    else
      ++y;
  }
  return sum;
}

} // namespace lloyd
