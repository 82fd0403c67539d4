// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sums of few clusters: every thread has a slot of its own for every cluster, a point is one load, one
// addition a coordinate and one store, and no other thread ever comes near. At the end a block folds its
// slots in double, and what blocks have is added up as integers: in whatever order blocks arrive, the bits
// are the same.
#include "gpu/kernels/kernel.hpp"

#include <cmath>
#include <cstring>

namespace lloyd::fused {

/// A point's deviations and a 1 that counts it, in one load. Floats count exactly up to 2^24, and no thread
/// sees as many points.
template <unsigned D>
struct SlotOf {
  using Type = float4;
};
template <>
struct SlotOf<1> {
  using Type = float2;
};
template <unsigned D>
using Slot = typename SlotOf<D>::Type;

template <unsigned D>
LLOYD_DEVICE Slot<D> emptySlot() {
  if constexpr (D == 1)
    return make_float2(0, 0);
  else
    return make_float4(0, 0, 0, 0);
}

/// slots is [cluster][thread], so that neighbours load neighbouring words whatever their labels are.
template <unsigned D, class Slots>
LLOYD_DEVICE void addToSlot(const Slots& slots, unsigned at, const float (&deviation)[D]) {
  Slot<D> slot = slots[at];
  slot.x += deviation[0];
  if constexpr (D == 1) {
    slot.y += 1.0f;
  } else {
    slot.y += deviation[1];
    if constexpr (D == 3) slot.z += deviation[2];
    slot.w += 1.0f;
  }
  slots[at] = slot;
}

/// The power of two by which a sum of at most n values, none larger than extent, becomes an integer of less
/// than 62 bits.
LLOYD_DEVICE double sumScale(float extent, std::size_t n) {
  int bits = 1;
  while (n >> bits != 0)
    ++bits;
  int exponent = 0;
  frexp(static_cast<double>(extent), &exponent);
  return ldexp(1.0, 61 - bits - exponent);
}

/// Folds the slots of cluster c over the block's threads, with the lanes of one warp; every lane returns the
/// sums and the count.
template <unsigned D, class Slots>
LLOYD_DEVICE unsigned foldSlots(const Slots& slots, unsigned c, double (&sum)[D]) {
  double count = 0;
  for (unsigned j = 0; j < D; ++j)
    sum[j] = 0;
  for (unsigned t = threadIdx.x % 32; t < blockDim.x; t += 32) {
    const Slot<D> slot = slots[c * blockDim.x + t];
    sum[0] += static_cast<double>(slot.x);
    if constexpr (D == 1) {
      count += static_cast<double>(slot.y);
    } else {
      sum[1] += static_cast<double>(slot.y);
      if constexpr (D == 3) sum[2] += static_cast<double>(slot.z);
      count += static_cast<double>(slot.w);
    }
  }
  LLOYD_UNROLL
  for (int distance = 16; distance > 0; distance /= 2) {
    count += __shfl_xor_sync(0xffffffffu, count, distance);
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      sum[j] += __shfl_xor_sync(0xffffffffu, sum[j], distance);
  }
  return static_cast<unsigned>(count);
}

} // namespace lloyd::fused
