// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/projection/projection.hpp"
#include "app/render/camera/camera.hpp"
#include "app/render/points/compute_point_search.hpp"
#include "app/render/points/point_buffers.hpp"
#include "app/ui/view/point_search.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// Whether buffers may be lent to the device, null for none: those need every coordinate.
[[nodiscard]] bool maybeLent(const Device* device);

/// The points of a view as they are drawn: the data, OpenGL's buffers of them, and the registration of those
/// with a device. The one place to ask for a point's label and position, whichever path they came on. The
/// context must be current in every call but data(), present(), hostPositions() and those of the projection
/// that only ask.
class ShownPoints {
public:
  /// Other points, or none; makeBuffers() is yet to be called for them.
  void set(SharedPointSet data);
  [[nodiscard]] const SharedPointSet& data() const { return data_; }
  /// The result of a copying path.
  void present(const Frame& frame) { frame_ = frame; }

  /// By which axes points are drawn; null: by their first columns. Belongs to the points that are shown now.
  void setProjection(SharedProjection projection);
  [[nodiscard]] const SharedProjection& projection() const { return projection_; }
  /// How many axes the drawing has.
  [[nodiscard]] int dimensions() const;
  /// The box of what is drawn of points that stand still, and at first of those that move.
  [[nodiscard]] Bounds bounds() const;
  /// Where a point with these coordinates is drawn.
  [[nodiscard]] glm::dvec3 drawnAt(std::size_t point, std::span<const float> coordinates) const;

  /// The device, where there is one, copies the points to the buffers if it can.
  void makeBuffers(Device* device = nullptr);
  /// Everything that belongs to the context.
  void releaseBuffers();
  [[nodiscard]] PointBuffers* buffers() const { return buffers_.get(); }
  /// From now on a device writes the buffers.
  void share(std::unique_ptr<RegisteredPoints> registered);
  /// The buffers stay drawn as they are.
  void withdraw() { registered_.reset(); }
  [[nodiscard]] RegisteredPoints* registered() const { return registered_.get(); }
  void unmap(bool flip);
  /// Copies what present() was given to the buffers; nothing while a device writes them.
  void upload();

  /// Whether what is drawn can be read: not while a device has the buffers.
  [[nodiscard]] bool readable() const { return !registered_ || !registered_->mapped(); }
  /// Empty when there are none, or they cannot be read.
  [[nodiscard]] std::vector<Label> labels() const;
  /// -1 when there is none, or it cannot be read.
  [[nodiscard]] Label label(std::size_t point) const;
  /// The coordinates of a point; empty when they cannot be read.
  [[nodiscard]] std::vector<float> coordinates(std::size_t point) const;
  /// Where each point is drawn; empty when that cannot be read.
  [[nodiscard]] std::vector<glm::dvec3> places(std::span<const std::size_t> points) const;
  /// What is drawn, on the host; without values where only the buffers have it.
  [[nodiscard]] PickSource hostPositions() const;
  /// The point of the buffers, which must be readable, that is drawn nearest to a device pixel.
  [[nodiscard]] std::optional<std::size_t> nearest(const CameraView& view, glm::dvec2 pixel, double reach);

private:
  [[nodiscard]] PickSource columns() const;
  void uploadProjection();

  SharedPointSet data_;
  SharedProjection projection_;
  Frame frame_;
  std::optional<ComputePointSearch> search_; ///< made when first needed
  // In this order: the registration ends before its buffers.
  std::unique_ptr<PointBuffers> buffers_;
  std::unique_ptr<RegisteredPoints> registered_;
};

} // namespace lloyd
