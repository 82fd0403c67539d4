// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.batched on the processor, whose variants fill all cores with one set: sets take turns within each
// iteration, and one that is done is passed over. It runs whatever variants it is given.
#include "gpu/core/contract/register.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace lloyd {
namespace {

/// No flag is late where every order is done at once.
void runBatched(schedule::Prepared& prepared) {
  Queue& queue = *prepared.queues.front();
  for (schedule::DeviceSet& set : prepared.sets)
    set.copyUp(queue);
  std::vector<schedule::DeviceSet*> running;
  for (schedule::DeviceSet& set : prepared.sets)
    running.push_back(&set);
  while (!running.empty())
    std::erase_if(running, [&](schedule::DeviceSet* set) {
      if (set->iterate(queue)) return false;
      set->bringDown(queue);
      return true;
    });
  queue.synchronize();
}

std::unique_ptr<SetRun> prepareBatched(Device& device, const SetStages& stages, std::span<ClusteringSet> sets,
                                       const SetParams& params) {
  SetParams atOnce = params;
  atOnce.late = 0;
  return schedule::prepare<runBatched>(device, stages, sets, atOnce);
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, schedule_batched,
    {.family = "schedule",
     .tag = "batched",
     .name = "all sets in one launch",
     .idea = "A grid has a row of blocks for each set, so that small sets fill the card together.",
     .parameters = {::lloyd::schedule::late()},
     .place = 6,
     .pass = "fused.v1"},
    {.sets = ::lloyd::prepareBatched})
