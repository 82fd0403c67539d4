// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

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

/// Calls tasks of any thread on the thread that made it, in their order; those that are on their way go with
/// it. As queued calls of Qt, but over a lock of our own: Qt's is in a library that ThreadSanitizer does not
/// see into.
class HandOver final : public QObject {
public:
  void post(std::function<void()> task);

protected:
  /// Events only wake it: what is handed over never travels in one.
  void customEvent(QEvent* event) override;

private:
  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;
};

} // namespace lloyd
