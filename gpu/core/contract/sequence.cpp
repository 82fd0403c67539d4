// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/sequence.hpp"

namespace lloyd {
namespace {

/// Remembers what it is given.
class GatheringQueue final : public Queue {
public:
  explicit GatheringQueue(std::vector<QueuedOperation>& into) : into_(into) {}
  void submit(QueuedOperation operation) override { into_.push_back(std::move(operation)); }
  void finish(const CallSite&) override {}

private:
  std::vector<QueuedOperation>& into_;
};

} // namespace

Sequence::Sequence(std::string name, const std::function<void(Queue&)>& give) : name_(std::move(name)) {
  GatheringQueue queue(operations_);
  give(queue);
}

} // namespace lloyd
