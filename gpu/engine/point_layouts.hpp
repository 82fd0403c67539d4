// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/engine/stage_clock.hpp"

#include <optional>

namespace lloyd {

/// The points of one data set in the layouts that variants want and points do not lie in: as records, and in
/// tiles, whose labels are those of one run at a time. Each is made when it is first wanted. It belongs to
/// the owner of the points, who knows when they are others. The device must outlive it.
class PointLayouts {
public:
  PointLayouts(Device& device, std::size_t n, int d) : device_(device), n_(n), d_(d) {}

  /// The points are others, or have moved.
  void expire() {
    hasRecords_ = false;
    if (tiles_) tiles_->current = false;
  }

  /// Points, which lie as a structure of arrays, in that layout.
  [[nodiscard]] PointView view(Layout layout, const PointView& points) {
    if (layout == Layout::soa) return points;
    if (records_.size() == 0) records_ = Buffer<float>(device_, n_ * static_cast<std::size_t>(d_));
    if (!hasRecords_) device_.interleave({.n = n_, .d = d_, .points = points, .records = records_.data()});
    hasRecords_ = true;
    return {records_.data(), points.stride, points.box};
  }

  [[nodiscard]] bool hasTiles() const { return tiles_ && tiles_->current; }
  [[nodiscard]] bool hasTiles(unsigned size) const { return hasTiles() && tiles_->points.size() == size; }
  /// Those that were made last, in order or not; null for none.
  [[nodiscard]] TiledPoints* tiles() { return tiles_ ? &tiles_->points : nullptr; }
  /// Puts points in tiles of that size, which have no labels yet. clock: times the order; null for none.
  void makeTiles(unsigned size, const PointView& points, StageClock* clock = nullptr) {
    if (tiles_) tiles_->current = false; // whatever fails from here on
    if (!tiles_ || tiles_->points.size() != size) tiles_.emplace(device_, n_, d_, size);
    const auto order = [&] { tiles_->points.order(points); };
    clock ? clock->time(Stage::order, order) : order();
    tiles_->current = true;
  }

private:
  struct Tiles {
    Tiles(Device& device, std::size_t n, int d, unsigned size) : points(device, n, d, size) {}

    TiledPoints points;
    bool current = false; ///< the points lie in them as they are now
  };

  Device& device_;
  std::size_t n_;
  int d_;
  Buffer<float> records_;
  bool hasRecords_ = false;
  std::optional<Tiles> tiles_;
};

} // namespace lloyd
