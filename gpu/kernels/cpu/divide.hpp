// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cpu/parallel.hpp"

#include <cmath>

namespace lloyd::cpu {

/// What update.v1 does, on one thread: no thread is worth waking for K x D divisions. The arguments are those
/// of UpdateArgs; throws Cancelled.
inline UpdateOutcome divide(const Problem& problem, const double* sums, const std::uint32_t* counts,
                            const float* oldCentroids, float* centroids, const LaunchContext& context) {
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  double largest = 0;
  UpdateOutcome outcome;
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    if (cluster % 1024 == 0) throwIfCancelled(context);
    const std::uint32_t count = counts[cluster];
    if (count == 0) ++outcome.emptyClusters;
    double square = 0;
    for (std::size_t at = cluster * d; at < (cluster + 1) * d; ++at) {
      const float old = oldCentroids[at];
      const float centre =
          count == 0 ? old
                     : static_cast<float>(static_cast<double>(old) + sums[at] / static_cast<double>(count));
      const double moved = static_cast<double>(centre) - static_cast<double>(old);
      square += moved * moved;
      centroids[at] = centre;
    }
    largest = std::max(largest, square);
  }
  outcome.shift = static_cast<float>(std::sqrt(largest));
  return outcome;
}

} // namespace lloyd::cpu
