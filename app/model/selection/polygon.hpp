// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/read_control.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// A place on the screen, device pixels from the top left corner of the view.
struct ScreenPlace {
  double x = 0;
  double y = 0;
};

/// A closed polygon, whose last place is joined to the first. What an odd number of its edges surround is
/// inside, so that a part that is drawn around twice is not. Of an edge the left and the upper ones are
/// inside.
class Polygon {
public:
  explicit Polygon(std::vector<ScreenPlace> places);

  /// Fewer than three places enclose nothing.
  [[nodiscard]] bool holds(ScreenPlace at) const;
  [[nodiscard]] const std::vector<ScreenPlace>& places() const { return places_; }

private:
  struct Edge {
    ScreenPlace from, to;
  };
  std::vector<ScreenPlace> places_;
  std::vector<std::vector<Edge>> bands_; ///< those that reach into each of so many equally high bands
  double top_ = 0, bottom_ = 0, left_ = 0, right_ = 0;
};

/// Points as a view draws them: what CameraView and PickSource say, without OpenGL.
struct DrawnRows {
  const float* values = nullptr; ///< [d][stride]
  std::size_t n = 0;
  int d = 0; ///< 1: the value is drawn upwards, against the place in memory; beyond 3 the first three count
  std::size_t stride = 0;
  std::array<double, 3> origin{};
  std::array<double, 16> clipFromOffset{}; ///< columns
  double width = 1, height = 1;            ///< of the view, device pixels
};

/// 1 for each point that is drawn inside, 0 for the others and for those behind the eye or beyond the clip
/// planes. Where they are drawn is what projectToPixel() says, to the last bit. On all of oneTBB's threads;
/// empty when it was cancelled.
[[nodiscard]] std::vector<std::uint8_t> pointsInside(const Polygon& polygon, const DrawnRows& rows,
                                                     const ReadControl& control = {});

} // namespace lloyd
