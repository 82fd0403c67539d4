// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/progressive_view.hpp"

#include <algorithm>

namespace lloyd {

void ProgressiveView::setTotal(std::size_t points) {
  if (points == total_) return;
  total_ = points;
  drawn_ = 0;
  stale_ = true;
}

void ProgressiveView::setBudget(std::size_t points) {
  points = std::max<std::size_t>(points, 1);
  if (points == budget_) return;
  budget_ = points;
  stale_ = true;
}

ProgressiveView::Slice ProgressiveView::next(bool changed, bool moving) {
  Slice slice;
  if (changed || stale_) {
    stale_ = false;
    slice = {true, 0, std::min(total_, budget_)};
    drawn_ = slice.count;
  } else if (!moving && drawn_ < total_) {
    slice = {false, drawn_, std::min(total_ - drawn_, slice_)};
    drawn_ += slice.count;
  }
  last_ = slice.count;
  return slice;
}

void ProgressiveView::measured(double milliseconds) {
  // Too few points say more about the clock than about the machine.
  constexpr std::size_t kLeast = 4096;
  constexpr std::size_t kMost = std::size_t{1} << 26;
  if (last_ < kLeast || !(milliseconds >= 0)) return;
  const double wanted = static_cast<double>(last_) * kAimMs / std::max(milliseconds, 0.1);
  // Growing slowly and shrinking at once keeps one fast frame from being followed by a slow one.
  const double bounded = std::min(wanted, 2.0 * static_cast<double>(slice_));
  slice_ = std::clamp(static_cast<std::size_t>(bounded), kLeast, kMost);
}

} // namespace lloyd
