// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The points of tiles that several centroids share. A warp takes part of a tile at once, four or eight points
// a lane: what it does once for a part, adding up over its lanes most of all, costs as much as the points.
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

/// Points of a part of which each lane of a warp takes Vectors times four.
template <unsigned Vectors>
inline constexpr unsigned inPart = 32 * perVector* Vectors;
/// As many vectors a lane as a tile has points for, at most two.
[[nodiscard]] constexpr unsigned vectorsFor(unsigned size) { return size % inPart<2> == 0 ? 2 : 1; }

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
template <unsigned D, unsigned Vectors, class Centers>
LLOYD_DEVICE void labelPoints(const Centers& centers, TileList candidates, unsigned k,
                              const float (&x)[Vectors][perVector][D],
                              unsigned (&label)[Vectors][perVector]) {
  const bool all = numberOf(candidates) == tooMany;
  const unsigned count = all ? k : numberOf(candidates);
  const auto distanceTo = [&](unsigned c, float(&distance)[Vectors][perVector]) {
    float center[D];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      center[j] = centers[c * D + j];
    LLOYD_UNROLL
    for (unsigned v = 0; v < Vectors; ++v)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      distance[v][m] = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j) {
        const float away = x[v][m][j] - center[j];
        distance[v][m] = fmaf(away, away, distance[v][m]); // as addSquare() has it
      }
    }
  };
  const unsigned first = all ? 0 : firstOf(candidates);
  float nearest[Vectors][perVector];
  distanceTo(first, nearest);
  LLOYD_UNROLL
  for (unsigned v = 0; v < Vectors; ++v)
    LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m)
    label[v][m] = first; // also where all distances are infinite
  LLOYD_ROLLED
  for (unsigned i = 1; i < count; ++i) {
    candidates >>= 8;
    const unsigned c = all ? i : firstOf(candidates);
    float distance[Vectors][perVector];
    distanceTo(c, distance);
    LLOYD_UNROLL
    for (unsigned v = 0; v < Vectors; ++v)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      const bool nearer = distance[v][m] < nearest[v][m];
      nearest[v][m] = nearer ? distance[v][m] : nearest[v][m];
      label[v][m] = nearer ? c : label[v][m];
    }
  }
}

inline constexpr unsigned noCluster = ~0u; ///< the label of a point that is not there

/// Adds points to their clusters, but for those of the tile's first candidate, which gets what the others
/// leave of rest: where two share a tile, which is nearly always, only one of them is added up.
template <unsigned D, unsigned Vectors, class Halves>
LLOYD_DEVICE void addPoints(const Halves& halves, const FixedPoint& fixed, TileList candidates, unsigned k,
                            Sum rest, const float (&x)[Vectors][perVector][D],
                            const unsigned (&label)[Vectors][perVector]) {
  const bool all = numberOf(candidates) == tooMany;
  const unsigned count = all ? k : numberOf(candidates);
  const unsigned first = all ? 0 : firstOf(candidates);
  LLOYD_ROLLED
  for (unsigned i = 1; i < count; ++i) {
    candidates >>= 8;
    const unsigned c = all ? i : firstOf(candidates);
    Portion<D> portion{};
    LLOYD_UNROLL
    for (unsigned v = 0; v < Vectors; ++v)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m) {
      if (label[v][m] != c) continue;
      ++portion.count;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        portion.sum[j] += toFixed(fixed.middle[j], fixed.scale[j], x[v][m][j]);
    }
    if (__ballot_sync(0xffffffffu, portion.count != 0 ? 1 : 0) == 0) continue;
    const Sum number = addUp(portion);
    addSpread<D>(halves, c, number);
    rest -= number;
  }
  addSpread<D>(halves, first, rest);
}

/// The bytes of a word that belong to the first so many points, at most four.
LLOYD_DEVICE unsigned bytesOf(unsigned points) {
  return points >= perVector ? ~0u : (1u << (8 * points)) - 1u;
}
/// How many bytes of two words differ.
LLOYD_DEVICE unsigned bytesApart(unsigned word, unsigned other) {
  const unsigned apart = word ^ other;
  return static_cast<unsigned>(__popc((((apart & 0x7f7f7f7fu) + 0x7f7f7f7fu) | apart) & 0x80808080u));
}

/// Labels and adds the points of a part, those of a tile with one candidate without a look at them; returns
/// how many of the lane's labels are new. Words of old labels may be the words of the labels themselves: a
/// lane reads the ones that it writes. parts: of a tile; tiles: all there are of n points.
template <unsigned D, unsigned Vectors, class TileSums, class PointVectors, class OldWords, class Words,
          class Centers, class Halves>
LLOYD_DEVICE unsigned passPart(const TilePart& part, const TileSums& tileSums, const PointVectors& vectors,
                               const OldWords& oldWords, const Words& words, const Centers& centers,
                               const FixedPoint& fixed, const Halves& halves, unsigned parts, unsigned tiles,
                               std::size_t n, unsigned k) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned size = parts * inPart<Vectors>;
  const unsigned points = pointsOfTile(part.tile, size, n);
  const std::size_t stride = static_cast<std::size_t>(tiles) * (size / perVector);
  const std::size_t vector =
      (static_cast<std::size_t>(part.tile) * parts + part.part) * (32 * Vectors) + lane; // the lane's first
  Sum rest = 0;
  if (part.part == 0) rest = wholeTile<D>(tileSums, part.tile, tiles, points);
  unsigned here[Vectors]; // the bytes of points that are there
  unsigned before[Vectors];
  LLOYD_UNROLL
  for (unsigned v = 0; v < Vectors; ++v) {
    here[v] = ~0u;
    before[v] = part.old * 0x01010101u;
    if (part.old == mixedTile) before[v] = oldWords[vector + 32 * v];
    const unsigned first = part.part * inPart<Vectors> + (32 * v + lane) * perVector;
    if (points < size) here[v] = bytesOf(points > first ? points - first : 0);
  }
  const auto newOf = [&](unsigned v, unsigned word) {
    const unsigned other = part.old == unknownTile ? ~word : before[v];
    return bytesApart(word & here[v], other & here[v]);
  };
  unsigned newLabels = 0;
  if (numberOf(part.candidates) == 1) {
    addSpread<D>(halves, firstOf(part.candidates), rest);
    LLOYD_UNROLL
    for (unsigned v = 0; v < Vectors; ++v)
      newLabels += newOf(v, firstOf(part.candidates) * 0x01010101u);
    return newLabels;
  }
  float x[Vectors][perVector][D];
  LLOYD_UNROLL
  for (unsigned v = 0; v < Vectors; ++v)
    loadVector<D>(vectors, stride, vector + 32 * v, x[v]);
  unsigned label[Vectors][perVector];
  labelPoints<D, Vectors>(centers, part.candidates, k, x, label);
  LLOYD_UNROLL
  for (unsigned v = 0; v < Vectors; ++v) {
    unsigned word = 0;
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m)
      word |= label[v][m] << (8 * m);
    words[vector + 32 * v] = word;
    newLabels += newOf(v, word);
    if (points == size) continue;
    LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m)
      if ((here[v] >> (8 * m) & 1u) == 0) label[v][m] = noCluster;
  }
  addPoints<D, Vectors>(halves, fixed, part.candidates, k, rest, x, label);
  return newLabels;
}

} // namespace lloyd::fused
