// SPDX-License-Identifier: GPL-3.0-or-later
// update.v1 on the processor: K x D divisions, which no thread is worth waking for. What a person reads about
// it is the same as for the kernel of that name, because it is the same variant.
#include "gpu/kernels/cpu/divide.hpp"
#include "gpu/kernels/kernel.hpp"

namespace lloyd {
namespace {

void update(const UpdateArgs& args, LaunchContext& context) {
  *args.outcome =
      cpu::divide(args.problem, args.sums, args.counts, args.oldCentroids, args.centroids, context);
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, update_v1,
    {.family = "update",
     .tag = "v1",
     .name = "divide",
     .idea = "Sums divided by counts are the next centres, empty clusters stay where they are, and "
             "the largest move is found on the way.",
     .paper = "Scheduling article"},
    {.update = ::lloyd::update})
