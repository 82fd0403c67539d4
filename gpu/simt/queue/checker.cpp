// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/queue/checker.hpp"

#include <algorithm>
#include <utility>

namespace lloyd::simt {
namespace {

std::string bytesText(std::size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string unwrittenText(std::size_t bytes, const std::optional<CallSite>& where) {
  return bytesText(bytes) + " that nobody has written since " + (bytes == 1 ? "it was" : "they were") +
         " allocated" + (where ? " at " + describe(*where) : "");
}

} // namespace

std::string Checker::EmptyWait::describe() const {
  std::string text = wait->describe() + " is for an event that nobody had recorded";
  if (late) return text + ": " + late->describe() + " comes only afterwards";
  if (behind) return text + ", so that " + behind->describe() + " behind it waits for nothing";
  return text;
}

Checker::Checker() : clocks_(firstQueue) {}

Actor Checker::addQueue() {
  Actor actor = clocks_.size();
  if (free_.empty()) {
    clocks_.emplace_back();
  } else {
    const auto lowest = std::min_element(free_.begin(), free_.end());
    actor = *lowest;
    free_.erase(lowest);
  }
  return actor;
}

void Checker::removeQueue(Actor queue) {
  hostWaitedFor(queue);
  free_.push_back(queue);
}

Step Checker::begin(Actor actor, std::string what, const CallSite& where) {
  clocks_[host].tick(host); // what the host does from now on is not known to the deed
  Clock& clock = clocks_[actor];
  clock.join(clocks_[host]);
  const std::uint64_t time = actor == host ? clock.at(host) : clock.tick(actor);
  Step step{std::make_shared<Deed>(Deed{actor, time, std::move(what), where}), clock};
  for (EmptyWait& empty : emptyWaits_)
    if (!empty.behind && empty.wait->actor == actor) empty.behind = step.deed;
  if (actor != host) clocks_[host].tick(host);
  return step;
}

Step Checker::beginWait(Actor actor, const void* event, const Step* moment, const CallSite& where) {
  Step step = begin(actor, "the wait", where);
  if (!moment) {
    emptyWaits_.push_back({step.deed, event});
    return step;
  }
  clocks_[actor].join(moment->clock);
  step.clock = clocks_[actor];
  return step;
}

void Checker::recorded(const void* event, const Step& step) {
  for (EmptyWait& empty : emptyWaits_)
    if (!empty.late && empty.event == event) empty.late = step.deed;
}

void Checker::hostWaitedForAll() {
  for (Actor actor = ownOrder; actor < clocks_.size(); ++actor)
    hostWaitedFor(actor);
}

void Checker::hostTouches(const Bytes& bytes, bool writes, const CallSite& where) {
  touches(begin(host, writes ? "the writing" : "the reading", where), bytes, writes);
}

void Checker::touches(const Step& step, const Bytes& bytes, bool writes) {
  const auto conflict = memory_.touch(bytes, writes, step);
  if (!conflict) return;
  reports_.push_back(step.deed->describe() + (writes ? " writes " : " reads ") + bytesText(conflict->bytes) +
                     " that " + conflict->other->describe() + (conflict->otherWrites ? " writes" : " reads") +
                     ", and no event or wait puts one before the other");
}

void Checker::copies(const Step& step, const Bytes& bytes) {
  if (step.deed->actor >= firstQueue) {
    std::size_t count = 0;
    const auto parts = memory_.unwritten(bytes);
    for (const MemoryHistory::Unwritten& part : parts)
      count += part.bytes.size();
    if (count > 0)
      reports_.push_back(step.deed->describe() + " copies " +
                         unwrittenText(count, parts.front().allocatedAt));
  }
  reads(step, bytes);
}

std::unique_ptr<UnwrittenWatch> Checker::launches(const Step& step, std::span<const GivenArray> arrays) {
  std::vector<MemoryHistory::Unwritten> unwritten;
  for (const GivenArray& array : arrays) {
    const Bytes bytes(array.first, array.bytes);
    if (array.writes && step.deed->actor >= firstQueue)
      for (const MemoryHistory::Unwritten& part : memory_.unwritten(bytes))
        unwritten.push_back(part);
    touches(step, bytes, array.writes);
  }
  return unwritten.empty() ? nullptr : std::make_unique<UnwrittenWatch>(unwritten);
}

void Checker::launched(const Step& step, const UnwrittenWatch& watch) {
  const auto& found = watch.finding();
  if (!found) return;
  reports_.push_back(step.deed->describe() + " works atomically, in " + simt::describe(found->place) +
                     ", on " + unwrittenText(found->bytes, found->allocatedAt));
}

std::optional<std::string> Checker::takeReport() {
  // An empty wait is the cause, and what goes wrong behind it the consequence.
  std::optional<std::string> first;
  if (!emptyWaits_.empty())
    first = emptyWaits_.front().describe();
  else if (!reports_.empty())
    first = std::move(reports_.front());
  emptyWaits_.clear();
  reports_.clear();
  return first;
}

} // namespace lloyd::simt
