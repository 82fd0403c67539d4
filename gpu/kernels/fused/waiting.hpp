// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Points whose label takes longer to find than their neighbours' wait in shared memory, a queue for each
// warp.
#include "gpu/kernels/fused/private_sums.hpp"

namespace lloyd::fused {

/// A point that waits, and where in memory it is.
template <unsigned D>
LLOYD_DEVICE Slot<D> waiting(const float (&x)[D], unsigned i) {
  if constexpr (D == 1)
    return make_float2(x[0], __uint_as_float(i));
  else if constexpr (D == 2)
    return make_float4(x[0], x[1], 0, __uint_as_float(i));
  else
    return make_float4(x[0], x[1], x[2], __uint_as_float(i));
}
template <unsigned D>
LLOYD_DEVICE unsigned waiter(const Slot<D>& item, float (&x)[D]) {
  x[0] = item.x;
  if constexpr (D == 1) {
    return __float_as_uint(item.y);
  } else {
    x[1] = item.y;
    if constexpr (D == 3) x[2] = item.z;
    return __float_as_uint(item.w);
  }
}

/// Room for points of a warp that wait: up to 31 that are there, and 32 that come at once.
inline constexpr unsigned waitingRoom = 64;
template <unsigned D>
[[nodiscard]] constexpr std::size_t waitingBytes(int threads) {
  return static_cast<std::size_t>(threads) / 32 * waitingRoom * sizeof(Slot<D>);
}

} // namespace lloyd::fused
