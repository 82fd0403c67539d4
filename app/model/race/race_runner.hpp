// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measuring_task.hpp"
#include "app/model/measure/race_protocol.hpp"

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

/// Races variants on the session's data. A race that is cancelled keeps what was measured, published as not
/// finished; before its first round nothing is kept.
class RaceRunner : public MeasuringTask {
  Q_OBJECT
public:
  RaceRunner(Session& session, DeviceLease& lease, QObject* parent = nullptr,
             KMeansRunner::DeviceFactory factory = chooseDevice);

  /// Every variant and stage of this build as a candidate, with the session's tuning parameters where the
  /// variant has them; those that cannot run on the session's device are among them and are reported as
  /// skipped. In the order classify, reduce, fused, update, layout.
  [[nodiscard]] std::vector<Candidate> raceable() const;
  /// Schedules of sets likewise. Sets take memory and time several times, so that they are raced when
  /// somebody names them; a run of each is then recorded, RaceResult::recorded.
  [[nodiscard]] std::vector<Candidate> schedules() const;
  /// Refused with a message when whyNot() has a reason, or nothing is to be raced.
  void start(const RaceRequest& request);
  /// The newest result, of a race that goes on too; null before the first.
  [[nodiscard]] const RaceResultPtr& last() const { return last_; }
  /// What is different now from when last() was raced, "the data, k was 16"; empty when nothing is.
  [[nodiscard]] QString whatChanged() const;
  /// Finished or cancelled races of this run of the program, oldest first, at most 64.
  [[nodiscard]] const std::vector<RaceResultPtr>& past() const { return past_; }

Q_SIGNALS:
  void progressed(const lloyd::RaceProgress& progress); ///< at most ten times a second
  void updated(const lloyd::RaceResultPtr& result);     ///< an interim analysis, or the end

protected:
  /// Tuning parameters decide what a race measures. Which variants are in use does not.
  [[nodiscard]] bool sameProblem(const Settings& a, const Settings& b) const override {
    return MeasuringTask::sameProblem(a, b) && a.selection.tuning == b.selection.tuning;
  }
  QString close(const JobPtr& job, bool failed) override;

private:
  void race(const RaceRequest& request, const JobPtr& job, Device& device, const PointSet& points);
  void take(const JobPtr& job, RaceResultPtr result) {
    last_ = std::move(result);
    lastJob_ = job;
  }

  JobPtr lastJob_; ///< the one that last_ is of
  RaceResultPtr last_;
  std::vector<RaceResultPtr> past_;
};

} // namespace lloyd
