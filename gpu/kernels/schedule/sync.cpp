// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.sync: one set after another, and the host waits after every copy and every kernel before it gives
// the next order. What most first programs do, and what the others are measured against.
//
// The Scheduling article's synchronous version is slow for another reason too: its memory is pageable, so
// that each copy passes through the driver's own. Here copies are from pinned memory as everywhere, and what
// is left is the waiting alone: between two kernels the card is idle for as long as a wait and a launch take.
//
// The flag is looked at as late as for the others, which gains nothing here: the host has waited anyway.
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

[[maybe_unused]] const bool added =
    addSetSchedule({.id = "schedule.sync",
                    .name = "synchronous",
                    .idea = "The host waits after every copy and every kernel, one set after another.",
                    .prepare = schedule::prepare<runSync>});

} // namespace
} // namespace lloyd
