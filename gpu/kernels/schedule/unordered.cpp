// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.unordered: as multi, but no queue waits for another set's copies. The host gives a set's when it
// has seen that those before are there: copies that are under way at once share the bus, and none comes
// early.
//
// Against the Scheduling article's version without that order: its streams still wait for an event, which is
// never recorded, and so for nothing. Here there is no such wait, which is what the schedule means. Its host
// threads give all copies at once.
#include "gpu/core/contract/register.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

namespace lloyd {
namespace {

void runUnordered(schedule::Prepared& prepared) {
  schedule::iterateInTurn(
      prepared,
      [&](std::size_t set, Queue& queue) {
        prepared.sets[set].copyUp(queue);
        queue.record(prepared.sets[set].copied()); // for the host alone
      },
      schedule::Pace::bus);
}

} // namespace

LLOYD_REGISTER_EVERYWHERE(
    schedule_unordered,
    {.family = "schedule",
     .tag = "unordered",
     .name = "several streams, copies as they come",
     .idea = "Each set has a queue, and the host gives its copies when those before are there.",
     .paper = "Scheduling article",
     .parameters = {schedule::streams(), schedule::late()},
     .place = 5},
    {.sets = schedule::prepare<runUnordered>})

} // namespace lloyd
