// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sums of all blocks, as integers, and the block that ends last, which hands them over.
#include "gpu/kernels/kernel.hpp"

#include <cmath>

namespace lloyd::fused {

/// Cleared work memory: a ticket, then [k][d] totals.
inline constexpr std::size_t ticketBytes = 256;
[[nodiscard]] inline std::size_t totalsBytes(const Problem& problem) {
  return ticketBytes + problem.centroidValues() * sizeof(unsigned long long);
}

/// Adds a sum to its total; scale makes an integer of it.
template <class Totals>
LLOYD_DEVICE void addToTotal(const Totals& totals, unsigned at, double sum, double scale) {
  const auto fixed = static_cast<long long>(rint(sum * scale));
  if (fixed != 0) atomicAdd(&totals[at], static_cast<unsigned long long>(fixed));
}

/// Called by all threads of a block once its own additions are made: true in the block that is the last to.
template <class Ticket, class Flag>
LLOYD_DEVICE bool isLastBlock(const Ticket& ticket, Flag last) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = atomicAdd(&ticket[0], 1u);
    last[0] = before + 1 == gridDim.x ? 1u : 0u;
    if (before + 1 == gridDim.x) ticket[0] = 0; // as the next launch wants to find it
  }
  __syncthreads();
  __threadfence();
  const unsigned isLast = last[0];
  return isLast != 0;
}

/// In the last block: takes a total out, leaving zero for the next launch.
template <class Totals>
LLOYD_DEVICE double takeTotal(const Totals& totals, unsigned at, double scale) {
  const unsigned long long fixed = atomicExch(&totals[at], 0ull);
  return static_cast<double>(static_cast<long long>(fixed)) / scale;
}

} // namespace lloyd::fused
