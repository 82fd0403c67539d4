// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/race_protocol.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"
#include "app/model/sweep/sweep_step.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lloyd {

/// What the window asks to be swept. The plan's base is the session's own problem.
struct SweepRequest {
  SweepPlan plan;
  double cellSeconds = 0.5; ///< given to each measurement, after the rounds that are always run
  RaceOptions options = defaultOptions();

  /// A race a cell has to tell more than a curve has to show: few rounds, and one look.
  [[nodiscard]] static RaceOptions defaultOptions();
};

/// Where a sweep is.
struct SweepProgress {
  std::size_t done = 0; ///< measurements, gaps included
  std::size_t total = 0;
  double secondsLeft = 0;
  Problem problem; ///< what is being measured
};

/// Measures a plan on the session's data source, on a thread and a device of its own, while the session
/// rests: playing pauses and goes on afterwards. Each race's worth of measurements is published as soon as it
/// ends, and all that was published is kept when the sweep is cancelled. What cannot run becomes a gap with
/// its reason. Used on the GUI thread. The SIMT simulator's backend is refused: its times are a simulator's.
class SweepRunner : public QObject {
  Q_OBJECT
public:
  explicit SweepRunner(Session& session, QObject* parent = nullptr,
                       KMeansRunner::DeviceFactory factory = chooseDevice);
  ~SweepRunner() override;

  /// busy says why something else needs the device at present, and nothing when nothing does.
  void setBusy(std::function<QString()> busy) { busy_ = std::move(busy); }
  /// Why no sweep can be run now; empty when one can.
  [[nodiscard]] QString whyNot() const;
  /// Why this plan cannot be swept on the session's data, as a sentence; empty when it can.
  [[nodiscard]] QString whyNot(const SweepPlan& plan) const;
  /// Variants that perform the stage on the session's device, with the session's tuning parameters where they
  /// have them; whether each can run a size is found out cell by cell.
  [[nodiscard]] std::vector<Candidate> sweepable(Stage stage) const;
  /// Refused with a message when whyNot() has a reason.
  void start(const SweepRequest& wish);
  void cancel();
  [[nodiscard]] bool running() const { return job_ != nullptr; }
  /// The newest result, of a sweep that goes on too; null before the first.
  [[nodiscard]] const SweepResultPtr& last() const { return last_; }

Q_SIGNALS:
  void started();
  void progressed(const lloyd::SweepProgress& progress);
  void updated(const lloyd::SweepResultPtr& result); ///< some cells more, or the end
  void ended();                                      ///< finished, cancelled or failed; after updated()
  void message(const QString& text, bool error);

private:
  struct Job;
  using JobPtr = std::shared_ptr<Job>;

  void compute(const JobPtr& job, const SharedPointSet& points);
  void take(const JobPtr& job, const SweepCells& cells, const DeviceInfo& device);
  void finish(const JobPtr& job, const QString& error);
  void end(const QString& reason);
  void sessionChanged();

  Session& session_;
  KMeansRunner::DeviceFactory factory_;
  std::function<QString()> busy_;
  JobPtr job_; ///< the sweep that is under way
  SweepResultPtr last_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd

Q_DECLARE_METATYPE(lloyd::SweepProgress)
Q_DECLARE_METATYPE(lloyd::SweepResultPtr)
