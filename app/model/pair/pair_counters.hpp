// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"
#include "app/model/teach/counter_service.hpp"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>

namespace lloyd {

/// What the kernels of both sides ask of memory, on the same points and centroids.
struct PairCounted {
  struct Side {
    QString variants;                       ///< "classify.v7 + reduce.v7"
    std::optional<simt::Counters> counters; ///< of one launch of each, summed
    QString why;                            ///< why nobody knows, a whole sentence; empty when they are known
  };
  Problem problem; ///< what was counted: the first points of the data
  Side a;
  Side b;
};

/// Counts the labelling and summing kernels of two plans on the simulator, on a thread of its own: when a
/// plan, the data or k is another and when the run pauses or takes a step, never once an iteration while it
/// plays. GUI thread.
class PairCounters : public QObject {
  Q_OBJECT
public:
  explicit PairCounters(const Session& a, QObject* parent = nullptr);
  ~PairCounters() override;

  /// Inactive it counts nothing, and what was under way ends; both are made up for.
  void setActive(bool active);
  /// The variants to count; a plan without variants is not known yet, and nothing is counted until it is.
  void setPlans(const Plan& a, const Plan& b);
  /// Null until the present plans were counted; stays while they are being counted again.
  [[nodiscard]] const std::shared_ptr<const PairCounted>& counted() const { return counted_; }
  [[nodiscard]] bool complete() const { return !job_ && !due_; }

Q_SIGNALS:
  void changed();

private:
  void takeUp();
  void start();

  const Session& a_;
  Plan planA_;
  Plan planB_;
  bool active_ = false;
  bool due_ = false;
  bool stale_ = false;                     ///< the session's last state is of points that are gone
  IterationPtr of_;                        ///< the state that was counted last
  std::shared_ptr<std::atomic<bool>> job_; ///< set while it is under way
  std::shared_ptr<const PairCounted> counted_;
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
