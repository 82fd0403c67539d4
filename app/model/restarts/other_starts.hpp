// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/run_to_end.hpp"
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lloyd {

/// A run ends in a local minimum that its first centroids decide, and a person who opens a file did not
/// choose these. Where a run that was played from the first seed has come to its end, and others are quick,
/// they are made in the background: from the seeds after it, up to ten starts in all. It never pauses the
/// session, never holds the device's lease, and gives way to everything: another setting, data, a pause, a
/// centroid moved by hand, a measurement. A number of clusters is tried once. A seed that a person chose is
/// left alone; one that was found here is nobody's choice, whatever brings it back. Points from elsewhere
/// begin with the first seed again. GUI thread.
class OtherStarts : public QObject {
  Q_OBJECT
public:
  static constexpr int starts = 10; ///< that of the session among them

  /// mayTry: whether the window is one in which runs may change by themselves.
  OtherStarts(Session& session, const DeviceLease& lease, std::function<bool()> mayTry,
              QObject* parent = nullptr, KMeansRunner::DeviceFactory factory = chooseDevice);
  ~OtherStarts() override;

  void setEnabled(bool on);
  [[nodiscard]] bool enabled() const { return enabled_; }
  /// The seed of the settings is a person's choice from now on.
  void seedChosen();
  /// It is nobody's choice any more: others are tried at once where the run has ended.
  void seedReturned();
  /// Whether the present seed is a person's choice.
  [[nodiscard]] bool seedIsChosen() const { return !own_.contains(session_.settings().seed); }
  /// The first of the seeds that are tried; the others follow it.
  [[nodiscard]] std::uint64_t firstSeed() const { return first_; }
  /// Why none are tried of a run like the session's, as a sentence without its full stop; empty where they
  /// are once it has ended, and while there are no points.
  [[nodiscard]] QString whyNot() const;
  /// A person moved a centroid: the run is theirs.
  void runTouched();
  void cancel();
  [[nodiscard]] bool running() const { return job_ != nullptr; }

  /// Whether so much work is quick enough to be done unasked.
  [[nodiscard]] static bool quick(const Problem& problem, int iterations);
  /// Whether the session's run is of a kind for which others are tried: it begins by chance, and is quick.
  [[nodiscard]] static bool suits(const Session& session);

Q_SIGNALS:
  /// All starts were made: the best of them, or null where none ends lower than the session's.
  void tried(const lloyd::KRunPtr& better, int starts);
  void changed(); ///< seedIsChosen() or whyNot() may be another

private:
  struct Job {
    std::atomic<bool> cancel{false};
    std::vector<float> centroids; ///< where the session's run ended
    double inertia = 0;
  };
  using JobPtr = std::shared_ptr<Job>;

  void begin();
  void takePoints();
  [[nodiscard]] QString whyNotAtAll() const;
  [[nodiscard]] bool shouldTry() const;
  void compute(const JobPtr& job, const Settings& settings, BackendRequest backend,
               const SharedPointSet& points);
  void finish(const JobPtr& job, const KRunPtr& better);

  Session& session_;
  const DeviceLease& lease_;
  std::function<bool()> mayTry_;
  KMeansRunner::DeviceFactory factory_;
  bool enabled_ = true;
  bool touched_ = false;        ///< a person moved a centroid, or the state is another run's
  bool byHand_ = false;         ///< it is the first of these two
  std::uint64_t first_;         ///< the seed that nobody chose
  std::set<std::uint64_t> own_; ///< it, and those that were found better; but what a person chose meanwhile
  std::string source_;          ///< of the points; empty before the first
  std::set<int> triedK_;        ///< of the data and first centroids that there are
  Init init_;
  JobPtr job_;
  HandOver toGui_;
  WorkerThread thread_; // last: joined before what its tasks use is gone
};

} // namespace lloyd
