// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/device_lease.hpp"
#include "app/model/session/worker_thread.hpp"
#include "app/model/teach/predict/asked_counts.hpp"

#include <QObject>

#include <atomic>
#include <memory>
#include <vector>

namespace lloyd {

/// Counts on a thread of its own what a lesson's questions ask for beside the launches that Teach counts.
/// While a measurement has the machine it waits for its end. What is under way when something else is asked
/// for is cancelled. GUI thread.
class PredictService : public QObject {
  Q_OBJECT
public:
  explicit PredictService(const DeviceLease& lease, QObject* parent = nullptr);
  ~PredictService() override;

  /// taught: null for questions with points of their own. What was known means nothing any more, unless the
  /// same was asked on the same points.
  void count(std::vector<Question> questions, std::shared_ptr<const TeachCounts> taught);
  /// What is there means nothing any more, and nothing is under way.
  void forget();

  /// Of all questions of the last count(); empty before it is complete.
  [[nodiscard]] const AskedCounts& counts() const { return counts_; }
  /// Nothing is due or under way.
  [[nodiscard]] bool complete() const { return !job_ && !due_; }

Q_SIGNALS:
  void counted();

private:
  using Cancel = std::shared_ptr<std::atomic<bool>>;

  void leaseChanged();
  void takeUp();
  void stop();

  const DeviceLease& lease_;
  std::vector<Question> questions_; ///< one for each key
  std::shared_ptr<const TeachCounts> taught_;
  AskedCounts counts_;
  bool due_ = false;
  Cancel job_; ///< set while it is under way
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
