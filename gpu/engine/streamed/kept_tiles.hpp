// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/point_source.hpp"
#include "gpu/engine/streamed/batch_memory.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// Points in tiles that stay with the host, in pinned memory, while the tiles' boxes, sums and labels are on
/// the device: so it is known there which tiles have one label, and which ones' points are wanted. Made once.
/// The device must outlive it; one thread at a time.
class KeptTiles {
public:
  /// Puts the points in order: roughly on the host, so that each batch is near together, then batch by batch
  /// on the device, in slot. Throws DeviceError, also where the host cannot pin so much, and Cancelled.
  KeptTiles(Device& device, const Problem& problem, const PointSource& source, const BatchShape& shape,
            const FixedPoint& fixed, BatchSlot& slot, const std::atomic<bool>* cancel);
  /// Device memory that it takes for n points, and as much again for each tile that is looked at.
  [[nodiscard]] static std::size_t bytes(std::size_t n, const BatchShape& shape) {
    const std::size_t tiles = n / shape.tile + 1;
    return BatchTiles::bytes(tiles, shape.dimensions()) + 2 * (tiles + tilesInRun) * sizeof(std::uint16_t);
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t inBatch() const { return inBatch_; } ///< tiles of a whole batch
  [[nodiscard]] std::size_t pointsOf(std::size_t tile) const {
    return std::min<std::size_t>(shape_.tile, problem_.n - tile * shape_.tile);
  }
  /// All tiles, without points.
  [[nodiscard]] TileView view() const {
    return {.count = count_,
            .size = shape_.tile,
            .points = nullptr,
            .low = tiles_.low.data(),
            .high = tiles_.high.data(),
            .sums = tiles_.sums.data(),
            .prefix = nullptr,
            .fixed = fixed_};
  }
  /// Copies some tiles, in ascending order, to the slot's pinned memory; on the host's threads.
  void gather(std::span<const std::uint32_t> tiles, BatchSlot& slot) const;
  /// Inertia of the tiles that have one label each, now and before: the squared distances of their points
  /// from the tile's own mean, which are known, and of that from the centroid.
  [[nodiscard]] double inertiaOfWhole(std::span<const std::uint16_t> old, std::span<const std::uint16_t> now,
                                      std::span<const float> centroids) const;

  Buffer<std::uint16_t> old; ///< labels of tiles before a pass, and room as in TileLabelView
  Buffer<std::uint16_t> now; ///< and after it
  HostBuffer<std::uint16_t> oldDown;
  HostBuffer<std::uint16_t> nowDown;
  std::vector<float> labelledBy; ///< the centroids that old belongs to; empty for none

private:
  void order(BatchSlot& slot, std::size_t batch);
  void summarise();
  /// Of coordinate j of the tile's first point among those that are kept.
  [[nodiscard]] std::size_t placeOf(std::size_t tile, std::size_t j) const;

  Device& device_;
  Problem problem_;
  Box box_;
  BatchShape shape_;
  FixedPoint fixed_;
  std::size_t count_;
  std::size_t inBatch_;
  BatchTiles tiles_;
  HostBuffer<float> points_; ///< by batches: [d][tiles x size]
  std::vector<float> low_;   ///< [d][count], as the next two: what is on the device
  std::vector<float> high_;
  std::vector<std::int64_t> sums_;
  std::vector<double> spread_; ///< [count], squared distances from the tile's mean, added up
};

} // namespace lloyd
