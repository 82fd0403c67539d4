// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/tiles/tiles.hpp"

#include <stdexcept>

namespace lloyd {

/// Values of TileView::prefix.
[[nodiscard]] constexpr std::size_t prefixSums(std::size_t tiles, int d) { return d == 1 ? tiles + 1 : 0; }
/// Labels that memory for those of tiles has room for.
[[nodiscard]] constexpr std::size_t tileLabels(std::size_t tiles) { return runsOfTiles(tiles) * tilesInRun; }

/// Device memory that points in tiles take.
struct TiledBytes {
  std::size_t kept = 0;     ///< for as long as there are tiles
  std::size_t ordering = 0; ///< more, while the points are put in order

  /// Whether so much free memory has room for both, and a fifth to spare for what a run asks for besides.
  [[nodiscard]] bool fitIn(std::size_t free) const { return kept + ordering <= free / 10 * 8; }
};
/// size: points of a tile.
[[nodiscard]] inline TiledBytes tiledBytes(std::size_t n, int d, unsigned size) {
  /// What sorting takes on a GPU, where it takes most: keys and indices twice, and what the sort counts,
  /// which is a small part of a byte a point beside a constant one.
  constexpr std::size_t sortingBytesOfPoint = 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + 1;
  constexpr std::size_t sortingBytes = std::size_t{1} << 20;
  const std::size_t count = (n + size - 1) / size;
  const auto rows = static_cast<std::size_t>(d);
  const std::size_t ofTile = rows * (2 * sizeof(float) + sizeof(std::int64_t));
  const std::size_t labels = tileLabels(count) * sizeof(std::uint16_t) + count * size * sizeof(std::uint8_t);
  return {.kept = count * size * rows * sizeof(float) + n * sizeof(std::uint32_t) + count * ofTile +
                  prefixSums(count, d) * sizeof(std::int64_t) + 2 * labels,
          .ordering = n * sortingBytesOfPoint + sortingBytes};
}

/// Points in tiles, and the labels of their tiles before and after a pass: what a variant with
/// VariantInfo::tileSize works on. Made once for points that stand still. Beside the points themselves it
/// takes their size again, and six bytes a point: tiledBytes(). The device must outlive it; one thread at a
/// time.
class TiledPoints {
public:
  /// size: points of a tile, a multiple of 128. Nothing is in order yet, and nobody has labelled anything.
  TiledPoints(Device& device, std::size_t n, int d, unsigned size)
      : device_(device), n_(n), d_(d), size_(size), count_((n + size - 1) / size),
        points_(device, perAxis() * size), place_(device, n), low_(device, perAxis()),
        high_(device, perAxis()), sums_(device, perAxis()), prefix_(device, prefixSums(count_, d)) {
    for (Labels* labels : {&before_, &after_}) {
      labels->tiles = Buffer<std::uint16_t>(device, tileLabels(count_));
      labels->points = Buffer<std::uint8_t>(device, count_ * size);
      // Whole words and whole runs are read, also where the last tile has no point and the last run no tile.
      labels->points.fill(0);
      labels->tiles.fill(unknownTile & 0xff);
    }
  }

  /// Puts points [d][stride] with a known box in order. Labels remain those of the tiles: where the points
  /// are not the ones that were in order before, they mean nothing any more.
  void order(const PointView& points) {
    if (n_ == 0) return;
    if (!points.box.known()) throw std::invalid_argument("points in tiles need a box");
    fixed_ = fixedPointOf(points.box, n_, d_);
    device_.orderTiles({.n = n_,
                        .d = d_,
                        .points = points.data,
                        .stride = points.stride,
                        .box = points.box,
                        .fixed = fixed_,
                        .count = count_,
                        .size = size_,
                        .ordered = points_.data(),
                        .place = place_.data(),
                        .low = low_.data(),
                        .high = high_.data(),
                        .sums = sums_.data(),
                        .prefix = prefix_.data()});
  }
  /// Nobody has labelled anything.
  void forgetLabels() { before_.tiles.fill(unknownTile & 0xff); }
  /// Takes the labels of the points, one byte each, as those before the next pass.
  void takeLabels(const LabelView& labels) {
    requireInputOrder(labels.layout());
    if (labels.width != LabelWidth::one) throw std::invalid_argument("labels in tiles are one byte each");
    if (n_ == 0) return;
    device_.readTileLabels({.n = n_,
                            .count = count_,
                            .size = size_,
                            .place = place_.data(),
                            .from = static_cast<const std::uint8_t*>(labels.data),
                            .to = before_.span()});
  }
  /// Writes the labels of the last pass that was kept as those of the points, one byte each.
  void writeLabels(const LabelSpan& labels) { write(before_.span(), size_, labels); }
  /// The same with tiled labels in the caller's memory. Their tiles may have another size: where points
  /// are in the order depends on the points alone.
  void writeLabels(const LabelView& tiledLabels, const LabelSpan& labels) {
    write(tileLabelsIn(tiledLabels, n_), tiledLabels.tile, labels);
  }
  /// The labels that the last pass has written are those before the next one.
  void keepPass() { std::swap(before_, after_); }

  [[nodiscard]] unsigned size() const { return size_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Device memory that it holds.
  [[nodiscard]] std::size_t bytes() const { return tiledBytes(n_, d_, size_).kept; }
  /// Where in the order each point is: [n].
  [[nodiscard]] std::vector<std::uint32_t> permutation() const { return place_.download(); }
  /// Adds to inertia [1] that of the points with tiled labels, of this size; centroids [k][d], all device
  /// memory.
  void addInertia(const LabelView& labels, int k, const float* centroids, double* inertia) {
    requireTiled(labels.layout());
    if (n_ == 0) return;
    device_.tileInertia({.problem = {.n = n_, .d = d_, .k = k},
                         .view = args().view,
                         .labels = tileLabelsIn(labels, n_),
                         .centroids = centroids,
                         .inertia = inertia});
  }
  /// For a pass from the labels here to the labels here.
  [[nodiscard]] TileArgs args() {
    return {.view = {.count = count_,
                     .size = size_,
                     .points = points_.data(),
                     .low = low_.data(),
                     .high = high_.data(),
                     .sums = sums_.data(),
                     .prefix = prefix_.data(),
                     .fixed = fixed_},
            .oldLabels = before_.span(),
            .labels = after_.span()};
  }
  /// For passes that leave their labels where they found the old ones; there is none to keep.
  [[nodiscard]] TileArgs argsInPlace() {
    TileArgs own = args();
    own.labels = before_.span();
    return own;
  }
  /// For a pass in which either kind of labels lies in memory of the caller's if it is in the tiled layout,
  /// of this size. No keepPass() belongs to a pass that wrote there.
  [[nodiscard]] TileArgs args(const LabelView& oldLabels, const LabelSpan& labels) {
    TileArgs made = args();
    if (oldLabels.tile != 0) {
      requireTiled(oldLabels.layout());
      made.oldLabels = tileLabelsIn(oldLabels, n_);
    }
    if (labels.tile != 0) {
      requireTiled(labels.layout());
      made.labels = tileLabelsIn(labels, n_);
    }
    return made;
  }

private:
  struct Labels {
    Buffer<std::uint16_t> tiles;
    Buffer<std::uint8_t> points;
    [[nodiscard]] TileLabelSpan span() { return {tiles.data(), points.data()}; }
  };
  [[nodiscard]] std::size_t perAxis() const { return count_ * static_cast<std::size_t>(d_); }
  void requireTiled(const LabelLayout& layout) const {
    if (layout != LabelLayout(LabelWidth::one, size_))
      throw std::invalid_argument("tiled labels are of tiles of another size");
  }
  void write(const TileLabelView& from, unsigned size, const LabelSpan& labels) {
    requireInputOrder(labels.layout());
    if (labels.width != LabelWidth::one) throw std::invalid_argument("labels in tiles are one byte each");
    if (n_ == 0) return;
    device_.writeTileLabels({.n = n_,
                             .size = size,
                             .place = place_.data(),
                             .from = from,
                             .to = static_cast<std::uint8_t*>(labels.data)});
  }

  Device& device_;
  std::size_t n_;
  int d_;
  unsigned size_;
  std::size_t count_;
  FixedPoint fixed_;
  Buffer<float> points_; ///< [d][count x size], as the other members are shaped as in TileView
  Buffer<std::uint32_t> place_;
  Buffer<float> low_;
  Buffer<float> high_;
  Buffer<std::int64_t> sums_;
  Buffer<std::int64_t> prefix_;
  Labels before_;
  Labels after_;
};

} // namespace lloyd
