// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table over the points' box: for each of its cells, which centroids can be the nearest of a point in it.
// With a handful of clusters most cells have one, some have two, hardly any have more; a point then asks two
// centroids where it asked all. Colour quantisation has used such tables for long (Thomas, "Efficient Inverse
// Color Map Computation", Graphics Gems II, 1991), to be near enough; this one is exact, because a cell keeps
// every centroid that rounding could make the nearest of any point of it.
#include "gpu/kernels/fused/centers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lloyd::fused {

/// A box cut into cells along each axis. Coordinate x lies in cell floor((x - low) x inverse).
struct Cells {
  float low[3];
  float inverse[3];
  unsigned perAxis;
  unsigned last; ///< perAxis - 1
};

[[nodiscard]] inline std::size_t cellCount(unsigned perAxis, int d) {
  std::size_t count = 1;
  for (int j = 0; j < d; ++j)
    count *= perAxis;
  return count;
}

/// As many cells as there is room for entries, and no more than are of use.
[[nodiscard]] inline unsigned cellsPerAxis(int d, std::size_t room) {
  unsigned perAxis = d == 1 ? 8192 : d == 2 ? 192 : 40;
  const unsigned step = d == 1 ? 64 : d == 2 ? 4 : 1;
  while (perAxis > step && cellCount(perAxis, d) > room)
    perAxis -= step;
  return perAxis;
}

/// The far end of the box is a little inside the last cell. A dimension without extent gets a cell as wide as
/// its values are fine.
[[nodiscard]] inline Cells cellsOf(const Box& box, int d, unsigned perAxis) {
  Cells cells{};
  cells.perAxis = perAxis;
  cells.last = perAxis - 1;
  for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
    const double low = box.low[j];
    const double extent = std::max(static_cast<double>(box.high[j]) - low, 1e-6 * std::abs(low) + 1e-30);
    if (!(extent < 3e38)) continue; // no float says how wide: all points are in one cell, which asks all
    cells.low[j] = box.low[j];
    cells.inverse[j] = static_cast<float>(perAxis * (1 - 0x1p-12) / extent);
  }
  return cells;
}

/// The cell along axis j of a point in the box.
LLOYD_DEVICE unsigned cellAlong(const Cells& cells, unsigned j, float x) {
  const auto cell = static_cast<unsigned>((x - cells.low[j]) * cells.inverse[j]);
  return cell < cells.last ? cell : cells.last;
}
template <unsigned D>
LLOYD_DEVICE unsigned cellOf(const Cells& cells, const float (&x)[D]) {
  unsigned cell = cellAlong(cells, D - 1, x[D - 1]);
  LLOYD_UNROLL
  for (unsigned j = D - 1; j > 0; --j)
    cell = cell * cells.perAxis + cellAlong(cells, j - 1, x[j - 1]);
  return cell;
}

/// What a cell says: the lowest candidate in the low byte and the next one in the high byte, the same twice
/// where there is one. More than two: the low byte is the larger, and the cell's list has the others.
using Entry = std::uint16_t;
/// Candidates beyond the first two, one a byte from the lowest on, and in the highest byte their number.
using List = unsigned long long;
inline constexpr unsigned mostListed = 6;
inline constexpr unsigned askAll = 255; ///< as their number: too many to list

struct Candidates {
  Entry entry;
  List list;
};

/// The candidates of a cell, which is taken wider by a thousandth at either side: of up to 8192 cells,
/// rounding in cellAlong() moves an edge by less than 8192 x 2^-23 of one. The centroid nearest to the cell's
/// middle rules out another one when it is the nearer in all of the cell. The difference of their squared
/// distances is a plane over the cell, so its corners decide, each axis for itself; in double, and by more
/// than the float distances of two points can be off.
template <unsigned D, class Centroids>
LLOYD_DEVICE Candidates candidatesOf(const Cells& cells, std::size_t cell, const Centroids& centroids,
                                     unsigned k) {
  constexpr double margin = 1e-3;
  double low[D];
  double high[D];
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const auto along = static_cast<unsigned>(cell % cells.perAxis);
    cell /= cells.perAxis;
    const double width = 1 / static_cast<double>(cells.inverse[j]);
    low[j] = static_cast<double>(cells.low[j]) + (along - margin) * width;
    high[j] = static_cast<double>(cells.low[j]) + (along + 1 + margin) * width;
  }
  double ruler[D] = {};
  double least = INFINITY;
  for (unsigned c = 0; c < k; ++c) {
    double center[D];
    double distance = 0;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      const float value = centroids[c * D + j];
      center[j] = static_cast<double>(value);
      const double away = center[j] - (low[j] + high[j]) / 2;
      distance += away * away;
    }
    if (!(distance < least)) continue;
    least = distance;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      ruler[j] = center[j];
  }
  double farthest = 0; // squared, from the ruling centroid to a corner
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const double away = fmax(ruler[j] - low[j], high[j] - ruler[j]);
    farthest += away * away;
  }
  // Where a float would overflow, no distance is smaller than another, and the lowest index has the point:
  // then all are candidates.
  const bool overflows = !(farthest < 3e38);
  const double allowed = farthest * 0x1p-18 + 1e-36;
  unsigned found = 0;
  unsigned first = 0;
  unsigned second = 0;
  List list = 0;
  for (unsigned c = 0; c < k; ++c) {
    double nearer = 0; // by how much, at most, it is nearer than the ruling one, as squares
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      const float value = centroids[c * D + j];
      const double center = static_cast<double>(value);
      const double between = ruler[j] + center;
      const double apart = center - ruler[j];
      nearer += fmax(apart * (2 * low[j] - between), apart * (2 * high[j] - between));
    }
    if (nearer < -allowed && !overflows) continue;
    if (found == 0) first = second = c;
    if (found == 1) second = c;
    if (found >= 2 && found < 2 + mostListed) list |= static_cast<List>(c) << (8 * (found - 2));
    ++found;
  }
  if (found <= 2) return {static_cast<Entry>(first | second << 8), 0};
  const unsigned listed = found - 2 <= mostListed ? found - 2 : askAll;
  return {static_cast<Entry>(second | first << 8), list | static_cast<List>(listed) << 56};
}

/// Labels a point by its cell's first candidate. False: there is another one.
template <unsigned D, class Centers>
LLOYD_DEVICE bool labelOfOne(const Centers& centers, Entry entry, const float (&x)[D], unsigned& label,
                             float (&deviation)[D]) {
  label = entry & 255u;
  distanceTo<D>(centers, label, x, deviation);
  return entry == label * 257u;
}

/// Labels a point by its cell's two candidates, without a branch, whether they are two or one. False: there
/// are more, and nothing is decided.
template <unsigned D, class Centers>
LLOYD_DEVICE bool labelOfTwo(const Centers& centers, Entry entry, const float (&x)[D], unsigned& label,
                             float (&deviation)[D]) {
  const unsigned a = entry & 255u;
  const unsigned b = entry >> 8;
  float other[D];
  const float first = distanceTo<D>(centers, a, x, deviation);
  const float second = distanceTo<D>(centers, b, x, other);
  const bool nearer = second < first;
  label = nearer ? b : a;
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j)
    deviation[j] = nearer ? other[j] : deviation[j];
  return a <= b;
}

/// Labels a point whose cell has more than two candidates.
template <unsigned D, class Centers, class Entries, class Lists>
LLOYD_DEVICE void labelOfMany(const Centers& centers, const Entries& entries, const Lists& lists, unsigned k,
                              unsigned cell, const float (&x)[D], unsigned& label, float (&deviation)[D]) {
  const Entry entry = entries[cell];
  List list = lists[cell];
  const auto listed = static_cast<unsigned>(list >> 56);
  const bool all = listed == askAll;
  list = list << 16 | (entry >> 8 | (entry & 255u) << 8); // in ascending order; the number is lost
  const unsigned count = all ? k : listed + 2;
  float nearest = INFINITY;
  label = 0;
  LLOYD_ROLLED
  for (unsigned i = 0; i < count; ++i, list >>= 8) {
    const unsigned c = all ? i : static_cast<unsigned>(list) & 255u;
    float other[D];
    const float distance = distanceTo<D>(centers, c, x, other);
    if (distance < nearest || i == 0) { // the first also where all distances are infinite
      nearest = distance;
      label = c;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        deviation[j] = other[j];
    }
  }
}

} // namespace lloyd::fused
