// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/ui/view/shown_points.hpp"

#include <QElapsedTimer>

#include <cstddef>
#include <vector>

namespace lloyd {

/// Points on their way from one choice of axes to the next, so that the eye can follow them. What they were
/// drawn by may have had other units: at first each has the place in the new box that it had in the old one.
class AxesGlide {
public:
  static constexpr int milliseconds = 450;
  /// More points take longer a frame than motion may.
  static constexpr std::size_t most = 200'000;

  /// Begins, unless there are too many points or a source has no values. What is drawn before and after.
  void start(const PickSource& from, const Bounds& fromBox, const PickSource& to, const Bounds& toBox);
  void stop() { from_.clear(); }
  [[nodiscard]] bool running() const { return !from_.empty() && since_.elapsed() < milliseconds; }
  [[nodiscard]] bool begun() const { return !from_.empty(); } ///< until its end was taken
  /// Whether it ran and is over, once.
  [[nodiscard]] bool takeEnd();
  /// Where the points are now, [axes][n].
  [[nodiscard]] std::vector<float> rows() const;

private:
  std::vector<float> from_; ///< [axes][n], in the new box
  PickSource to_;
  QElapsedTimer since_;
};

} // namespace lloyd
