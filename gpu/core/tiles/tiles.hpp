// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Points in an order in which neighbours lie together, cut into tiles of equally many. A tile's box says
// which centroids can be the nearest of any of its points; where that is one, the tile's sums and its one
// label say all that its points would. After Kanungo et al., "An Efficient k-Means Clustering Algorithm:
// Analysis and Implementation" (2002), whose tree is here one flat level.
#include "gpu/core/data/labels.hpp"
#include "gpu/core/math/everywhere.hpp"
#include "gpu/core/math/fixed_point.hpp"

#include <cstddef>
#include <cstdint>

namespace lloyd {

/// Tiles in device memory; nothing is owned. Tile t has the ordered points t x size to (t + 1) x size - 1,
/// the last one fewer where n is not a multiple; the places of those that it lacks hold its last point again.
struct TileView {
  std::size_t count = 0;
  unsigned size = 0;                  ///< points of a tile, a multiple of 128
  const float* points = nullptr;      ///< ordered, [d][count x size]
  const float* low = nullptr;         ///< [d][count]
  const float* high = nullptr;        ///< [d][count], of the box; both ends belong to it
  const std::int64_t* sums = nullptr; ///< [d][count], of the coordinates as fixed has them
  /// D = 1: [count + 1], sums of all tiles before each, and last of all. The order is then ascending, and a
  /// tile begins where the one before it ends.
  const std::int64_t* prefix = nullptr;
  FixedPoint fixed;
};

/// A tile's label is that of all its points, or one of these: its points have labels of their own; nobody
/// has labelled it, which is what memory filled with ones says.
inline constexpr std::uint16_t mixedTile = 0x0100;
inline constexpr std::uint16_t unknownTile = 0x0101;

/// Tiles whose labels are one load of 16 bytes; memory for labels of tiles is a multiple of it.
inline constexpr unsigned tilesInRun = 8;
[[nodiscard]] LLOYD_EVERYWHERE constexpr std::size_t runsOfTiles(std::size_t count) {
  return (count + tilesInRun - 1) / tilesInRun;
}

/// Labels of points in tiles, of at most 256 clusters.
struct TileLabelView {
  const std::uint16_t* tiles = nullptr; ///< [count], and room up to a multiple of tilesInRun
  const std::uint8_t* points = nullptr; ///< ordered, [count x size]; they mean something in mixed tiles only
};
struct TileLabelSpan {
  // NOLINTNEXTLINE(google-explicit-constructor): what may be written may be read
  [[nodiscard]] operator TileLabelView() const { return {tiles, points}; }

  std::uint16_t* tiles = nullptr;
  std::uint8_t* points = nullptr;
};

/// Where tiled labels (LabelLayout::tile) lie in memory for labels: from its beginning those of the tiles,
/// then, on the next 256-byte line, those of the points.
[[nodiscard]] constexpr std::size_t pointLabelsAt(std::size_t n, unsigned tile) {
  return ((n + tile - 1) / tile * sizeof(std::uint16_t) + 255) / 256 * 256;
}
/// All that n tiled labels take. A few hundred points and more leave room for them.
[[nodiscard]] constexpr std::size_t tileLabelBytes(std::size_t n, unsigned tile) {
  return pointLabelsAt(n, tile) + (n + tile - 1) / tile * tile;
}
[[nodiscard]] inline TileLabelView tileLabelsIn(const LabelView& labels, std::size_t n) {
  const auto* const bytes = static_cast<const std::uint8_t*>(labels.data);
  return {static_cast<const std::uint16_t*>(labels.data), bytes + pointLabelsAt(n, labels.tile)};
}
[[nodiscard]] inline TileLabelSpan tileLabelsIn(const LabelSpan& labels, std::size_t n) {
  auto* const bytes = static_cast<std::uint8_t*>(labels.data);
  return {static_cast<std::uint16_t*>(labels.data), bytes + pointLabelsAt(n, labels.tile)};
}

/// What a fused variant of tiles is given beside the rest: labels of the tiles before, and where the new ones
/// go, which may be the same memory.
struct TileArgs {
  TileView view;
  TileLabelView oldLabels;
  TileLabelSpan labels;
};

/// Points -> tiles. All memory is the device's.
struct OrderTilesArgs {
  std::size_t n = 0;
  int d = 0;                     ///< 1 to 3
  const float* points = nullptr; ///< soa
  std::size_t stride = 0;
  Box box; ///< of the points, known
  FixedPoint fixed;
  std::size_t count = 0; ///< tiles
  unsigned size = 0;
  float* ordered = nullptr;       ///< [d][count x size]
  std::uint32_t* place = nullptr; ///< [n], where in the order each point is
  float* low = nullptr;
  float* high = nullptr;
  std::int64_t* sums = nullptr;
  std::int64_t* prefix = nullptr; ///< D = 1
};

/// Labels in tiles -> labels in input order.
struct WriteTileLabelsArgs {
  std::size_t n = 0;
  unsigned size = 0;
  const std::uint32_t* place = nullptr; ///< [n]
  TileLabelView from;                   ///< no tile unknown
  std::uint8_t* to = nullptr;           ///< [n]
};

/// InertiaArgs over points in tiles.
struct TileInertiaArgs {
  Problem problem; ///< of at most 3 dimensions
  TileView view;
  TileLabelView labels; ///< no tile unknown
  const float* centroids = nullptr;
  double* inertia = nullptr; ///< [1]; the sum of squared distances is added to it, as InertiaArgs says
};

/// Labels in input order -> labels in tiles; a tile is mixed only where two of its points
/// differ.
struct ReadTileLabelsArgs {
  std::size_t n = 0;
  std::size_t count = 0;
  unsigned size = 0;
  const std::uint32_t* place = nullptr; ///< [n]
  const std::uint8_t* from = nullptr;   ///< [n]
  TileLabelSpan to;
};

} // namespace lloyd
