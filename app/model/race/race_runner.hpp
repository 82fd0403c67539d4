// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/race_protocol.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace lloyd {

/// What the window asks to be raced on the data it shows.
struct RaceRequest {
  std::vector<Candidate> candidates; ///< raceable(), or the ticked ones of them
  RaceOptions options;
};

/// Races variants on the session's data, on a thread and a device of its own, while the session rests:
/// playing pauses and goes on afterwards. Moving points are raced where they rest. A race ends early when the
/// data or a setting that it depends on change, or when a person plays. All of it is used on the GUI thread.
/// A race of the SIMT simulator's backend is refused with whyNot(): its times are a simulator's.
class RaceRunner : public QObject {
  Q_OBJECT
public:
  explicit RaceRunner(Session& session, QObject* parent = nullptr,
                      KMeansRunner::DeviceFactory factory = chooseDevice);
  ~RaceRunner() override;

  /// Every variant and stage of this build as a candidate, with the session's tuning parameters where the
  /// variant has them; those that cannot run on the session's device are among them and are reported as
  /// skipped. In the order classify, reduce, fused, update, layout.
  [[nodiscard]] std::vector<Candidate> raceable() const;
  /// Why no race can be run now; empty when one can.
  [[nodiscard]] QString whyNot() const;
  /// busy says why something else needs the device at present, and nothing when nothing does.
  void setBusy(std::function<QString()> busy) { busy_ = std::move(busy); }
  void start(const RaceRequest& wish);
  /// Ends the race within 100 ms; what was measured is kept and published as not finished. Before the first
  /// round nothing is kept.
  void cancel();
  [[nodiscard]] bool running() const { return job_ != nullptr; }
  /// The newest result, of a race that goes on too; null before the first.
  [[nodiscard]] const RaceResultPtr& last() const { return last_; }
  /// What is different now from when last() was raced, "the data, k was 16"; empty when nothing is.
  [[nodiscard]] QString whatChanged() const;
  /// Finished or cancelled races of this run of the program, oldest first, at most 64.
  [[nodiscard]] const std::vector<RaceResultPtr>& past() const { return past_; }

Q_SIGNALS:
  void started();
  void progressed(const lloyd::RaceProgress& progress); ///< at most ten times a second
  void updated(const lloyd::RaceResultPtr& result);     ///< a look, or the end
  void ended();                                         ///< finished, cancelled or failed; after updated()
  void message(const QString& text, bool error);

private:
  struct Job;
  using JobPtr = std::shared_ptr<Job>;

  void compute(const JobPtr& job, const PointSet& points);
  void publish(const JobPtr& job, RaceResultPtr result);
  void finish(const JobPtr& job, const RaceResultPtr& result, const QString& error);
  void end(const QString& reason);
  void sessionChanged();

  Session& session_;
  KMeansRunner::DeviceFactory factory_;
  std::function<QString()> busy_;
  JobPtr job_;     ///< the race that goes on
  JobPtr lastJob_; ///< the one that last_ is of
  RaceResultPtr last_;
  std::vector<RaceResultPtr> past_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd

Q_DECLARE_METATYPE(lloyd::RaceProgress)
Q_DECLARE_METATYPE(lloyd::RaceResultPtr)
