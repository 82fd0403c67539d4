// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the kernels that move centroids share, so that they find the same bits.
#include "gpu/kernels/kernel.hpp"

namespace lloyd {

/// Neighbouring lanes that share a cluster's coordinates: 1, 2, 4, 8, 16 or 32.
[[nodiscard]] inline unsigned lanesOfCluster(int d) {
  unsigned lanes = 1;
  while (lanes < 32 && lanes < static_cast<unsigned>(d))
    lanes *= 2;
  return lanes;
}

/// Adds a cluster's squared move up over its lanes; each of them gets it.
LLOYD_DEVICE double moveOfCluster(double move, unsigned lanes) {
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
    move += __shfl_xor_sync(0xffffffffu, move, static_cast<int>(distance));
  return move;
}

/// Warps of the block that have any of k clusters, as so many lanes a cluster are handed out.
LLOYD_DEVICE unsigned warpsWithClusters(unsigned k, unsigned lanes) {
  const unsigned warps = (k * lanes + 31) / 32;
  return warps < blockDim.x / 32 ? warps : blockDim.x / 32;
}

/// Thread 0 gets the largest move of the block's first warps and the number of their empty clusters; warpMove
/// and warpEmpty have room for a value a warp.
LLOYD_DEVICE void foldMoves(auto warpMove, auto warpEmpty, unsigned warps, double& largestMove,
                            unsigned& empty) {
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const double otherMove = __shfl_xor_sync(0xffffffffu, largestMove, static_cast<int>(distance));
    if (otherMove > largestMove) largestMove = otherMove;
    empty += __shfl_xor_sync(0xffffffffu, empty, static_cast<int>(distance));
  }
  if (threadIdx.x % 32 == 0) {
    warpMove[threadIdx.x / 32] = largestMove;
    warpEmpty[threadIdx.x / 32] = empty;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < warps; ++w) {
    const double otherMove = warpMove[w];
    if (otherMove > largestMove) largestMove = otherMove;
    empty += warpEmpty[w];
  }
}

} // namespace lloyd
