// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/device_lease.hpp"
#include "app/model/session/latest_work.hpp"
#include "app/model/teach/predict/asked_counts.hpp"

#include <QObject>

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

  /// taught: null for questions with points of their own. What was known means nothing any more, unless the
  /// same was asked on the same points.
  void count(std::vector<Question> questions, std::shared_ptr<const TeachCounts> taught);
  /// What is there means nothing any more, and nothing is under way.
  void forget();

  /// Of all questions of the last count(); empty before it is complete.
  [[nodiscard]] const AskedCounts& counts() const { return counts_; }
  /// Nothing is due or under way.
  [[nodiscard]] bool complete() const { return !work_.running() && !due_; }

Q_SIGNALS:
  void counted();

private:
  void leaseChanged();
  void takeUp();

  const DeviceLease& lease_;
  std::vector<Question> questions_; ///< one for each key
  std::shared_ptr<const TeachCounts> taught_;
  AskedCounts counts_;
  bool due_ = false;
  LatestWork work_; // last: ended before what it uses is gone
};

} // namespace lloyd
