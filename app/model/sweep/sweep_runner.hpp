// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measuring_task.hpp"
#include "app/model/measure/race_protocol.hpp"
#include "app/model/sweep/sweep_plan.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <utility>
#include <vector>

namespace lloyd {

/// What the window asks to be swept. The plan's base is the session's own problem.
struct SweepRequest {
  SweepPlan plan;
  double cellSeconds = 0.5; ///< given to each measurement, after the rounds that are always run
  RaceOptions options = defaultOptions();

  /// A race a cell has to tell more than a curve has to show: few rounds, and one analysis.
  [[nodiscard]] static RaceOptions defaultOptions();
};

/// Measurements with their places, SweepPlan::index().
using SweepCells = std::vector<std::pair<std::size_t, std::shared_ptr<const Measurement>>>;

/// Where a sweep is.
struct SweepProgress {
  std::size_t done = 0; ///< measurements, gaps included
  std::size_t total = 0;
  double secondsLeft = 0;
  Problem problem; ///< what is being measured
};

/// Measures a plan on the session's data source. Each race's worth of measurements is published as soon as
/// it ends, and all that was published is kept when the sweep is cancelled. What cannot run becomes a gap
/// with its reason.
class SweepRunner : public MeasuringTask {
  Q_OBJECT
public:
  SweepRunner(Session& session, DeviceLease& lease, QObject* parent = nullptr,
              KMeansRunner::DeviceFactory factory = chooseDevice);

  using MeasuringTask::whyNot;
  /// Why this plan cannot be swept on the session's data, as a sentence; empty when it can.
  [[nodiscard]] QString whyNot(const SweepPlan& plan) const;
  /// Variants that perform the stage on the session's device, with the session's tuning parameters where they
  /// have them; whether each can run a size is found out cell by cell.
  [[nodiscard]] std::vector<Candidate> sweepable(Stage stage) const;
  /// Refused with a message when whyNot() has a reason.
  void start(const SweepRequest& request);
  /// The newest result, of a sweep that goes on too; null before the first.
  [[nodiscard]] const SweepResultPtr& last() const { return last_; }

Q_SIGNALS:
  void progressed(const lloyd::SweepProgress& progress);
  void updated(const lloyd::SweepResultPtr& result); ///< some cells more

protected:
  QString close(const JobPtr& job, bool failed) override;

private:
  void sweep(const SweepRequest& request, const JobPtr& job, Device& device, SweepData& data);
  void take(const SweepCells& cells, const DeviceInfo& device);

  SweepResultPtr last_;
};

} // namespace lloyd
