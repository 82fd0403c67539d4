// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/memory_service.hpp"

#include "gpu/core/contract/error.hpp"

#include <utility>

namespace lloyd {

MemoryService::MemoryService(const DeviceLease& lease, QObject* parent) : QObject(parent), lease_(lease) {
  connect(&lease_, &DeviceLease::changed, this, &MemoryService::leaseChanged);
}

MemoryService::~MemoryService() { stop(); }

void MemoryService::stop() {
  if (const Cancel job = std::exchange(job_, nullptr)) *job = true;
}

void MemoryService::look(const std::shared_ptr<const CountInput>& input, std::uint32_t block) {
  if (input_ == input && block_ == block && (job_ || due_)) return;
  stop();
  input_ = input;
  block_ = block;
  due_ = input && !(found_ && foundOf_ == input && found_->block == block);
  if (due_) return takeUp();
  if (input) Q_EMIT looked();
}

void MemoryService::forget() {
  stop();
  input_.reset();
  foundOf_.reset();
  found_.reset();
  due_ = false;
}

void MemoryService::leaseChanged() {
  if (!lease_.held()) return takeUp();
  if (!job_) return;
  stop();
  due_ = true;
}

void MemoryService::takeUp() {
  if (!due_ || lease_.held()) return;
  due_ = false;
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  job_ = cancel;
  Q_EMIT looking();
  thread_.post([this, cancel, input = input_, block = block_] {
    auto found = std::make_shared<BlockRequests>();
    try {
      *found = blockRequests(*input, block, cancel.get());
    } catch (const Cancelled&) {
      return;
    }
    toGui_.post([this, cancel, input, found] {
      if (*cancel) return;
      job_.reset();
      foundOf_ = input;
      found_ = found;
      Q_EMIT looked();
    });
  });
}

} // namespace lloyd
