// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/camera/bounds.hpp"
#include "app/ui/view/point_tooltip.hpp"
#include "app/ui/view/viewport.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace lloyd {

namespace {

constexpr double reachPixels = 9;            ///< of the pointer, logical
constexpr std::size_t pointsAStep = 400'000; ///< of a search: a few milliseconds
constexpr double wheelStep = 1.15;           ///< a notch

} // namespace

glm::dvec2 Viewport::devicePixel(QPointF at) const {
  const double ratio = devicePixelRatioF();
  return {at.x() * ratio, at.y() * ratio};
}

/// The camera moved: pictures grow again once it rests.
void Viewport::moved() {
  setHovered(std::nullopt);
  search_.reset();
  cameraRests_.start();
  update();
  Q_EMIT cameraChanged();
}

void Viewport::setHovered(std::optional<std::size_t> point) {
  hoveredElsewhere_ = false;
  if (hovered_ == point) return;
  hovered_ = point;
  update();
  Q_EMIT pointed(point);
}

void Viewport::fit() {
  camera_.fit();
  moved();
}

void Viewport::resetView() {
  camera_.reset();
  moved();
}

void Viewport::axisView(int axis) {
  camera_.axisView(axis);
  moved();
}

void Viewport::zoom(double factor) {
  camera_.zoom(factor, devicePixel(rect().center()));
  moved();
}

void Viewport::pan(QPointF by) {
  camera_.pan(devicePixel(by));
  moved();
}

void Viewport::orbit(QPointF by) {
  camera_.orbit(devicePixel(by));
  moved();
}

void Viewport::centreUnderPointer() {
  camera_.centreOn(camera_.unproject(devicePixel(pointer_)));
  moved();
}

void Viewport::inspectUnderPointer() { inspect(pointer_); }

void Viewport::selectNextCentroid() {
  if (track_.clusters() == 0) return;
  selected_ = selected_ ? (*selected_ + 1) % track_.clusters() : 0;
  update();
}

void Viewport::nudgeCentroid(QPointF by) {
  if (!selected_) selectNextCentroid();
  if (!selected_ || *selected_ >= track_.clusters()) return;
  const auto at = projectCentroids(camera_, track_.positions())[static_cast<std::size_t>(*selected_)];
  if (!at) return;
  const double ratio = devicePixelRatioF();
  track_.hold(*selected_, track_.positions()[static_cast<std::size_t>(*selected_)]);
  dragCentroid(QPointF(at->x / ratio, at->y / ratio) + by, true);
}

void Viewport::mousePressEvent(QMouseEvent* event) {
  pointer_ = event->position();
  moves_.press(pointer_);
  carried_ = false;
  const glm::dvec2 pixel = devicePixel(pointer_);
  const auto positions = track_.positions();
  const auto pixels = projectCentroids(camera_, positions);
  const double reach =
      SceneRenderer::markerRadius(devicePixelRatioF(), pixels.size()) + 3 * devicePixelRatioF();
  double nearest = reach;
  std::optional<int> hit;
  for (std::size_t c = 0; c < pixels.size(); ++c) {
    const double off = pixels[c] ? glm::length(*pixels[c] - pixel) : reach;
    if (off < nearest) {
      nearest = off;
      hit = static_cast<int>(c);
    }
  }
  if (hit && event->button() == Qt::LeftButton) {
    selected_ = hit;
    track_.hold(*hit, positions[static_cast<std::size_t>(*hit)]);
    setCursor(Qt::ClosedHandCursor);
  } else {
    selected_.reset();
  }
  update();
}

void Viewport::dragCentroid(QPointF to, bool last) {
  const auto cluster = track_.held();
  if (!cluster || !data_) return;
  glm::dvec3 position = track_.positions()[static_cast<std::size_t>(*cluster)];
  const glm::dvec2 pixel = devicePixel(to);
  if (data_->d == 1) {
    position.y = camera_.unproject(pixel).y;
  } else {
    position = CameraController::carriedTo(camera_, position, pixel);
  }
  track_.hold(*cluster, position);
  std::vector<float> full = track_.coordinates(*cluster);
  if (data_->d == 1) {
    full[0] = static_cast<float>(position.y);
  } else {
    for (int j = 0; j < std::min(data_->d, 3); ++j)
      full[static_cast<std::size_t>(j)] = static_cast<float>(position[j]);
  }
  if (last) track_.letGo();
  Q_EMIT centroidMoved(*cluster, full);
  update();
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position();
  if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
    setHovered(std::nullopt);
    hoverDelay_.start();
    return;
  }
  if (track_.held()) {
    carried_ = true;
    dragCentroid(pointer_, false);
    return;
  }
  moves_.drag(camera_, pointer_, devicePixelRatioF(), event->buttons(), event->modifiers());
  moved();
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  pointer_ = event->position();
  const bool click = moves_.release();
  if (track_.held()) {
    unsetCursor();
    // The press alone moves nothing: a click on a marker only selects it.
    if (carried_) dragCentroid(pointer_, true);
    track_.letGo();
  } else if (click) {
    inspect(pointer_);
  }
  cameraRests_.start();
  update();
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
  pointer_ = event->position();
  centreUnderPointer();
}

void Viewport::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (notches == 0) return;
  camera_.zoom(std::pow(wheelStep, notches), devicePixel(event->position()));
  moved();
}

void Viewport::leaveEvent(QEvent*) {
  hoverDelay_.stop();
  search_.reset();
  setHovered(std::nullopt);
}

// --- the point under the pointer
// --------------------------------------------------------------------------------------

PickSource Viewport::pickSource() {
  if (!data_) return {};
  if (!data_->drift) return {data_->values.data(), data_->n, data_->d, data_->n, data_};
  if (!registered_ && frame_.positions) {
    return {frame_.positions->data(), data_->n, data_->d, frame_.stride, frame_.positions};
  }
  if (registered_)
    return readPositions_
               ? PickSource{readPositions_->data(), data_->n, data_->d, readStride_, readPositions_}
               : PickSource{};
  return {data_->values.data(), data_->n, data_->d, data_->n, data_};
}

void Viewport::inspect(QPointF at) {
  if (!data_ || !isValid() || !rect().contains(at.toPoint())) return;
  if (registered_ && data_->drift && buffers_ && !registered_->mapped()) {
    makeCurrent();
    readPositions_ = std::make_shared<const std::vector<float>>(readFrontPositions(*buffers_));
    readStride_ = buffers_->stride();
    doneCurrent();
  }
  const PickSource source = pickSource();
  if (!source.values) return;
  search_ = std::make_unique<PointSearch>(source, camera_.view(), devicePixel(at),
                                          reachPixels * devicePixelRatioF());
  searchStep_.start(0);
}

void Viewport::searchOn() {
  if (search_ && search_->advance(pointsAStep)) return;
  searchStep_.stop();
  if (!search_) return;
  const std::optional<std::size_t> found = search_->found();
  search_.reset();
  setHovered(found);
}

std::vector<Label> Viewport::drawnLabels() {
  if (!registered_)
    return frame_.labels ? std::vector<Label>(frame_.labels->begin(), frame_.labels->end())
                         : std::vector<Label>{};
  if (!buffers_ || !isValid() || registered_->mapped()) return {};
  makeCurrent();
  std::vector<Label> labels = readLabels(*buffers_);
  doneCurrent();
  return labels;
}

Label Viewport::labelOf(std::size_t point) {
  if (!registered_) return frame_.labels && point < frame_.labels->size() ? (*frame_.labels)[point] : -1;
  return buffers_ && !registered_->mapped() ? readLabel(*buffers_, point) : -1;
}

} // namespace lloyd
