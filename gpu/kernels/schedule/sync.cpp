// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.sync: one set after another, and the host waits after every copy and every kernel before it gives
// the next order. What most first programs do, and what the others are measured against.
//
// As in the Scheduling article its sets are in pageable memory, so that each copy passes through the driver's
// own. Between two kernels the card is idle for as long as a wait and a launch take.
//
// The flag is looked at as late as for the others, which gains nothing here: the host has waited anyway.
#include "gpu/core/contract/register.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

namespace lloyd {
namespace {

void runSync(schedule::Prepared& prepared) {
  Queue& queue = *prepared.queues.front();
  const auto waits = [&] { queue.synchronize(); };
  for (schedule::DeviceSet& set : prepared.sets) {
    set.copyUp(queue);
    waits();
    while (set.iterate(queue, waits)) {
    }
    set.bringDown(queue);
    waits();
  }
}

} // namespace

LLOYD_REGISTER_EVERYWHERE(schedule_sync,
                          {.family = "schedule",
                           .tag = "sync",
                           .name = "synchronous",
                           .idea = "The host waits after every copy and every kernel, one set after another.",
                           .paper = "Scheduling article",
                           .parameters = {schedule::late()},
                           .place = 1,
                           .hostMemory = HostMemory::pageable},
                          {.sets = schedule::prepare<runSync>})

} // namespace lloyd
