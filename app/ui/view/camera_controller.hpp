// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"

#include <QPointF>
#include <Qt>

namespace lloyd {

/// What a drag with the mouse means: the flat view pans; in space it orbits, and pans with Shift or the
/// middle button.
class CameraController {
public:
  void press(QPointF at) {
    last_ = at;
    dragging_ = true;
    travelled_ = 0;
  }
  /// Moves the camera by the way since the last call; ratio: device pixels in a logical one.
  void drag(Camera& camera, QPointF to, double ratio, Qt::MouseButtons buttons,
            Qt::KeyboardModifiers modifiers);
  /// Whether it was a click, not a drag.
  bool release() {
    dragging_ = false;
    return travelled_ < 4;
  }
  [[nodiscard]] bool dragging() const { return dragging_; }

  /// The drawn position whose pixel is as near to the wanted one as the plane facing the eye allows.
  [[nodiscard]] static glm::dvec3 carriedTo(const Camera& camera, glm::dvec3 position, glm::dvec2 pixel);

private:
  QPointF last_;
  double travelled_ = 0;
  bool dragging_ = false;
};

} // namespace lloyd
