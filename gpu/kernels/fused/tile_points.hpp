// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The points of a tile that several centroids share, by one warp. A lane has Vectors x 4 of them.
#include "gpu/kernels/fused/tile_candidates.hpp"
#include "gpu/kernels/fused/tile_sums.hpp"
#include "gpu/kernels/fused/vectors.hpp"

namespace lloyd::fused {

[[nodiscard]] constexpr std::size_t tilesOf(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

/// Points of a tile that are there.
LLOYD_DEVICE unsigned pointsOfTile(std::size_t tile, unsigned size, std::size_t n) {
  const std::size_t rest = n - tile * size;
  return rest < size ? static_cast<unsigned>(rest) : size;
}

/// Labels a tile's points by its candidates. A lane has Vectors x 4 of them.
template <unsigned D, unsigned Vectors, class Centers>
LLOYD_DEVICE void labelPoints(const Centers& centers, TileList candidates, unsigned k,
                              const float (&x)[Vectors][perVector][D],
                              unsigned (&label)[Vectors][perVector]) {
  const unsigned listed = numberOf(candidates);
  const bool all = listed == tooMany;
  const unsigned count = all ? k : listed;
  float nearest[Vectors][perVector];
  LLOYD_UNROLL
  for (unsigned r = 0; r < Vectors; ++r)
    LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m) {
    nearest[r][m] = INFINITY;
    label[r][m] = all ? 0 : firstOf(candidates); // also where all distances are infinite
  }
  LLOYD_ROLLED
  for (unsigned i = 0; i < count; ++i, candidates >>= 8) {
    const unsigned c = all ? i : firstOf(candidates);
    float center[D];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      center[j] = centers[c * D + j];
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      float distance = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j) {
        const float away = x[r][m][j] - center[j];
        distance = fmaf(away, away, distance); // as addSquare() has it
      }
      const bool nearer = distance < nearest[r][m];
      nearest[r][m] = nearer ? distance : nearest[r][m];
      label[r][m] = nearer ? c : label[r][m];
    }
  }
}

/// Adds a tile's points to their clusters. The first point's cluster gets what the others leave of the
/// tile's whole: where two share a tile, which is nearly always, only one of them is added up.
template <unsigned D, unsigned Vectors, class Sums>
LLOYD_DEVICE void addPoints(const Sums& blockSums, const FixedPoint& fixed, Portion<D> whole,
                            unsigned pending, const float (&x)[Vectors][perVector][D],
                            const unsigned (&label)[Vectors][perVector]) {
  const unsigned first = __shfl_sync(0xffffffffu, label[0][0], 0);
  unsigned next = 0; // of this lane, while it has pending points
  const auto settle = [&](unsigned cluster) {
    unsigned left = 0;
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      const unsigned bit = 1u << (r * perVector + m);
      if ((pending & bit) == 0 || label[r][m] == cluster) continue;
      left |= bit;
      next = label[r][m];
    }
    const unsigned settled = pending & ~left;
    pending = left;
    return settled;
  };
  static_cast<void>(settle(first));
  for (unsigned lanes = __ballot_sync(0xffffffffu, pending != 0 ? 1 : 0); lanes != 0;
       lanes = __ballot_sync(0xffffffffu, pending != 0 ? 1 : 0)) {
    const unsigned cluster = __shfl_sync(0xffffffffu, next, __ffs(lanes) - 1);
    const unsigned own = settle(cluster);
    Portion<D> portion{};
    portion.count = static_cast<unsigned>(__popc(own));
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      if ((own >> (r * perVector + m) & 1u) == 0) continue;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        portion.sum[j] += toFixed(fixed.middle[j], fixed.scale[j], x[r][m][j]);
    }
    reduce(portion);
    addPortion(blockSums, cluster, portion);
    whole.count -= portion.count;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      whole.sum[j] -= portion.sum[j];
  }
  addPortion(blockSums, first, whole);
}

/// A tile that its warp works on; the same in all lanes.
template <unsigned D>
struct WarpTile {
  unsigned index;
  unsigned points; ///< that are there
  TileList candidates;
  std::uint16_t old; ///< its label before
  Portion<D> whole;
};

/// A tile without candidates and old label.
template <unsigned D, class TileSums>
LLOYD_DEVICE WarpTile<D> loadTile(const TileSums& tileSums, unsigned index, unsigned tiles, unsigned size,
                                  std::size_t n) {
  WarpTile<D> tile;
  tile.index = index;
  tile.points = pointsOfTile(index, size, n);
  tile.candidates = 0;
  tile.old = unknownTile;
  tile.whole.count = tile.points;
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j)
    tile.whole.sum[j] = tileSums[static_cast<std::size_t>(j) * tiles + index];
  return tile;
}

/// Labels and adds a tile's points, those of a tile with one candidate without a look at them; returns how
/// many of the lane's labels are new. Words of old labels may be the words of the labels themselves: a lane
/// reads the ones that it writes.
template <unsigned D, unsigned Vectors, class PointVectors, class OldWords, class Words, class Centers,
          class Sums>
LLOYD_DEVICE unsigned passTile(const WarpTile<D>& tile, const PointVectors& vectors, std::size_t stride,
                               const OldWords& oldWords, const Words& words, const Centers& centers,
                               const FixedPoint& fixed, const Sums& blockSums, unsigned k) {
  const unsigned lane = threadIdx.x % 32;
  const auto vectorOf = [&](unsigned r) {
    return static_cast<std::size_t>(tile.index) * (Vectors * 32) + r * 32 + lane;
  };
  unsigned pending = 0; // which of the lane's points are there
  LLOYD_UNROLL
  for (unsigned p = 0; p < Vectors * perVector; ++p)
    if ((p / perVector * 32 + lane) * perVector + p % perVector < tile.points) pending |= 1u << p;
  unsigned newLabels = 0;
  const auto countNew = [&](unsigned r, unsigned word) {
    unsigned before = tile.old * 0x01010101u;
    if (tile.old == mixedTile) before = oldWords[vectorOf(r)];
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      const bool isNew = tile.old == unknownTile || ((word ^ before) >> (8 * m) & 255u) != 0;
      if (isNew && (pending >> (r * perVector + m) & 1u) != 0) ++newLabels;
    }
  };
  if (numberOf(tile.candidates) == 1) {
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      countNew(r, firstOf(tile.candidates) * 0x01010101u);
    addPortion(blockSums, firstOf(tile.candidates), tile.whole);
    return newLabels;
  }
  float x[Vectors][perVector][D];
  unsigned label[Vectors][perVector];
  LLOYD_UNROLL
  for (unsigned r = 0; r < Vectors; ++r)
    loadVector<D>(vectors, stride, vectorOf(r), x[r]);
  labelPoints<D, Vectors>(centers, tile.candidates, k, x, label);
  LLOYD_UNROLL
  for (unsigned r = 0; r < Vectors; ++r) {
    unsigned word = 0;
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m)
      word |= label[r][m] << (8 * m);
    countNew(r, word);
    words[vectorOf(r)] = word;
  }
  addPoints<D, Vectors>(blockSums, fixed, tile.whole, pending, x, label);
  return newLabels;
}

} // namespace lloyd::fused
