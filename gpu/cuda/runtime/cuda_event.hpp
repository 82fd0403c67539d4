// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace lloyd {

/// Waits for a recorded event: first by asking, because a short iteration is over before a sleeping thread
/// could be woken, then asleep, so that a long one leaves the processor to others. what names the work in
/// errors.
inline void waitFor(cudaEvent_t event, std::string_view what) {
  using Clock = std::chrono::steady_clock;
  const auto patience = Clock::now() + std::chrono::microseconds(200);
  while (Clock::now() < patience) {
    const cudaError_t state = cleared(cudaEventQuery(event)); // "not ready" is an answer, not an error
    if (state != cudaErrorNotReady) return checkCuda(state, what);
  }
  checkCuda(cudaEventSynchronize(event), what);
}

/// The same, but throws Cancelled soon after cancel became true, and what the event is behind goes on: for
/// waits that no host memory depends on. It sleeps a hundredth of the time that it has waited for.
inline void waitFor(cudaEvent_t event, std::string_view what, const std::atomic<bool>* cancel) {
  using Clock = std::chrono::steady_clock;
  if (!cancel) return waitFor(event, what);
  const auto begin = Clock::now();
  for (cudaError_t state = cudaErrorNotReady; state == cudaErrorNotReady;) {
    state = cleared(cudaEventQuery(event));
    if (state != cudaErrorNotReady) return checkCuda(state, what);
    if (cancel->load(std::memory_order_relaxed)) throw Cancelled();
    const auto waited = Clock::now() - begin;
    if (waited > std::chrono::microseconds(200)) std::this_thread::sleep_for(waited / 100);
  }
}

/// Events to use again: several are needed for every iteration, and making one costs more than recording it.
class EventPool {
public:
  /// The calling thread's CUDA device must be the pool's.
  [[nodiscard]] EventHandle take() {
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
  void giveBack(EventHandle event) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(event));
    } catch (...) {
      // No room to remember it: the handle destroys it.
    }
  }

private:
  std::mutex mutex_; // an event may end its life on a thread that only looked at its time
  std::vector<EventHandle> free_;
};

/// An event that returns to its pool.
class CudaEvent final : public Event {
public:
  explicit CudaEvent(std::shared_ptr<EventPool> pool) : pool_(std::move(pool)), event_(pool_->take()) {}
  ~CudaEvent() override { pool_->giveBack(std::move(event_)); }
  [[nodiscard]] cudaEvent_t get() const { return event_.get(); }

private:
  std::shared_ptr<EventPool> pool_;
  EventHandle event_;
};

} // namespace lloyd
