// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.multi: a queue each for as many sets as there are streams, and the copies up one after another:
// each waits for an event behind the one that was given before. So the first set's kernels begin when its own
// points are there, while the bus carries the next set's.
//
// Against the Scheduling article's version with several streams: there every stream has a host thread, and
// one may wait for an event that the thread before has not recorded yet, which is a wait for nothing; one
// thread suffices, and gives each record before the wait for it. Its tail records stream 0's event from every
// stream, and prints results right behind their copy. Here each set has events of its own, and results are
// read after a wait.
#include "gpu/core/contract/register.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

namespace lloyd {
namespace {

void runMulti(schedule::Prepared& prepared) {
  const Event* before = nullptr; // behind the copy that was given last
  schedule::iterateInTurn(prepared, [&](std::size_t set, Queue& queue) {
    if (before) queue.wait(*before);
    prepared.sets[set].copyUp(queue);
    queue.record(prepared.sets[set].copied());
    before = &prepared.sets[set].copied();
  });
}

} // namespace

LLOYD_REGISTER_EVERYWHERE(
    schedule_multi,
    {.family = "schedule",
     .tag = "multi",
     .name = "several streams",
     .idea = "Each set has a queue, and its points are copied behind those of the set before.",
     .paper = "Scheduling article",
     .parameters = {schedule::streams(), schedule::late()},
     .place = 3},
    {.sets = schedule::prepare<runMulti>})

} // namespace lloyd
