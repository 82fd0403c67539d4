// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which centroids can be the nearest of a point in a box. The one nearest to the box's middle rules out
// another when it is the nearer in all of the box: the difference of their squared distances is a plane, so
// the box's corners decide, each axis for itself. (Kanungo et al., 2002, section 3, ask the corner that lies
// farthest in the direction from the one to the other; this is the same corner.) In floats, measured from the
// centroids so that no offset of the data costs anything, and with more room than rounding takes here and in
// the distances that decide between points: what is ruled out is farther for every point, to the last bit.
#include "gpu/kernels/kernel.hpp"

#include <cmath>

namespace lloyd::fused {

/// A box and the centroid that rules over it.
template <unsigned D>
struct Ruled {
  float low[D];
  float high[D];
  float ruler[D];
  float allowed; ///< by so much, as squares, another must be the farther; infinite where squares overflow
};

template <unsigned D>
LLOYD_DEVICE float middleOf(const Ruled<D>& box, unsigned j) {
  return box.low[j] * 0.5f + box.high[j] * 0.5f;
}

/// The squared distance of center c from the middle of the box.
template <unsigned D, class Centers>
LLOYD_DEVICE float fromMiddle(const Ruled<D>& box, const Centers& centers, unsigned c) {
  float distance = 0;
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const float center = centers[c * D + j];
    const float away = center - middleOf(box, j);
    distance = fmaf(away, away, distance);
  }
  return distance;
}

/// Of centers first, first + step, ... below k the one nearest to the middle, and its squared distance.
template <unsigned D, class Centers>
LLOYD_DEVICE unsigned nearestMiddle(const Ruled<D>& box, const Centers& centers, unsigned first, unsigned k,
                                    unsigned step, float& least) {
  unsigned nearest = 0;
  for (unsigned c = first; c < k; c += step) {
    const float distance = fromMiddle(box, centers, c);
    if (!(distance < least)) continue;
    least = distance;
    nearest = c;
  }
  return nearest;
}

/// Makes center c the ruler; whichever it is, nothing is ruled out wrongly.
template <unsigned D, class Centers>
LLOYD_DEVICE void rule(Ruled<D>& box, const Centers& centers, unsigned c) {
  float farthest = 0; // squared, from the ruler to a corner
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const float center = centers[c * D + j];
    box.ruler[j] = center;
    const float away = fmaxf(center - box.low[j], box.high[j] - center);
    farthest = fmaf(away, away, farthest);
  }
  // Where a float overflows, no distance is smaller than another, and the lowest index has the point: then
  // all are candidates.
  box.allowed = farthest < 3e38f ? fmaf(farthest, 0x1p-16f, 1e-36f) : INFINITY;
}

template <unsigned D, class Centers>
LLOYD_DEVICE bool canOwn(const Ruled<D>& box, const Centers& centers, unsigned c) {
  float nearer = 0; // by how much, at most, c is nearer than the ruler
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const float center = centers[c * D + j];
    const float apart = center - box.ruler[j];
    const float corner = apart > 0 ? box.high[j] : box.low[j];
    nearer = fmaf(apart, (corner - box.ruler[j]) + (corner - center), nearer);
  }
  return !(nearer < -box.allowed);
}

/// Candidates of a tile, in ascending order: one a byte from the lowest on, and in the highest byte their
/// number.
using TileList = unsigned long long;
inline constexpr unsigned mostInList = 7;
inline constexpr unsigned tooMany = 255; ///< as their number: all must be asked

LLOYD_DEVICE unsigned numberOf(TileList candidates) { return static_cast<unsigned>(candidates >> 56); }
LLOYD_DEVICE unsigned firstOf(TileList candidates) { return static_cast<unsigned>(candidates & 255u); }

/// The box around all boxes of a warp.
template <unsigned D>
LLOYD_DEVICE Ruled<D> commonBox(Ruled<D> box) {
  LLOYD_UNROLL
  for (int distance = 16; distance > 0; distance /= 2)
    LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    box.low[j] = fminf(box.low[j], __shfl_xor_sync(0xffffffffu, box.low[j], distance));
    box.high[j] = fmaxf(box.high[j], __shfl_xor_sync(0xffffffffu, box.high[j], distance));
  }
  return box;
}

/// The candidates of a box that all lanes have, in ascending order into list; returns how many.
template <unsigned D, class Centers, class List>
LLOYD_DEVICE unsigned listCandidates(Ruled<D> box, const Centers& centers, const List& list, unsigned listAt,
                                     unsigned k) {
  const unsigned lane = threadIdx.x % 32;
  float least = INFINITY;
  const unsigned ruler = nearestMiddle(box, centers, lane, k, 32, least);
  float leastOfAll = least;
  LLOYD_UNROLL
  for (int distance = 16; distance > 0; distance /= 2)
    leastOfAll = fminf(leastOfAll, __shfl_xor_sync(0xffffffffu, leastOfAll, distance));
  const unsigned nearest = __ballot_sync(0xffffffffu, least == leastOfAll ? 1 : 0);
  rule(box, centers, __shfl_sync(0xffffffffu, ruler, __ffs(nearest) - 1));
  unsigned found = 0;
  for (unsigned base = 0; base < k; base += 32) {
    const unsigned c = base + lane;
    bool can = false;
    if (c < k) can = canOwn(box, centers, c);
    const unsigned lanes = __ballot_sync(0xffffffffu, can ? 1 : 0);
    if (can) list[listAt + found + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1u)))] = c;
    found += static_cast<unsigned>(__popc(lanes));
  }
  __syncwarp();
  return found;
}

/// Lanes that find the candidates of a box together where a warp has several boxes.
inline constexpr unsigned inGroup = 8;

/// The candidates of the box that a group of lanes has; each of them gets them. All lanes of a warp call it.
template <unsigned D, class Centers>
LLOYD_DEVICE TileList candidatesOfGroup(Ruled<D> box, const Centers& centers, unsigned k) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned member = lane % inGroup;
  const unsigned leader = lane - member;
  float least = INFINITY;
  const unsigned ruler = nearestMiddle(box, centers, member, k, inGroup, least);
  float leastOfAll = least;
  LLOYD_UNROLL
  for (int distance = inGroup / 2; distance > 0; distance /= 2)
    leastOfAll = fminf(leastOfAll, __shfl_xor_sync(0xffffffffu, leastOfAll, distance));
  const auto ofGroup = [&](bool which) {
    return __ballot_sync(0xffffffffu, which ? 1 : 0) >> leader & ((1u << inGroup) - 1u);
  };
  const auto nearest = static_cast<unsigned>(__ffs(ofGroup(least == leastOfAll))) - 1u;
  rule(box, centers, __shfl_sync(0xffffffffu, ruler, static_cast<int>(leader + nearest)));
  TileList found = 0;
  unsigned number = 0;
  for (unsigned base = 0; base < k; base += inGroup) {
    bool can = false;
    if (base + member < k) can = canOwn(box, centers, base + member);
    for (unsigned left = ofGroup(can); left != 0; left &= left - 1) {
      const unsigned c = base + static_cast<unsigned>(__ffs(left)) - 1u;
      if (number < mostInList) found |= static_cast<TileList>(c) << (8 * number);
      ++number;
    }
  }
  return found | static_cast<TileList>(number <= mostInList ? number : tooMany) << 56;
}

/// The candidates of a tile among those of its warp.
template <unsigned D, class Centers, class List>
LLOYD_DEVICE TileList candidatesAmong(Ruled<D>& box, const Centers& centers, const List& list,
                                      unsigned listAt, unsigned count) {
  const TileList one = TileList{1} << 56;
  if (count == 1) {
    const unsigned only = list[listAt];
    return one | only;
  }
  float least = INFINITY;
  unsigned ruler = list[listAt];
  for (unsigned i = 0; i < count; ++i) {
    const unsigned c = list[listAt + i];
    const float distance = fromMiddle(box, centers, c);
    if (!(distance < least)) continue;
    least = distance;
    ruler = c;
  }
  rule(box, centers, ruler);
  TileList found = 0;
  unsigned number = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned c = list[listAt + i];
    if (!canOwn(box, centers, c)) continue;
    if (number < mostInList) found |= static_cast<TileList>(c) << (8 * number);
    ++number;
  }
  return found | one * (number <= mostInList ? number : tooMany);
}

} // namespace lloyd::fused
