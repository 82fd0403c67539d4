// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>

namespace lloyd {

/// Decides how many points each frame draws. While anything moves, a prefix of the sample order, at most the
/// budget; when all is still, the rest of the order in slices on top of what is there, each about as long as
/// a frame may take. Plain arithmetic, no OpenGL.
class ProgressiveView {
public:
  static constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kSoftwareBudget = 65536;
  static constexpr double kFrameMs = 30; ///< no slice should take longer
  static constexpr double kAimMs =
      16; ///< what slices are sized for, as showing the picture takes its time too

  /// What to draw in this frame: positions [first, first + count) of the order, on a cleared picture or on
  /// top.
  struct Slice {
    bool clear = false;
    std::size_t first = 0;
    std::size_t count = 0;
    bool operator==(const Slice&) const = default;
  };

  void setTotal(std::size_t points) {
    if (points == total_) return;
    total_ = points;
    drawn_ = 0;
    stale_ = true;
  }
  /// The most points of a frame in which something moves; kEverything draws all in one go, always.
  void setBudget(std::size_t points) {
    points = std::max<std::size_t>(points, 1);
    if (points == budget_) return;
    budget_ = points;
    stale_ = true;
  }

  /// changed: the picture of the last frame is no longer right. moving: more changes are about to come, so
  /// nothing is added to it.
  [[nodiscard]] Slice next(bool changed, bool moving) {
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
  /// How long the drawing of the last slice took.
  void measured(double milliseconds) {
    // Too few points say more about the clock than about the machine.
    constexpr std::size_t kLeast = 4096;
    constexpr std::size_t kMost = std::size_t{1} << 26;
    if (last_ < kLeast || !(milliseconds >= 0)) return;
    const double wanted = static_cast<double>(last_) * kAimMs / std::max(milliseconds, 0.1);
    // Growing slowly and shrinking at once keeps one fast frame from being followed by a slow one.
    const double bounded = std::min(wanted, 2.0 * static_cast<double>(slice_));
    slice_ = std::clamp(static_cast<std::size_t>(bounded), kLeast, kMost);
  }

  [[nodiscard]] std::size_t drawn() const { return drawn_; }
  [[nodiscard]] std::size_t total() const { return total_; }
  [[nodiscard]] bool complete() const { return drawn_ == total_; }

private:
  std::size_t total_ = 0;
  std::size_t budget_ = kEverything;
  std::size_t slice_ = kSoftwareBudget; ///< points of the next slice
  std::size_t drawn_ = 0;
  std::size_t last_ = 0; ///< points of the slice given out last
  bool stale_ = true;
};

} // namespace lloyd
