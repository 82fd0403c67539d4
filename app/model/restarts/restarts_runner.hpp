// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measuring_task.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lloyd {

/// Some points of a set as a small picture has them: by the first two columns, or by the only one and
/// scattered across it.
struct SketchPoints {
  /// So many that a picture of a few thousand pixels looks the same with all of them.
  static constexpr std::size_t most = 6000;

  std::vector<std::size_t> rows; ///< which points they are, ascending
  std::vector<float> x;          ///< 0 to 1 across their box; 0.5 where it has no extent
  std::vector<float> y;
};
[[nodiscard]] std::shared_ptr<const SketchPoints> sketchOf(const PointSet& points);

/// A run from first centroids of its own, to its end.
struct RestartRun {
  std::uint64_t seed = 1;
  int iterations = 0;
  bool converged = false;
  IterationResult result;              ///< labels, sizes and inertia belong to the centroids; without times
  std::vector<IterationStats> history; ///< of every iteration
  std::shared_ptr<const SketchPoints> points;
  std::vector<Label> labels; ///< of those points

  [[nodiscard]] double inertia() const { return result.inertia.value_or(0); }
};
using RestartRunPtr = std::shared_ptr<const RestartRun>;

/// Clusters the session's data several times, from the first centroids of its seed and of those after it:
/// a run ends in a local minimum, which they decide. What `run --restarts` finds, this finds. The session
/// itself stays where it is; each run is published as soon as it ends, and one that is cancelled keeps the
/// runs before it. The seed does not count as a setting that the runs depend on.
class RestartsRunner : public MeasuringTask {
  Q_OBJECT
public:
  static constexpr int mostRestarts = 256;

  RestartsRunner(Session& session, DeviceLease& lease, QObject* parent = nullptr,
                 KMeansRunner::DeviceFactory factory = chooseDevice);

  /// Why no runs can be begun now, as a sentence without its full stop; empty when they can.
  [[nodiscard]] QString whyNotRestarts() const;
  /// Refused with a message when whyNotRestarts() has a reason; restarts: 1 to mostRestarts. The runs before
  /// are forgotten.
  void start(int restarts);
  /// In the order of their seeds.
  [[nodiscard]] const std::vector<RestartRunPtr>& runs() const { return runs_; }
  /// Of the least inertia, and of equal ones the first; null without any.
  [[nodiscard]] RestartRunPtr best() const;
  [[nodiscard]] int asked() const { return asked_; } ///< of the last start()

Q_SIGNALS:
  void changed(); ///< runs() is longer, or begins anew

protected:
  [[nodiscard]] bool sameProblem(const Settings& a, const Settings& b) const override {
    return a.k == b.k && a.init == b.init;
  }
  QString close(const JobPtr& job, bool failed) override;

private:
  void run(int restarts, const JobPtr& job, std::unique_ptr<Device> device, const SharedPointSet& points);
  void forgetOther();

  std::vector<RestartRunPtr> runs_;
  int asked_ = 0;
  // What runs_ is of.
  std::weak_ptr<const PointSet> points_;
  Settings settings_;
};

} // namespace lloyd
