// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace lloyd {

/// One worker thread with a queue. Tasks run in the order they were posted; the destructor drops those not
/// begun and joins. A task must not throw: it hands its outcome, errors included, back to whoever posted it.
class WorkerThread {
public:
  WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;
  ~WorkerThread();

  void post(std::function<void()> task);
  /// Returns when no task is queued or running.
  void waitUntilIdle();

private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> tasks_;
  bool running_ = false;
  bool stop_ = false;
  std::thread thread_; // last: it uses all of the above
};

} // namespace lloyd
