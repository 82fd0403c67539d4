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
  void expire() { hasRecords_ = hasTiles_ = false; }

  /// Points, which lie as a structure of arrays, in that layout.
  [[nodiscard]] PointView view(Layout layout, const PointView& points);

  [[nodiscard]] bool hasTiles() const { return hasTiles_; }
  [[nodiscard]] bool hasTiles(unsigned size) const { return hasTiles_ && tiles_->size() == size; }
  /// Those that were made last, in order or not; null for none.
  [[nodiscard]] TiledPoints* tiles() { return tiles_ ? &*tiles_ : nullptr; }
  /// Puts points in tiles of that size, which have no labels yet. clock: times the order; null for none.
  void makeTiles(unsigned size, const PointView& points, StageClock* clock = nullptr);

private:
  Device& device_;
  std::size_t n_;
  int d_;
  Buffer<float> records_;
  bool hasRecords_ = false;
  std::optional<TiledPoints> tiles_;
  bool hasTiles_ = false;
};

} // namespace lloyd
