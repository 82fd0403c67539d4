// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/worker_thread.hpp"
#include "gpu/core/contract/error.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace lloyd {

/// Work on a thread of its own, of which only what was started last counts. GUI thread.
class LatestWork {
public:
  LatestWork() = default;
  LatestWork(const LatestWork&) = delete;
  LatestWork& operator=(const LatestWork&) = delete;
  ~LatestWork() { stop(); }

  /// Cancels what is under way. On the thread find(cancel) works, which may throw Cancelled and nothing else;
  /// what it finds is taken here, unless it was stopped meanwhile.
  template <class Find, class Take>
  void start(Find find, Take take) {
    stop();
    const auto cancel = std::make_shared<std::atomic<bool>>(false);
    job_ = cancel;
    thread_.post([this, cancel, find = std::move(find), take = std::move(take)] {
      try {
        toGui_.post([this, cancel, take, found = find(cancel.get())] {
          if (*cancel) return;
          job_.reset();
          take(found);
        });
      } catch (const Cancelled&) {
        return; // nobody waits for it any more
      }
    });
  }
  /// Answers whether something was under way.
  bool stop() {
    const auto job = std::exchange(job_, nullptr);
    if (job) *job = true;
    return job != nullptr;
  }
  [[nodiscard]] bool running() const { return job_ != nullptr; }

private:
  std::shared_ptr<std::atomic<bool>> job_; ///< set while it is under way
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
