// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.single: one set after another in one queue, and the host waits for nothing but the flag. Kernels
// follow one another without a gap for as long as the flag is looked at late enough: with late = 0 the host
// waits for each iteration before it gives the next, and the card waits for the host.
//
// Against the Scheduling article's version with one stream: its kernels run in the default stream and its
// copies in another, which only the default stream's habit of waiting for everything keeps in order; here one
// queue has both. It looks at the flag once, after ten iterations, and then polls a word that no wait stands
// behind; here there are late + 1 flags in turn, and each is read after a wait for its own event.
#include "gpu/core/contract/register.hpp"
#include "gpu/kernels/schedule/device_set.hpp"

namespace lloyd {
namespace {

void runSingle(schedule::Prepared& prepared) {
  Queue& queue = *prepared.queues.front();
  for (schedule::DeviceSet& set : prepared.sets) {
    set.copyUp(queue);
    while (set.iterate(queue)) {
    }
    set.bringDown(queue);
  }
  queue.synchronize();
}

} // namespace

LLOYD_REGISTER_EVERYWHERE(
    schedule_single,
    {.family = "schedule",
     .tag = "single",
     .name = "one stream",
     .idea = "All orders go to one queue, and the host waits for nothing but the flag of an iteration.",
     .paper = "Scheduling article",
     .parameters = {schedule::late()},
     .place = 2},
    {.sets = schedule::prepare<runSingle>})

} // namespace lloyd
