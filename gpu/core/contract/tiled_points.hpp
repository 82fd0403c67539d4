// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/tiles/tiles.hpp"

namespace lloyd {

/// Device memory that points in tiles take.
struct TiledBytes {
  std::size_t kept = 0;     ///< for as long as there are tiles
  std::size_t ordering = 0; ///< more, while the points are put in order

  /// Whether so much free memory has room for both, and a fifth to spare for what a run asks for besides.
  [[nodiscard]] bool fitIn(std::size_t free) const { return kept + ordering <= free / 10 * 8; }
};
/// size: points of a tile.
[[nodiscard]] TiledBytes tiledBytes(std::size_t n, int d, unsigned size);

/// Points in tiles, and the labels of their tiles before and after a pass: what a variant with
/// VariantInfo::tileSize works on. Made once for points that stand still. Beside the points themselves it
/// takes their size again, and six bytes a point: tiledBytes(). The device must outlive it; one thread at a
/// time.
class TiledPoints {
public:
  /// size: points of a tile, a multiple of 128. Nothing is in order yet, and nobody has labelled anything.
  TiledPoints(Device& device, std::size_t n, int d, unsigned size);

  /// Puts points [d][stride] with a known box in order. Labels remain those of the tiles: where the points
  /// are not the ones that were in order before, they mean nothing any more.
  void order(const PointView& points);
  /// Nobody has labelled anything.
  void forgetLabels() { before_.tiles.fill(unknownTile & 0xff); }
  /// Takes the labels of the points, one byte each, as those before the next pass.
  void takeLabels(const LabelView& labels);
  /// Writes the labels of the last pass that was kept as those of the points, one byte each.
  void writeLabels(const LabelSpan& labels);
  /// The same with labels by tiles in the caller's memory. Their tiles may have another size: where points
  /// are in the order depends on the points alone.
  void writeLabels(const LabelView& byTiles, const LabelSpan& labels);
  /// The labels that the last pass has written are those before the next one.
  void keepPass() { std::swap(before_, after_); }

  [[nodiscard]] unsigned size() const { return size_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Device memory that it holds.
  [[nodiscard]] std::size_t bytes() const { return tiledBytes(n_, d_, size_).kept; }
  /// Where in the order each point is: [n].
  [[nodiscard]] std::vector<std::uint32_t> places() const { return place_.download(); }
  /// Adds to inertia [1] that of the points with labels by tiles, of this size; centroids [k][d], all device
  /// memory.
  void addInertia(const LabelView& labels, int k, const float* centroids, double* inertia);
  /// For a pass from the labels here to the labels here.
  [[nodiscard]] TileArgs args();
  /// For passes that leave their labels where they found the old ones; there is none to keep.
  [[nodiscard]] TileArgs argsInPlace();
  /// For a pass in which either kind of labels lies in memory of the caller's if it is by tiles, of this
  /// size. No keepPass() belongs to a pass that wrote there.
  [[nodiscard]] TileArgs args(const LabelView& oldLabels, const LabelSpan& labels);

private:
  struct Labels {
    Buffer<std::uint16_t> tiles;
    Buffer<std::uint8_t> points;
    [[nodiscard]] TileLabelSpan span() { return {tiles.data(), points.data()}; }
  };
  void requireByTiles(const LabelLayout& form) const;
  void write(const TileLabelView& from, unsigned size, const LabelSpan& labels);

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
