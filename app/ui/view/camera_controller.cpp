// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/camera_controller.hpp"

#include <QLineF>

namespace lloyd {

void CameraController::drag(Camera& camera, QPointF to, double ratio, Qt::MouseButtons buttons,
                            Qt::KeyboardModifiers modifiers) {
  const QPointF by = to - last_;
  travelled_ += QLineF(last_, to).length();
  last_ = to;
  const glm::dvec2 pixels(by.x() * ratio, by.y() * ratio);
  const bool pans =
      camera.dimensions() < 3 || (modifiers & Qt::ShiftModifier) || (buttons & Qt::MiddleButton);
  pans ? camera.pan(pixels) : camera.orbit(pixels);
}

glm::dvec3 CameraController::carriedTo(const Camera& camera, glm::dvec3 position, glm::dvec2 pixel) {
  // A step in the plane through the point looked at is too long or too short for a position nearer or farther
  // away; a few corrections by what is still missing on the screen converge on it.
  for (int i = 0; i < 6; ++i) {
    const auto now = camera.project(position);
    if (!now) break;
    position += camera.unproject(pixel) - camera.unproject(*now);
  }
  return position;
}

} // namespace lloyd
