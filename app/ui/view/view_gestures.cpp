// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/view_gestures.hpp"

#include "app/render/overlay/scene_renderer.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr int hoverMs = 140;
constexpr double clickPixels = 4;  ///< a drag travels at least so far
constexpr double wheelStep = 1.15; ///< a notch

/// The drawn position whose pixel is as near to the wanted one as the plane facing the eye allows.
glm::dvec3 carriedTo(const Camera& camera, glm::dvec3 position, glm::dvec2 pixel) {
  // A step in the plane through the point looked at is too long or too short for a position nearer or farther
  // away; a few corrections by what is still missing on the screen converge on it.
  for (int i = 0; i < 6; ++i) {
    const auto now = camera.project(position);
    if (!now) break;
    position += camera.unproject(pixel) - camera.unproject(*now);
  }
  return position;
}

} // namespace

ViewGestures::ViewGestures(Camera& camera, CentroidTrails& centroids)
    : camera_(camera), centroids_(centroids) {
  hoverDelay_.setSingleShot(true);
  hoverDelay_.setInterval(hoverMs);
  connect(&hoverDelay_, &QTimer::timeout, this, [this] { Q_EMIT inspected(pointer_); });
}

std::optional<int> ViewGestures::centroidAt(QPointF at) const {
  const auto pixels = projectCentroids(camera_, centroids_.positions());
  double nearest = SceneRenderer::markerRadius(ratio_, pixels.size()) + 3 * ratio_;
  std::optional<int> hit;
  for (std::size_t c = 0; c < pixels.size(); ++c) {
    if (!pixels[c] || !centroids_.shows(c)) continue;
    const double off = glm::length(*pixels[c] - devicePixel(at));
    if (off >= nearest) continue;
    nearest = off;
    hit = static_cast<int>(c);
  }
  return hit;
}

void ViewGestures::press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  pointer_ = at;
  inside_ = true;
  edits_ = button == Qt::LeftButton && (modifiers & Qt::ControlModifier);
  hoverDelay_.stop();
  dragging_ = true;
  carried_ = false;
  travelled_ = 0;
  selected_ = button == Qt::LeftButton ? centroidAt(at) : std::nullopt;
  if (selected_) centroids_.hold(*selected_, centroids_.positions()[static_cast<std::size_t>(*selected_)]);
  Q_EMIT selectionChanged();
}

void ViewGestures::move(QPointF to, Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers) {
  const QPointF by = to - pointer_;
  pointer_ = to;
  inside_ = true;
  menu_ = false;
  if (!(buttons & (Qt::LeftButton | Qt::MiddleButton))) {
    Q_EMIT pointerMoved();
    hoverDelay_.start();
    return;
  }
  travelled_ += std::hypot(by.x(), by.y());
  if (edits_ && travelled_ < clickPixels) return; // it may become a click
  edits_ = false;
  if (carrying()) {
    carried_ = true;
    dragCentroid(to, false);
  } else if ((modifiers & Qt::ShiftModifier) || (buttons & Qt::MiddleButton)) {
    pan(by);
  } else {
    orbit(by); // which pans the flat view
  }
}

void ViewGestures::release(QPointF at) {
  pointer_ = at;
  dragging_ = false;
  const bool edits = std::exchange(edits_, false);
  if (carrying()) {
    // The press alone moves nothing: a click on a marker only selects it.
    if (carried_) dragCentroid(at, true);
    centroids_.letGo();
    if (edits && selected_) Q_EMIT centroidUnwanted(*selected_);
  } else if (edits) {
    addCentroidAt(at);
  } else if (travelled_ < clickPixels) {
    Q_EMIT inspected(at);
  }
}

void ViewGestures::turnWheel(QPointF at, double notches) {
  if (notches != 0) moveCamera(&Camera::zoom, std::pow(wheelStep, notches), devicePixel(at));
}

void ViewGestures::selectNextCentroid() {
  if (centroids_.clusters() == 0) return;
  selected_ = selected_ ? (*selected_ + 1) % centroids_.clusters() : 0;
  Q_EMIT selectionChanged();
}

void ViewGestures::nudgeCentroid(QPointF by) {
  if (!selected_) selectNextCentroid();
  if (!selected_ || *selected_ >= centroids_.clusters()) return;
  const auto positions = centroids_.positions();
  const auto cluster = static_cast<std::size_t>(*selected_);
  const auto at = projectCentroids(camera_, positions)[cluster];
  if (!at) return;
  centroids_.hold(*selected_, positions[cluster]);
  dragCentroid(QPointF(at->x, at->y) / ratio_ + by, true);
}

void ViewGestures::addCentroid() {
  const glm::dvec2 middle = glm::dvec2(camera_.view().viewport) / (2 * ratio_);
  addCentroidAt(inside_ ? pointer_ : QPointF(middle.x, middle.y));
}

void ViewGestures::removeCentroid() {
  const auto pointed = inside_ ? centroidAt(pointer_) : std::nullopt;
  Q_EMIT centroidUnwanted(pointed.value_or(selected_.value_or(-1)));
}

void ViewGestures::addCentroidAt(QPointF at) {
  const std::vector<glm::dvec3> positions = centroids_.positions();
  const auto pixels = projectCentroids(camera_, positions);
  std::optional<std::size_t> nearest;
  const auto off = [&](std::size_t c) { return glm::length(*pixels[c] - devicePixel(at)); };
  for (std::size_t c = 0; c < pixels.size(); ++c)
    if (pixels[c] && (!nearest || off(c) < off(*nearest))) nearest = c;
  if (!nearest) return Q_EMIT centroidWanted({});
  const int cluster = static_cast<int>(*nearest);
  Q_EMIT centroidWanted(
      centroids_.coordinatesAt(cluster, drawnAt(cluster, positions[*nearest], devicePixel(at))));
}

/// Where a centroid is drawn once it is under a pixel.
glm::dvec3 ViewGestures::drawnAt(int cluster, glm::dvec3 position, glm::dvec2 pixel) const {
  if (centroids_.coordinates(cluster).size() != 1) return carriedTo(camera_, position, pixel);
  position.y = camera_.unproject(pixel).y; // a value, drawn upwards
  return position;
}

void ViewGestures::dragCentroid(QPointF to, bool last) {
  const auto cluster = centroids_.held();
  if (!cluster || *cluster >= centroids_.clusters()) return;
  const glm::dvec3 before = centroids_.positions()[static_cast<std::size_t>(*cluster)];
  const glm::dvec3 position = drawnAt(*cluster, before, devicePixel(to));
  centroids_.hold(*cluster, position);
  if (last) centroids_.letGo();
  Q_EMIT centroidMoved(*cluster, centroids_.coordinatesAt(*cluster, position));
}

} // namespace lloyd
