// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace lloyd::simt {

/// The order in which blocks, the lanes of a block, and the queues of a device get their turns. A right
/// program gives a right result in any; the same order and seed give the same everything.
struct Schedule {
  enum class Order { forward, reverse, seeded } order = Order::forward;
  std::uint64_t seed = 1; ///< of Order::seeded
};

/// An operation that nothing holds back: the first of its queue.
struct Ready {
  std::size_t queue = 0;    ///< its place among the queues
  std::uint64_t number = 0; ///< of the operation, counted over all queues as the host gave them
};

/// Whose operation comes next. Forward is the order in which the host gave them, as if nothing ever
/// overlapped; reverse always prefers the queue that was made last, so that the others are as late as events
/// permit; seeded draws a lot at every turn.
class Turns {
public:
  /// Begins anew: the same operations get the same turns again.
  void follow(const Schedule& schedule);
  /// An index into ready, which is not empty and in the order of queues.
  [[nodiscard]] std::size_t next(std::span<const Ready> ready);

private:
  Schedule schedule_;
  std::uint64_t drawn_ = 0; ///< lots so far
};

} // namespace lloyd::simt
