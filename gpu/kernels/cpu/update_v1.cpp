// SPDX-License-Identifier: GPL-3.0-or-later
// update.v1 on the processor: K x D divisions, which no thread is worth waking for. What a person reads about
// it is the same as for the kernel of that name, because it is the same variant.
#include "gpu/core/kernel.hpp"
#include "gpu/cpu/parallel.hpp"

#include <cmath>

namespace lloyd {
namespace {

void update(const UpdateArgs& args, LaunchContext& context) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  const auto k = static_cast<std::size_t>(args.problem.k);
  double largest = 0;
  UpdateOutcome outcome;
  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    if (cluster % 1024 == 0) throwIfCancelled(context);
    const std::uint32_t count = args.counts[cluster];
    if (count == 0) ++outcome.emptyClusters;
    double square = 0;
    for (std::size_t at = cluster * d; at < (cluster + 1) * d; ++at) {
      const float old = args.oldCentroids[at];
      const float centre =
          count == 0
              ? old
              : static_cast<float>(static_cast<double>(old) + args.sums[at] / static_cast<double>(count));
      const double moved = static_cast<double>(centre) - static_cast<double>(old);
      square += moved * moved;
      args.centroids[at] = centre;
    }
    largest = std::max(largest, square);
  }
  outcome.shift = static_cast<float>(std::sqrt(largest));
  *args.outcome = outcome;
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, update_v1,
    {.family = "update",
     .tag = "v1",
     .name = "divide",
     .idea = "One block divides sums by counts, leaves empty clusters where they are, and finds "
             "the largest move.",
     .text = "Scheduling article"},
    {.update = ::lloyd::update})
