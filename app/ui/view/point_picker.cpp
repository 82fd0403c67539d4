// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/point_picker.hpp"

#include "app/render/camera/camera.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {

PointSearch::PointSearch(PickSource source, const CameraView& view, glm::dvec2 pixel, double reachPixels)
    : source_(std::move(source)), view_(view), pixel_(pixel), best_(reachPixels * reachPixels) {}

bool PointSearch::advance(std::size_t points) {
  const std::size_t end = source_.n - next_ > points ? next_ + points : source_.n;
  for (; next_ < end; ++next_) {
    const auto at = projectToPixel(view_, drawnPosition(source_.values, next_, source_.d, source_.stride));
    if (!at) continue;
    const glm::dvec2 off = *at - pixel_;
    const double square = glm::dot(off, off);
    if (square < best_) {
      best_ = square;
      found_ = next_;
    }
  }
  return next_ < source_.n;
}

} // namespace lloyd
