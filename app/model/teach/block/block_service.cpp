// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/block/block_service.hpp"

namespace lloyd {

BlockService::BlockService(MemoryService& requests, const DeviceLease& lease, QObject* parent)
    : QObject(parent), requests_(requests), lease_(lease) {
  connect(&requests_, &MemoryService::looked, this, &BlockService::takeUp);
  connect(&lease_, &DeviceLease::changed, this, [this] {
    if (lease_.held() && work_.stop()) wanted_ = true;
    if (!lease_.held() && requests_.complete()) takeUp();
  });
}

void BlockService::look(const std::shared_ptr<const CountInput>& input, std::uint32_t block) {
  work_.stop();
  wanted_ = input != nullptr;
  if (!wanted_) return;
  Q_EMIT looking();
  requests_.look(input, block);
}

void BlockService::forget() {
  work_.stop();
  wanted_ = false;
  found_.reset();
}

void BlockService::takeUp() {
  const std::shared_ptr<const BlockRequests>& requests = requests_.found();
  if (!wanted_ || !requests || lease_.held()) return;
  wanted_ = false;
  if (found_ && found_->block() == requests) return Q_EMIT looked();
  work_.start(
      [requests](const std::atomic<bool>* cancel) {
        return std::make_shared<const BlockReplay>(requests, cancel);
      },
      [this](const std::shared_ptr<const BlockReplay>& found) {
        found_ = found;
        Q_EMIT looked();
      });
}

} // namespace lloyd
