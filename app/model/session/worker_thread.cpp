// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/worker_thread.hpp"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace lloyd {

WorkerThread::WorkerThread() : thread_([this] { work(); }) {}

WorkerThread::~WorkerThread() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    tasks_.clear();
  }
  wake_.notify_one();
  thread_.join();
}

void WorkerThread::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void WorkerThread::waitUntilIdle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return tasks_.empty() && !running_; });
}

void WorkerThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
    if (stop_) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    running_ = true;
    lock.unlock();
    task();
    task = nullptr; // what it holds is released before anyone is told that the thread is idle
    lock.lock();
    running_ = false;
    if (tasks_.empty()) idle_.notify_all();
  }
}

void HandOver::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

/// One task for each event, so that other events have their turn in between.
void HandOver::customEvent(QEvent* /*event*/) {
  std::function<void()> task;
  {
    const std::lock_guard lock(mutex_);
    task = std::move(tasks_.front());
    tasks_.pop_front();
  }
  task(); // which may end this
}

} // namespace lloyd
