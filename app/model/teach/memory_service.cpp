// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/memory_service.hpp"

namespace lloyd {

MemoryService::MemoryService(const DeviceLease& lease, QObject* parent) : QObject(parent), lease_(lease) {
  connect(&lease_, &DeviceLease::changed, this, &MemoryService::leaseChanged);
}

void MemoryService::look(const std::shared_ptr<const CountInput>& input, std::uint32_t block) {
  if (input_ == input && block_ == block && !complete()) return;
  work_.stop();
  input_ = input;
  block_ = block;
  due_ = input && !(found_ && foundOf_ == input && found_->block == block);
  if (due_) return takeUp();
  if (input) Q_EMIT looked();
}

void MemoryService::forget() {
  work_.stop();
  input_.reset();
  foundOf_.reset();
  found_.reset();
  due_ = false;
}

void MemoryService::leaseChanged() {
  if (!lease_.held()) return takeUp();
  if (work_.stop()) due_ = true;
}

void MemoryService::takeUp() {
  if (!due_ || lease_.held()) return;
  due_ = false;
  Q_EMIT looking();
  work_.start(
      [input = input_, block = block_](const std::atomic<bool>* cancel) {
        return std::make_shared<const BlockRequests>(blockRequests(*input, block, cancel));
      },
      [this, input = input_](const std::shared_ptr<const BlockRequests>& found) {
        foundOf_ = input;
        found_ = found;
        Q_EMIT looked();
      });
}

} // namespace lloyd
