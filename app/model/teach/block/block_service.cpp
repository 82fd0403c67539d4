// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/block/block_service.hpp"

#include "gpu/core/contract/error.hpp"

#include <utility>

namespace lloyd {

BlockService::BlockService(MemoryService& requests, const DeviceLease& lease, QObject* parent)
    : QObject(parent), requests_(requests), lease_(lease) {
  connect(&requests_, &MemoryService::looked, this, &BlockService::takeUp);
  connect(&lease_, &DeviceLease::changed, this, [this] {
    if (lease_.held() && job_) {
      stop();
      wanted_ = true;
    }
    if (!lease_.held() && requests_.complete()) takeUp();
  });
}

BlockService::~BlockService() { stop(); }

void BlockService::stop() {
  if (const Cancel job = std::exchange(job_, nullptr)) *job = true;
}

void BlockService::look(const std::shared_ptr<const CountInput>& input, std::uint32_t block) {
  stop();
  wanted_ = input != nullptr;
  if (!wanted_) return;
  Q_EMIT looking();
  requests_.look(input, block);
}

void BlockService::forget() {
  stop();
  wanted_ = false;
  found_.reset();
}

void BlockService::takeUp() {
  const std::shared_ptr<const BlockRequests>& requests = requests_.found();
  if (!wanted_ || !requests || lease_.held()) return;
  wanted_ = false;
  if (found_ && found_->block() == requests) return Q_EMIT looked();
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  job_ = cancel;
  thread_.post([this, cancel, requests] {
    std::shared_ptr<const BlockReplay> found;
    try {
      found = std::make_shared<BlockReplay>(requests, cancel.get());
    } catch (const Cancelled&) {
      return;
    }
    toGui_.post([this, cancel, found] {
      if (*cancel) return;
      job_.reset();
      found_ = found;
      Q_EMIT looked();
    });
  });
}

} // namespace lloyd
