// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/kmeans_runner.hpp"
#include "gpu/interop/shared_points.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// The drawing side as the session sees it: the owner of OpenGL's point buffers. Implemented by the viewport;
/// every call is made on the GUI thread, and the implementation makes its own context current.
class PointSurface {
public:
  PointSurface() = default;
  PointSurface(const PointSurface&) = delete;
  PointSurface& operator=(const PointSurface&) = delete;
  virtual ~PointSurface() = default;

  /// Makes buffers for the data and fills the positions. When device is given, tries to register them with
  /// it: returns an empty reason when that worked, else why not (the points must be copied then).
  /// Microseconds of the filling go to uploadUs.
  [[nodiscard]] virtual std::string show(const SharedPointSet& data, Device* device, double& uploadUs) = 0;
  /// Unregisters the buffers from the device, which is about to go; they are still drawn.
  virtual void withdraw() = 0;
  /// Lends the registered buffers for one iteration. Nothing when they were withdrawn or lost; throws
  /// DeviceError.
  [[nodiscard]] virtual std::optional<PointMemory> map() = 0;
  virtual void unmap(bool flip) = 0;
  /// Takes results of the copying paths; drawn (and uploaded) at the next paint.
  virtual void present(const Frame& frame) = 0;
  /// The labels that are drawn; empty when there are none, or they are lent.
  [[nodiscard]] virtual std::vector<Label> labels() { return {}; }
  /// Asks for a paint. The surface calls Session::frameShown() when it is on the screen.
  virtual void refresh() = 0;
};

} // namespace lloyd
