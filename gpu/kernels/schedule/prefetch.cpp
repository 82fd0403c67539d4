// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.prefetch: all copies up go through a queue of their own, one behind the other, and each set's
// queue waits for the event behind its own. Against multi the copies need no chain of events, and a queue
// that is busy with an earlier set does not hold back the copy of its next.
//
// Against the Scheduling article's version with prefetched copies: it has a fifth host thread for the copies
// and reports that kernels hardly overlap with them, because its waits stand before all kernels of a stream.
// They do here, too: what a set waits for is its own points, and no more.
#include "gpu/core/contract/register.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

namespace lloyd {
namespace {

void runPrefetch(schedule::Prepared& prepared) {
  for (schedule::DeviceSet& set : prepared.sets) {
    set.copyUp(*prepared.copies);
    prepared.copies->record(set.copied());
  }
  schedule::iterateInTurn(prepared,
                          [&](std::size_t set, Queue& queue) { queue.wait(prepared.sets[set].copied()); });
}

} // namespace

LLOYD_REGISTER_EVERYWHERE(
    schedule_prefetch,
    {.family = "schedule",
     .tag = "prefetch",
     .name = "copies first",
     .idea = "A queue of its own copies the points of all sets, and each set waits for its own.",
     .paper = "Scheduling article",
     .parameters = {schedule::streams(), schedule::late()},
     .place = 4},
    {.sets = schedule::prepare<runPrefetch, true>})

} // namespace lloyd
