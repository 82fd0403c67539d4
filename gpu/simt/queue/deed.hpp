// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lloyd::simt {

/// Who does something to memory, one thing after the other: the host, the device's own order of work, or a
/// queue.
using Actor = std::size_t;
inline constexpr Actor host = 0;
inline constexpr Actor ownOrder = 1;
inline constexpr Actor firstQueue = 2;

/// How far each actor has come, as one of them knows it: a vector clock (Fidge 1988, Mattern 1989).
class Clock {
public:
  [[nodiscard]] std::uint64_t at(Actor actor) const { return actor < times_.size() ? times_[actor] : 0; }
  /// The actor's next moment.
  std::uint64_t tick(Actor actor);
  /// Learns what other knows.
  void join(const Clock& other);

private:
  std::vector<std::uint64_t> times_;
};

/// One thing that an actor does at one moment of its own.
struct Deed {
  Actor actor = host;
  std::uint64_t time = 0;
  std::string what;    ///< "the upload", "reduce.v1"
  CallSite where = {}; ///< line 0: unknown, as in calls of the device itself

  [[nodiscard]] bool isBefore(const Clock& clock) const { return time <= clock.at(actor); }
  /// "the upload of queue 1 at tests/gpu/simt/queue/tst_queue_races.cpp:41"
  [[nodiscard]] std::string describe() const;
};
using DeedPtr = std::shared_ptr<const Deed>;

/// "gpu/kernels/reduce/v1_atomics.cu:41"
[[nodiscard]] std::string describe(const CallSite& where);

/// A deed, and all that is before it.
struct Step {
  DeedPtr deed;
  Clock clock;
};

} // namespace lloyd::simt
