// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

/// What a device has made of a sequence, to be given to a card at once.
class PreparedSequence {
public:
  PreparedSequence() = default;
  PreparedSequence(const PreparedSequence&) = delete;
  PreparedSequence& operator=(const PreparedSequence&) = delete;
  virtual ~PreparedSequence() = default;

  /// How many activities (ActivityRecorder) each operation of the sequence has; they take place in its order.
  [[nodiscard]] virtual const std::vector<std::size_t>& activities() const = 0;
};

/// Operations that queues are given again and again in the same order and with the same arguments
/// (Queue::repeat). Giving an operation takes a host some microseconds, which is as long as a short kernel
/// runs; a CUDA device makes a graph of a sequence, which it gives by one call.
///
/// What the operations refer to, their events among it, must live until the sequence was given for the last
/// time. The queues that it was given to must end before it does. Belongs to one device and to its thread.
class Sequence {
public:
  /// name: of what it is, in the plural. give: submits to the queue that it is given, which runs nothing and
  /// only remembers.
  Sequence(std::string name, const std::function<void(Queue&)>& give);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<QueuedOperation>& operations() const { return operations_; }

  /// For implementations of Queue: nothing until the device has made something of it.
  [[nodiscard]] PreparedSequence* prepared() const { return prepared_.get(); }
  void setPrepared(std::unique_ptr<PreparedSequence> prepared) { prepared_ = std::move(prepared); }
  /// Whether it has to be given one operation after the other, as a device has found.
  [[nodiscard]] bool isSingly() const { return singly_; }
  void setSingly() { singly_ = true; }

private:
  std::string name_;
  std::vector<QueuedOperation> operations_;
  std::unique_ptr<PreparedSequence> prepared_;
  bool singly_ = false;
};

} // namespace lloyd
