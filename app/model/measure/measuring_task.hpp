// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/stage_harness.hpp"
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace lloyd {

/// Lets a report through at most ten times a second: a person sees no more.
class ProgressBeat {
public:
  [[nodiscard]] bool due();

private:
  std::chrono::steady_clock::time_point reported_{};
};

/// Something that measures the session's data, or clusters them beside it, on a thread and a device of its
/// own, while the session rests: playing pauses and goes on afterwards. Moving points are measured where they
/// rest. It ends early when the data or a setting that it depends on change, or when a person plays. All of
/// it is used on the GUI thread. The SIMT simulator's backend is refused with whyNot(): its times are a
/// simulator's.
class MeasuringTask : public QObject {
  Q_OBJECT
public:
  ~MeasuringTask() override;

  /// Why nothing can be measured now; empty when it can.
  [[nodiscard]] QString whyNot() const;
  /// Ends it within 100 ms; what was published is kept.
  void cancel();
  [[nodiscard]] bool running() const { return job_ != nullptr; }

Q_SIGNALS:
  void started();
  void ended(); ///< finished, cancelled or failed; after what it measured was published
  void message(const QString& text, bool error);

protected:
  /// What the sentences of a subclass say.
  struct Sentences {
    QString noun;      ///< "race": stands after "the" and "no"
    QString underWay;  ///< why nothing else can be measured meanwhile
    QString simulated; ///< why the SIMT simulator is refused
  };
  /// One run, known to both threads. All but cancel stays as it was made, or is the GUI thread's.
  struct Job {
    std::weak_ptr<const PointSet> points; ///< which they are, not kept alive by a run that is over
    Settings settings;
    Backend backend = Backend::cpu;
    std::string source;
    std::atomic<bool> cancel{false};
    bool wasPlaying = false;
    QString reason; ///< why it was cancelled; empty when it was not
  };
  using JobPtr = std::shared_ptr<Job>;
  /// Measures on the thread, with a device of its own, and throws what the device throws; Cancelled once
  /// job->cancel is set. Of its task it uses tell() only.
  using Work =
      std::function<void(const JobPtr& job, std::unique_ptr<Device> device, const SharedPointSet& points)>;

  MeasuringTask(Session& session, DeviceLease& lease, Sentences sentences, QObject* parent,
                KMeansRunner::DeviceFactory factory);

  [[nodiscard]] const Session& session() const { return session_; }
  /// The variant with the session's tuning parameters, where it has them and they allow the same value.
  [[nodiscard]] Candidate candidate(const Variant& variant, Stage stage) const;
  void refuse(const QString& why);
  /// Only when whyNot() is empty.
  void begin(Work work);
  /// From the thread: calls what on the GUI thread, unless the job is over by then.
  template <typename What>
  void tell(const JobPtr& job, What what) {
    toGui_.post([this, job, what = std::move(what)] {
      if (job == job_) what();
    });
  }

  /// Whether what was measured with the one setting is true of the other.
  [[nodiscard]] virtual bool sameProblem(const Settings& a, const Settings& b) const;
  /// The job is over: publishes what is kept of it, and returns what that is, as the end of a sentence.
  virtual QString close(const JobPtr& job, bool failed) = 0;

private:
  void compute(const JobPtr& job, const Work& work, const SharedPointSet& points);
  void finish(const JobPtr& job, const QString& error);
  void end(const QString& reason);
  void sessionChanged();

  Session& session_;
  Sentences sentences_;
  KMeansRunner::DeviceFactory factory_;
  DeviceLease& lease_;
  DeviceLease::Hold hold_; ///< while there is a job
  JobPtr job_;             ///< the one that goes on
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
