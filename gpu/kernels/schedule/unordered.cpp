// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.unordered: as multi, but no copy waits for another set's. Which points arrive first is the bus's
// business; two copies at once share it, so that neither set can begin as early as it could.
//
// Against the Scheduling article's version without that order: its streams still wait for an event, which is
// never recorded, and so for nothing. Here there is no wait, which is what the schedule means.
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

namespace lloyd {
namespace {

void runUnordered(schedule::Prepared& prepared) {
  schedule::iterateInTurn(prepared, [&](std::size_t set, Queue& queue) {
    prepared.sets[set].copyUp(queue);
    queue.record(prepared.sets[set].copied()); // tells the host which queue can begin; no queue waits for it
  });
}

} // namespace

LLOYD_REGISTER_EVERYWHERE(schedule_unordered,
                          {.family = "schedule",
                           .tag = "unordered",
                           .name = "several streams, copies as they come",
                           .idea = "Each set has a queue, and no copy waits for another set's.",
                           .paper = "Scheduling article",
                           .parameters = {schedule::streams(), schedule::late()},
                           .place = 5},
                          {.sets = schedule::prepare<runUnordered>})

} // namespace lloyd
