// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"
#include "gpu/simt/queue/checker.hpp"
#include "gpu/simt/queue/turns.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd::simt {

/// What an event stands for: a place in an order of work, and the time when it was reached.
struct Moment {
  Step step;
  bool reached = false;
  std::chrono::steady_clock::time_point when;
};

/// An event of the simulator; the moment is null until it was recorded.
struct SimtEvent final : Event {
  std::shared_ptr<Moment> moment;
};
[[nodiscard]] inline const std::shared_ptr<Moment>& momentOf(const Event& event) {
  return dynamic_cast<const SimtEvent&>(event).moment;
}

/// The queues of one simulated device. Operations are kept, and take place when the host waits for some of
/// them: in any of the orders that queues and events allow, which Turns chooses. So a program that is wrong
/// in one of them can be seen to be wrong; the checker says why without having to meet it.
///
/// A failure of an operation, or a report of the checker, ends all that was kept: it is thrown by the wait
/// that meets it, and afterwards nothing is under way. One thread at a time.
class Queues {
public:
  /// Does one operation of a queue, at once: an upload, download, copy, fill or launch.
  using Perform = std::function<void(const QueuedOperation&, const Step&)>;
  Queues(Checker& checker, Perform perform) : checker_(checker), perform_(std::move(perform)) {}

  [[nodiscard]] std::unique_ptr<Queue> create();
  void follow(const Schedule& schedule) { turns_.follow(schedule); }

  /// The device's own order, in which everything takes place at once, comes to an event.
  void recordNow(Event& event);

  // Waits of the host; each throws what has failed and what the checker reports.
  void waitFor(const Event& event, const CallSite& where);
  void waitForAll();
  /// For waits that know no more than the device's own order.
  void throwReports();

  /// Before memory is given back: all that was kept takes place. Failures are thrown by the next wait.
  void settle() noexcept;

private:
  class Handle;
  struct Kept {
    QueuedOperation operation;
    Step step;
    std::shared_ptr<Moment> moment; ///< a record reaches it, a wait needs it
    std::uint64_t number = 0;
  };
  struct Line {
    Actor actor = firstQueue;
    std::deque<Kept> kept;
  };

  void submit(Line& line, QueuedOperation operation);
  void requireHostMemory(const QueuedOperation& operation) const;
  void finish(const Line& line);
  void end(const Line& line) noexcept;
  void runUntil(const std::function<bool()>& done);
  void takeTurn();
  void drop();

  Checker& checker_;
  Perform perform_;
  Turns turns_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::uint64_t given_ = 0;
  std::exception_ptr failure_; ///< of an operation that ran when nobody could be told
};

} // namespace lloyd::simt
