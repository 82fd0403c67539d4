// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/engine/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lloyd {

/// What every batch has in common.
struct BatchShape {
  int d = 0;
  int k = 0;
  std::size_t points = 0; ///< of all batches but the last, which may have fewer
  unsigned tile = 0;      ///< points of a tile; 0: the plan works on rows
  bool records = false;   ///< a variant wants the points as records
  bool gathers = false;   ///< batches may be tiles from here and there, which bring what is known of them

  [[nodiscard]] std::size_t dimensions() const { return static_cast<std::size_t>(d); }
  [[nodiscard]] std::size_t stride() const { return rowStride(points); }
  [[nodiscard]] std::size_t tilesOf(std::size_t count) const { return (count + tile - 1) / tile; }
  [[nodiscard]] std::size_t tiles() const { return tile == 0 ? 0 : tilesOf(points); }
  [[nodiscard]] std::size_t rawValues() const { return stride() * dimensions(); }
  [[nodiscard]] std::size_t orderedValues() const { return tiles() * tile * dimensions(); }
  [[nodiscard]] std::size_t labelBytes() const { return tile == 0 ? sizeof(Label) : 1; }
};

/// Boxes and sums of a batch's tiles, in device memory: shapes as in TileView.
struct BatchTiles {
  BatchTiles() = default;
  BatchTiles(Device& device, std::size_t tiles, std::size_t d)
      : low(device, tiles * d), high(device, tiles * d), sums(device, tiles * d),
        prefix(device, prefixSums(tiles, static_cast<int>(d))) {}
  [[nodiscard]] static std::size_t bytes(std::size_t tiles, std::size_t d) {
    return tiles * d * (2 * sizeof(float) + sizeof(std::int64_t)) +
           (d == 1 ? (tiles + 1) * sizeof(std::int64_t) : 0);
  }

  Buffer<float> low;
  Buffer<float> high;
  Buffer<std::int64_t> sums;
  Buffer<std::int64_t> prefix;
};

/// The same in pinned host memory.
struct StagedTiles {
  StagedTiles(Device& device, std::size_t tiles, std::size_t d)
      : low(device, tiles * d), high(device, tiles * d), sums(device, tiles * d),
        prefix(device, tiles == 0 ? 0 : prefixSums(tiles, static_cast<int>(d))) {}

  HostBuffer<float> low;
  HostBuffer<float> high;
  HostBuffer<std::int64_t> sums;
  HostBuffer<std::int64_t> prefix;
};

/// Memory for one batch at a time, on the device and, for what passes between the two, on the host. Several
/// take turns, so that one is copied to while another is computed on. The device must outlive it.
struct BatchSlot {
  BatchSlot(Device& device, const BatchShape& shape)
      : staging(device, shape.rawValues()), down(device, shape.points * shape.labelBytes()),
        points(device, shape.rawValues()),
        records(device, shape.records ? shape.points * shape.dimensions() : 0),
        old(device, shape.tile == 0 ? shape.points : 0), labels(device, shape.tile == 0 ? shape.points : 0),
        ordered(device, shape.orderedValues()), place(device, shape.tile == 0 ? 0 : shape.points),
        tiles(device, shape.tiles(), shape.dimensions()), tileLabels(device, tileRoom(shape)),
        pointLabels(device, shape.tiles() * shape.tile),
        staged(device, shape.gathers ? shape.tiles() : 0, shape.dimensions()),
        written(device, shape.tile == 0 ? 0 : shape.points), up(device.createEvent()),
        done(device.createEvent()) {
    labels.fill(0xff);
    pointLabels.fill(0); // whole words are read, also where the last tile has no point
  }
  /// Device memory, and that of the host too where it is counted as the device's.
  [[nodiscard]] static std::size_t bytes(const BatchShape& shape, bool hostIsDevice) {
    const std::size_t staged =
        shape.rawValues() * sizeof(float) + shape.points * shape.labelBytes() + 2 * line;
    std::size_t all = shape.rawValues() * sizeof(float) + (hostIsDevice ? staged : 0) + 12 * line;
    if (shape.records) all += shape.points * shape.dimensions() * sizeof(float);
    if (shape.tile == 0) return all + 2 * shape.points * sizeof(Label);
    return all + shape.orderedValues() * sizeof(float) + shape.points * sizeof(std::uint32_t) +
           BatchTiles::bytes(shape.tiles(), shape.dimensions()) + tileRoom(shape) * sizeof(std::uint16_t) +
           shape.tiles() * shape.tile + shape.points;
  }

  HostBuffer<float> staging;  ///< [d][stride]
  HostBuffer<std::byte> down; ///< labels on their way to the host: as labels, or as written
  Buffer<float> points;       ///< [d][stride]

  // Of a plan that works on rows.
  Buffer<float> records; ///< [n][d]
  Buffer<Label> old;
  Buffer<Label> labels;

  // Of a plan that works on tiles.
  Buffer<float> ordered;            ///< [d][tiles x size]
  Buffer<std::uint32_t> place;      ///< [n]
  BatchTiles tiles;                 ///< of points that were ordered here
  Buffer<std::uint16_t> tileLabels; ///< [tiles], and room as in TileLabelView
  Buffer<std::uint8_t> pointLabels; ///< [tiles x size]
  StagedTiles staged;               ///< what goes up with tiles that were gathered
  Buffer<std::uint8_t> written;     ///< [n], labels in input order

  std::unique_ptr<Event> up;   ///< the points are on the device
  std::unique_ptr<Event> done; ///< nothing uses the slot any more
  bool busy = false;           ///< until done was waited for
  std::size_t first = 0;       ///< point of the batch that it has
  std::size_t count = 0;       ///< points of that batch

private:
  static constexpr std::size_t line = 256; ///< by which allocations are rounded up
  static std::size_t tileRoom(const BatchShape& shape) {
    return shape.tile == 0 ? 0 : runsOfTiles(shape.tiles()) * tilesInRun;
  }
};

} // namespace lloyd
