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

void Viewport::mousePressEvent(QMouseEvent* event) {
  gestures_.press(event->position(), event->button());
  if (gestures_.carrying()) setCursor(Qt::ClosedHandCursor);
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  gestures_.move(event->position(), event->buttons(), event->modifiers());
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  gestures_.release(event->position());
  unsetCursor();
  cameraRests_.start();
  update();
}

void Viewport::mouseDoubleClickEvent(QMouseEvent*) { gestures_.centreUnderPointer(); }

void Viewport::wheelEvent(QWheelEvent* event) {
  gestures_.turnWheel(event->position(), event->angleDelta().y() / 120.0);
}

void Viewport::leaveEvent(QEvent*) {
  gestures_.leave();
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
