// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.graph on the processor, which needs no recording to go round a loop by itself: so that a run by a
// schedule means the same everywhere. What a person reads about it is the same as for the kernel of that
// name, because it is the same variant.
#include "gpu/kernels/cpu/divide.hpp"
#include "gpu/kernels/decide.hpp"
#include "gpu/kernels/kernel.hpp"

#include <algorithm>

namespace lloyd {
namespace {

void iterate(const IterateArgs& args, LaunchContext& context) {
  args.fused->on(Backend::cpu).fused(args.pass, context);
  const FusedArgs& pass = args.pass;
  const std::size_t values = pass.problem.centroidValues();
  const auto k = static_cast<std::size_t>(pass.problem.k);
  std::copy_n(args.centroids, values, args.used);
  const UpdateOutcome moved =
      cpu::divide(pass.problem, pass.sums, pass.counts, args.used, args.centroids, context);
  std::copy_n(pass.counts, k, args.sizes);

  const std::uint32_t round = *args.done + 1;
  const auto [settled, again] = schedule::decide(*args.params, round, *pass.changed, moved.shift);
  *args.outcome = {round, *pass.changed, moved, settled ? 1u : 0u};
  *args.done = again ? round : 0;
  *pass.changed = 0;
  std::fill_n(pass.counts, k, 0u);
  std::fill_n(pass.sums, values, 0.0);
  if (context.loop != 0) repeatLoop(context.loop, again);
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(::lloyd::Backend::cpu, schedule_graph,
                  {.family = "schedule",
                   .tag = "graph",
                   .name = "replayed",
                   .idea = "Iterations are recorded once and repeated by the device, which decides itself "
                           "when they are enough.",
                   .paper = "Scheduling article"},
                  {.iterate = ::lloyd::iterate})
