// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/shown_points.hpp"

#include "app/render/camera/camera.hpp"
#include "gpu/core/contract/error.hpp"

#include <QDebug>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lloyd {

void ShownPoints::set(SharedPointSet data) {
  releaseBuffers();
  data_ = std::move(data);
  projection_.reset();
  frame_ = {};
}

void ShownPoints::setProjection(SharedProjection projection) {
  projection_ = std::move(projection);
  if (buffers_) uploadProjection();
}

void ShownPoints::uploadProjection() {
  buffers_->setDrawn(projection_ ? std::span<const float>(projection_->rows) : std::span<const float>());
}

int ShownPoints::dimensions() const {
  if (projection_) return static_cast<int>(projection_->projection.dimensions());
  return drawnDimensions(data_ ? data_->d : 1);
}

Bounds ShownPoints::bounds() const {
  if (projection_) { // known already: all points would be looked at on the GUI thread
    Bounds bounds;
    for (std::size_t axis = 0; axis < projection_->ranges.size(); ++axis) {
      bounds.low[static_cast<int>(axis)] = projection_->ranges[axis].low;
      bounds.high[static_cast<int>(axis)] = projection_->ranges[axis].high;
    }
    return bounds;
  }
  return data_ ? drawnBounds(data_->values.data(), data_->n, data_->d, data_->n) : Bounds();
}

glm::dvec3 ShownPoints::drawnAt(std::size_t point, std::span<const float> coordinates) const {
  if (projection_) {
    const auto place = projection_->projection.place(coordinates);
    return {place[0], place[1], place[2]};
  }
  glm::dvec3 position = drawnPosition(coordinates.data(), 0, static_cast<int>(coordinates.size()), 1);
  if (coordinates.size() == 1) position.x = static_cast<double>(point);
  return position;
}

bool maybeLent(const Device* device) { return device && device->info().backend == Backend::cuda; }

void ShownPoints::makeBuffers(Device* device) {
  releaseBuffers();
  if (!data_ || data_->n == 0) return;
  const float* const values = data_->values.data();
  const bool moving = data_->drift.has_value();
  if (maybeLent(device)) {
    try {
      buffers_ = std::make_unique<PointBuffers>(data_->n, data_->d, nullptr, moving);
      fillPositions(*device, buffers_->names(), values);
      return uploadProjection();
    } catch (const DeviceError&) {
      buffers_.reset(); // why is for registerPoints() to say
    }
  }
  // What no device computes on holds what is drawn, and not hundreds of coordinates besides.
  const int rows = maybeLent(device) ? data_->d : drawnDimensions(data_->d);
  buffers_ = std::make_unique<PointBuffers>(data_->n, rows, values, moving);
  uploadProjection();
}

void ShownPoints::releaseBuffers() {
  registered_.reset();
  buffers_.reset();
  search_.reset();
}

void ShownPoints::share(std::unique_ptr<RegisteredPoints> registered) {
  registered_ = std::move(registered);
  const int front = registered_->front();
  buffers_->setFront(front, buffers_->labelWidth(front));
}

void ShownPoints::unmap(bool flip) {
  registered_->unmap(flip);
  if (flip && buffers_) buffers_->setFront(registered_->front(), registered_->frontWidth());
}

void ShownPoints::upload() {
  if (!buffers_ || registered_ || !frame_.labels || frame_.labels->size() != buffers_->size()) return;
  buffers_->upload({frame_.labels->data(), LabelWidth::four},
                   frame_.positions ? frame_.positions->data() : nullptr, frame_.stride);
}

std::vector<Label> ShownPoints::labels() const {
  if (registered_) return buffers_ && readable() ? buffers_->readLabels() : std::vector<Label>();
  return frame_.labels ? std::vector<Label>(frame_.labels->begin(), frame_.labels->end())
                       : std::vector<Label>();
}

Label ShownPoints::label(std::size_t point) const {
  if (registered_) return buffers_ && readable() ? buffers_->readLabel(point) : -1;
  return frame_.labels && point < frame_.labels->size() ? (*frame_.labels)[point] : -1;
}

PickSource ShownPoints::columns() const {
  if (!data_ || (data_->drift && registered_)) return {};
  if (data_->drift && frame_.positions)
    return {frame_.positions->data(), data_->n, data_->d, frame_.stride, frame_.positions};
  return {data_->values.data(), data_->n, data_->d, data_->n, data_};
}

PickSource ShownPoints::hostPositions() const {
  if (projection_) return {projection_->rows.data(), data_->n, dimensions(), data_->n, projection_};
  return columns();
}

std::vector<float> ShownPoints::coordinates(std::size_t point) const {
  const PickSource host = columns();
  if (!host.values) {
    if (!buffers_ || !readable()) return {};
    return buffers_->readPositions({&point, 1}, buffers_->dimensions());
  }
  std::vector<float> coordinates;
  for (std::size_t row = 0; row < static_cast<std::size_t>(host.d); ++row)
    coordinates.push_back(host.values[row * host.stride + point]);
  return coordinates;
}

std::vector<glm::dvec3> ShownPoints::places(std::span<const std::size_t> points) const {
  std::vector<glm::dvec3> places;
  if (const PickSource host = hostPositions(); host.values) {
    for (const std::size_t point : points)
      places.push_back(drawnPosition(host.values, point, host.d, host.stride));
  } else if (buffers_ && readable()) {
    const auto each = static_cast<std::size_t>(dimensions());
    const std::vector<float> read = buffers_->readPositions(points, dimensions());
    for (std::size_t i = 0; (i + 1) * each <= read.size(); ++i)
      places.push_back(drawnAt(points[i], std::span(read).subspan(i * each, each)));
  }
  return places;
}

std::optional<std::size_t> ShownPoints::nearest(const CameraView& view, glm::dvec2 pixel, double reach) {
  if (!buffers_) return std::nullopt;
  if (const auto compute = computeOf(QOpenGLContext::currentContext()); compute && !search_) {
    try {
      search_.emplace(*compute);
    } catch (const std::runtime_error& error) {
      qWarning("The point under the pointer is searched by the CPU: %s", error.what());
    }
  }
  if (search_)
    return search_->nearest(ComputePointSource::Points::of(*buffers_, buffers_->grouped()), view, pixel,
                            reach);
  // The last resort, as all positions are copied and the window waits. Whatever lends its buffers to CUDA has
  // compute shaders, unless its driver refuses this one.
  const auto rows = std::make_shared<const std::vector<float>>(buffers_->readRows());
  PointSearch search({rows->data(), buffers_->size(), buffers_->drawnRows(), buffers_->stride(), rows}, view,
                     pixel, reach);
  while (search.advance(buffers_->size())) {
  }
  return search.found();
}

} // namespace lloyd
