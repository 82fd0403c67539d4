// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/queue/given_array.hpp"
#include "gpu/simt/queue/memory_history.hpp"
#include "gpu/simt/queue/unwritten_watch.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd::simt {

/// Knows what is ordered before what, and what touches which bytes, and so what is wrong with a program that
/// uses queues, whatever order it happened to run in:
///   - two touches of the same bytes by different actors, one of them a write, that nothing orders;
///   - a wait for an event that nobody had recorded;
///   - a copy from bytes, or an atomic operation on them, that nobody has written since they were allocated.
///
/// A launch is taken to touch all of every array that it is given. The device's own order is held to the
/// first rule alone, against the others. One thread at a time.
class Checker {
public:
  Checker();

  [[nodiscard]] MemoryHistory& memory() { return memory_; }

  [[nodiscard]] Actor addQueue();
  /// The host has waited for all that the queue did.
  void removeQueue(Actor queue);

  /// The actor's next deed, which the host orders now: it comes behind all that the host knows of.
  Step begin(Actor actor, std::string what, const CallSite& where);
  /// The same of a wait for an event, which comes behind the moment too; none: nobody had recorded the event.
  Step beginWait(Actor actor, const void* event, const Step* moment, const CallSite& where);
  /// An event was recorded, which may be too late for somebody.
  void recorded(const void* event, const Step& step);
  /// The host knows now of all before the step, or of all that was ordered of an actor, or of anybody.
  void hostWaited(const Step& step) { clocks_[host].join(step.clock); }
  void hostWaitedFor(Actor actor) { clocks_[host].join(clocks_[actor]); }
  void hostWaitedForAll();
  void hostTouches(const Bytes& bytes, bool writes, const CallSite& where);

  /// When a step takes place.
  void reads(const Step& step, const Bytes& bytes) { touches(step, bytes, false); }
  void writes(const Step& step, const Bytes& bytes) { touches(step, bytes, true); }
  /// As reads(), of a copy, for which the bytes must have been written.
  void copies(const Step& step, const Bytes& bytes);
  /// A launch begins; what is to be told of its accesses until launched(), or null.
  [[nodiscard]] std::unique_ptr<UnwrittenWatch> launches(const Step& step,
                                                         std::span<const GivenArray> arrays);
  void launched(const Step& step, const UnwrittenWatch& watch);

  /// What is wrong, as one sentence, the first of what was found; none: nothing. Forgets all of it.
  [[nodiscard]] std::optional<std::string> takeReport();

private:
  /// A wait that waits for nothing. What is behind it, or the record that came too late, is known later.
  struct EmptyWait {
    DeedPtr wait;
    const void* event = nullptr;
    DeedPtr behind = {};
    DeedPtr late = {};

    [[nodiscard]] std::string describe() const;
  };

  void touches(const Step& step, const Bytes& bytes, bool writes);

  MemoryHistory memory_;
  std::vector<Clock> clocks_; ///< by actor
  std::vector<Actor> free_;   ///< of queues that have ended
  std::vector<EmptyWait> emptyWaits_;
  std::vector<std::string> reports_;
};

} // namespace lloyd::simt
