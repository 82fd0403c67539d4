// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How fused.v4 labels points: by scores from tensor cores, and by chains of distances where scores are too
// near to tell. gpu/kernels/distance/score.hpp has the proof; what differs here:
//
// - A point's coordinates are not rounded but cut off by the instruction, after a multiplication by
//   1 + 2^-11, which leaves no less and no more than half a step on either side: |x - y| <= 2^-11 1.001 |x|.
//   So its loss is not measured. That of the centroids is.
// - A coordinate that is denormal may lose as much as it has. Then |x| |c| is far below half the square of
//   the greatest |c|, which the margin has a share of, or below tiny.
// - The accumulation is the tensor cores' own, of eight products at once, and h is added up one by one.
//
// A warp takes 32 points. A lane has two or four coordinates of four of them, and sees a quarter of the
// clusters' scores of these four. What the four lanes of a quad know of a point is then brought together in
// the lane of the point's own number.
#include "gpu/kernels/kernel.hpp"

#include <cmath>
#include <type_traits>

namespace lloyd::fused {

inline constexpr unsigned everyLane = 0xffffffffu;
inline constexpr unsigned inQuad = 4; ///< lanes of a quad, and points of it

/// The same value, which nvcc then keeps: of what follows from a thread's number it would else compute much
/// anew in each turn of a loop.
LLOYD_DEVICE unsigned kept(unsigned value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(value));
#endif
  return value;
}

/// A score that no cluster which is there falls below: of one that is not.
inline constexpr float noScore = -1e38f;

/// To the eleven digits that tensor cores read of a float.
LLOYD_DEVICE float roundedToEleven(float value) {
  return __uint_as_float((__float_as_uint(value) + 0x1000u) & 0xffffe000u);
}
/// What a value is multiplied by, so that its first eleven digits are within half a step of it.
inline constexpr float halfStepUp = 1.0f + 0x1p-11f;

/// Brings the values that a quad's lanes have of its four points together: of[p] belongs to point p, and lane
/// p of the quad returns what join makes of the four values of[p].
template <class T, class Join>
LLOYD_DEVICE T joinInQuad(const T (&of)[inQuad], const Join& join) {
  const unsigned lane = threadIdx.x;
  const bool upper = (lane & 2u) != 0;
  const bool odd = (lane & 1u) != 0;
  const T first = join(upper ? of[2] : of[0], __shfl_xor_sync(everyLane, upper ? of[0] : of[2], 2));
  const T second = join(upper ? of[3] : of[1], __shfl_xor_sync(everyLane, upper ? of[1] : of[3], 2));
  return join(odd ? second : first, __shfl_xor_sync(everyLane, odd ? first : second, 1));
}

/// The margin M of the proof, of which a launch knows all but a point's |x|^2 and its best score. |x| is not
/// asked for: it is at most (|x|^2 / s + s) / 2 for any s, and s is a power of two near the greatest |c|,
/// which is about as large.
struct Margin {
  float most;    ///< |x|^2 has to be below
  float perNorm; ///< what |x|^2 is multiplied by
  float always;
  float chains;
};
/// others: the greatest |c|^2; otherLoss: the greatest |c - e|^2.
LLOYD_DEVICE Margin marginOf(unsigned width, float others, float otherLoss) {
  constexpr float half = 0x1p-11f * 1.001f;
  const float sums = static_cast<float>(20 * ((width + 7) / 8) + width + 4) * 0x1p-24f;
  const float chains = static_cast<float>(width + 2) * 0x1p-24f;
  const float twice = 2 * 1.02f * (1 + chains);
  const float greatest = sqrtf(others);
  const float loss = sqrtf(otherLoss);
  const float each = twice * (half * (greatest + loss) + loss + sums * greatest);
  const unsigned power = (__float_as_uint(others) / 2 + 0x1fc00000u) & 0x7f800000u;
  const float halfOfS = __uint_as_float(power) / 2;
  const float halfOverS = __uint_as_float(0x7f000000u - power) / 2;
  return {others < 1e37f ? 1e37f - others : 0, each * halfOverS,
          twice * sums * (others / 2) + each * halfOfS + static_cast<float>(width + 1) * 0x1p-140f,
          1.02f * chains};
}
/// Infinite where a float would overflow, or something is not a number.
LLOYD_DEVICE float marginOf(const Margin& of, float norm, float best) {
  const float margin = fmaf(of.chains, fmaxf(norm - 2 * best, 0), fmaf(of.perNorm, norm, of.always));
  return norm < of.most ? margin : INFINITY;
}

/// Where candidates are noted: a bit for every cluster.
template <unsigned Tiles>
using CandidateBits = std::conditional_t<(Tiles > 4), unsigned long long, unsigned>;
/// A lane sees two clusters of each tile of eight. Its bits lie side by side; bits says of one where.
template <unsigned Tiles>
LLOYD_DEVICE unsigned clusterOfBit(unsigned bit) {
  const unsigned ofLane = bit % (2 * Tiles);
  return ofLane / 2 * 8 + bit / (2 * Tiles) * 2 + ofLane % 2;
}
LLOYD_DEVICE unsigned lowestBit(unsigned bits) { return static_cast<unsigned>(__ffs(bits)) - 1; }
LLOYD_DEVICE unsigned lowestBit(unsigned long long bits) {
  const auto low = static_cast<unsigned>(bits);
  return low != 0 ? lowestBit(low) : 32 + lowestBit(static_cast<unsigned>(bits >> 32));
}

/// Behind each coordinate's row of centroids a word is free, so that lanes that store a column meet in no
/// bank.
template <unsigned Tiles>
inline constexpr unsigned columnPitch = 8 * Tiles + 1;

/// The label of the lane's own point by its chains of distances to the candidates. tile: the points'
/// coordinates, pitch values apart from place at on, 0 where there is none. columns: centroids as
/// [coordinate][cluster], likewise.
template <unsigned Width, unsigned Tiles, class Tile, class Columns>
LLOYD_DEVICE unsigned labelByChains(CandidateBits<Tiles> candidates, const Tile& tile, unsigned at,
                                    unsigned pitch, const Columns& columns, unsigned k) {
  float nearest = INFINITY;
  unsigned label = 0;
  while (candidates != 0) {
    const unsigned c = clusterOfBit<Tiles>(lowestBit(candidates));
    candidates &= candidates - 1;
    if (c >= k) continue;
    float distance = 0;
    LLOYD_UNROLL
    for (unsigned j = 0; j < Width; ++j) {
      const float x = tile[at + j * pitch];
      const float center = columns[j * columnPitch<Tiles> + c];
      distance = addSquare(distance, x, center);
    }
    // Candidates do not come in their order.
    if (distance < nearest || (distance == nearest && c < label)) {
      nearest = distance;
      label = c;
    }
  }
  return label;
}

} // namespace lloyd::fused
