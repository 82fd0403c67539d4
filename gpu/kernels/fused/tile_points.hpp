// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The points of tiles that several centroids share. A warp takes part of a tile at once, four points a lane:
// few registers leave room for many warps, and what one warp waits for hides behind the others.
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

inline constexpr unsigned inPart = 32 * perVector; ///< points of a part

/// A part of a tile that a warp works on; the same in all lanes.
struct TilePart {
  unsigned tile;
  unsigned part;
  TileList candidates;
  std::uint16_t old; ///< the tile's label before
};

/// The sums of a tile's points and their number, spread over a warp.
template <unsigned D, class TileSums>
LLOYD_DEVICE Sum wholeTile(const TileSums& tileSums, unsigned tile, unsigned tiles, unsigned points) {
  const unsigned at = spreadAt<D>();
  Sum number = at == D ? points : 0;
  if (at < D)
    number = static_cast<Sum>(static_cast<long long>(tileSums[static_cast<std::size_t>(at) * tiles + tile]));
  return number;
}

/// Labels a lane's points by the candidates of their tile.
template <unsigned D, class Centers>
LLOYD_DEVICE void labelPoints(const Centers& centers, TileList candidates, unsigned k,
                              const float (&x)[perVector][D], unsigned (&label)[perVector]) {
  const bool all = numberOf(candidates) == tooMany;
  const unsigned count = all ? k : numberOf(candidates);
  const auto distanceTo = [&](unsigned c, float(&distance)[perVector]) {
    float center[D];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      center[j] = centers[c * D + j];
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      distance[m] = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j) {
        const float away = x[m][j] - center[j];
        distance[m] = fmaf(away, away, distance[m]); // as addSquare() has it
      }
    }
  };
  const unsigned first = all ? 0 : firstOf(candidates);
  float nearest[perVector];
  distanceTo(first, nearest);
  LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m)
    label[m] = first; // also where all distances are infinite
  LLOYD_ROLLED
  for (unsigned i = 1; i < count; ++i) {
    candidates >>= 8;
    const unsigned c = all ? i : firstOf(candidates);
    float distance[perVector];
    distanceTo(c, distance);
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      const bool nearer = distance[m] < nearest[m];
      nearest[m] = nearer ? distance[m] : nearest[m];
      label[m] = nearer ? c : label[m];
    }
  }
}

/// Adds points to their clusters, but for those of the tile's first candidate, which gets what the others
/// leave of rest: where two share a tile, which is nearly always, only one of them is added up. here: a bit
/// for each of the lane's points that is there.
template <unsigned D, class Halves>
LLOYD_DEVICE void addPoints(const Halves& halves, const FixedPoint& fixed, TileList candidates, unsigned k,
                            Sum rest, unsigned here, const float (&x)[perVector][D],
                            const unsigned (&label)[perVector]) {
  const bool all = numberOf(candidates) == tooMany;
  const unsigned count = all ? k : numberOf(candidates);
  const unsigned first = all ? 0 : firstOf(candidates);
  LLOYD_ROLLED
  for (unsigned i = 1; i < count; ++i) {
    candidates >>= 8;
    const unsigned c = all ? i : firstOf(candidates);
    Portion<D> portion{};
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      if ((here >> m & 1u) == 0 || label[m] != c) continue;
      ++portion.count;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        portion.sum[j] += toFixed(fixed.middle[j], fixed.scale[j], x[m][j]);
    }
    if (__ballot_sync(0xffffffffu, portion.count != 0 ? 1 : 0) == 0) continue;
    const Sum number = addUp(portion);
    addSpread<D>(halves, c, number);
    rest -= number;
  }
  addSpread<D>(halves, first, rest);
}

/// Labels and adds the points of a part, those of a tile with one candidate without a look at them; returns
/// how many of the lane's labels are new. Words of old labels may be the words of the labels themselves: a
/// lane reads the ones that it writes. parts: of a tile; tiles: all there are of n points.
template <unsigned D, class TileSums, class PointVectors, class OldWords, class Words, class Centers,
          class Halves>
LLOYD_DEVICE unsigned passPart(const TilePart& part, const TileSums& tileSums, const PointVectors& vectors,
                               const OldWords& oldWords, const Words& words, const Centers& centers,
                               const FixedPoint& fixed, const Halves& halves, unsigned parts, unsigned tiles,
                               std::size_t n, unsigned k) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned points = pointsOfTile(part.tile, parts * inPart, n);
  const std::size_t stride = static_cast<std::size_t>(tiles) * parts * 32; // of vectors
  const std::size_t vector = (static_cast<std::size_t>(part.tile) * parts + part.part) * 32 + lane;
  Sum rest = 0;
  if (part.part == 0) rest = wholeTile<D>(tileSums, part.tile, tiles, points);
  unsigned here = 0; // which of the lane's points are there
  LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m)
    if (part.part * inPart + lane * perVector + m < points) here |= 1u << m;
  unsigned before = part.old * 0x01010101u;
  if (part.old == mixedTile) before = oldWords[vector];
  const auto newOf = [&](unsigned word) {
    unsigned newLabels = 0;
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      const bool isNew = part.old == unknownTile || ((word ^ before) >> (8 * m) & 255u) != 0;
      if (isNew && (here >> m & 1u) != 0) ++newLabels;
    }
    return newLabels;
  };
  if (numberOf(part.candidates) == 1) {
    addSpread<D>(halves, firstOf(part.candidates), rest);
    return newOf(firstOf(part.candidates) * 0x01010101u);
  }
  float x[perVector][D];
  loadVector<D>(vectors, stride, vector, x);
  unsigned label[perVector];
  labelPoints<D>(centers, part.candidates, k, x, label);
  unsigned word = 0;
  LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m)
    word |= label[m] << (8 * m);
  words[vector] = word;
  addPoints<D>(halves, fixed, part.candidates, k, rest, here, x, label);
  return newOf(word);
}

} // namespace lloyd::fused
