// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/hand_over.hpp"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace lloyd {

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
