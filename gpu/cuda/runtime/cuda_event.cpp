// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_event.hpp"

#include "gpu/cuda/runtime/cuda_check.hpp"

#include <chrono>

namespace lloyd {

void waitFor(cudaEvent_t event, std::string_view what) {
  using Clock = std::chrono::steady_clock;
  const auto patience = Clock::now() + std::chrono::microseconds(200);
  while (Clock::now() < patience) {
    const cudaError_t state = cleared(cudaEventQuery(event)); // "not ready" is an answer, not an error
    if (state != cudaErrorNotReady) return checkCuda(state, what);
  }
  checkCuda(cudaEventSynchronize(event), what);
}

EventHandle EventPool::take() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    EventHandle event = std::move(free_.back());
    free_.pop_back();
    return event;
  }
  cudaEvent_t event = nullptr;
  LLOYD_CUDA(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  return EventHandle(event);
}

void EventPool::giveBack(EventHandle event) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(event));
  } catch (...) {
    // No room to remember it: the handle destroys it.
  }
}

} // namespace lloyd
