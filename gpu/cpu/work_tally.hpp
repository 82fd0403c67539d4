// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace lloyd {

/// What the processor's variants do in launches that somebody watches: told by the code that does it, so that
/// a number in a lesson is never worked out a second time. Threads add to it in any order.
struct WorkTally {
  using Count = std::atomic<std::uint64_t>;

  Count parts = 0;   ///< of the points, with sums of their own, that threads share
  Count blocks = 0;  ///< of points, taken one after another by the thread that has them
  Count points = 0;  ///< in those blocks: a point that is taken twice counts twice
  Count vectors = 0; ///< of points that were labelled by their distances
  Count scores = 0;  ///< of points and clusters, those that fill up a tile among them
};

/// While it lives, the launches of this thread and what they hand to other threads are counted. Null: they
/// are not, whatever was watched before.
class WorkWatch {
public:
  explicit WorkWatch(WorkTally* tally) : before_(std::exchange(present_, tally)) {}
  WorkWatch(const WorkWatch&) = delete;
  WorkWatch& operator=(const WorkWatch&) = delete;
  ~WorkWatch() { present_ = before_; }

  /// Null where nobody watches.
  [[nodiscard]] static WorkTally* present() { return present_; }
  /// Once for a block of points at the most often: what is watched is not timed, and what is timed looks
  /// here.
  static void add(WorkTally::Count WorkTally::*what, std::uint64_t count) {
    if (present_) (present_->*what).fetch_add(count, std::memory_order_relaxed);
  }

private:
  static inline thread_local WorkTally* present_ = nullptr;
  WorkTally* before_;
};

} // namespace lloyd
