// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace lloyd {

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
