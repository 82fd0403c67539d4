// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <memory>
#include <optional>

namespace lloyd::simt {

/// The inputs and outputs of one stage in a device's memory, made from host data: what a stage before it
/// would have left there comes from the reference. The device and what the request points to must outlive it.
class PreparedStage {
public:
  PreparedStage(Device& device, const TraceRequest& request);

  /// One launch, in the device's order of work. A second would add to the sums of the first.
  void launch();

  /// An array of an element a point, or a tile of points, each of which is touched by the thread that handles
  /// it and by no other; none for update, which handles no points.
  struct PointArray {
    const void* first = nullptr;
    std::size_t elementBytes = 0;
    std::size_t count = 0;
  };
  [[nodiscard]] PointArray pointArray();
  /// The owners of the array's elements -> [n], those of the points.
  [[nodiscard]] std::vector<Owner> ownersOfPoints(std::vector<Owner> owners) const;

private:
  void uploadPoints(Layout layout);
  void makeTiles();
  void uploadSums();
  void prepareIteration();

  Device& device_;
  const TraceRequest& request_;
  Buffer<float> points_; ///< in the layout that the stage reads; NaN in the padding of rows
  Buffer<float> rows_;   ///< [d][stride], what layout writes
  Buffer<float> centroids_;
  Buffer<float> moved_;              ///< the centroids that update writes
  std::optional<TiledPoints> tiled_; ///< for variants that want it
  Buffer<Label> givenLabels_;
  Buffer<Label> narrowLabels_; ///< givenLabels_ in width_, where that is not four bytes
  Buffer<Label> labels_;
  LabelWidth width_ = LabelWidth::four;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint32_t> changed_;
  Buffer<UpdateOutcome> outcome_;
  std::unique_ptr<IterationLoop> iteration_;
};

} // namespace lloyd::simt
