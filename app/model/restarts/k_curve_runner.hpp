// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measuring_task.hpp"
#include "app/model/quality/k_curve_points.hpp"
#include "app/model/restarts/run_to_end.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lloyd {

/// Which numbers of clusters are tried, and how often each.
struct KCurveRequest {
  int low = 2;
  int high = 20; ///< at least low
  int restarts = 10;

  [[nodiscard]] int runs() const { return (high - low + 1) * restarts; }
};

/// Clusters the session's data in several numbers of clusters, several times each, from the first centroids
/// of its seed and of those after it, and judges every run: what `run --ks --restarts` finds, this finds. The
/// session itself stays where it is. Each run is published as soon as it is judged, and a curve that is
/// cancelled keeps what it has. Neither k nor seed counts as a setting that the curve depends on.
class KCurveRunner : public MeasuringTask {
  Q_OBJECT
public:
  static constexpr int mostRestarts = 100;
  static constexpr int mostK = 1024;

  KCurveRunner(Session& session, DeviceLease& lease, QObject* parent = nullptr,
               KMeansRunner::DeviceFactory factory = chooseDevice);

  /// Why no curve can be begun now, as a sentence without its full stop; empty when it can.
  [[nodiscard]] QString whyNotCurve() const;
  /// Refused with a message when whyNotCurve() has a reason. The curve before is forgotten. There are no more
  /// clusters than points.
  void start(KCurveRequest request);
  /// In the order of their k.
  [[nodiscard]] const std::vector<KPoint>& points() const { return points_; }
  /// Null for a k without runs.
  [[nodiscard]] KRunPtr best(int k) const;
  [[nodiscard]] const KCurveRequest& asked() const { return asked_; } ///< of the last start()
  [[nodiscard]] int done() const { return done_; }                    ///< runs
  /// "k = 7, run 3 of 10"; empty while nothing runs.
  [[nodiscard]] const QString& present() const { return present_; }

Q_SIGNALS:
  void changed(); ///< points() have more runs, or are others
  void presentChanged();

protected:
  [[nodiscard]] bool sameProblem(const Settings& a, const Settings& b) const override {
    return a.init == b.init;
  }
  QString close(const JobPtr& job, bool failed) override;

private:
  void run(KCurveRequest request, const JobPtr& job, std::unique_ptr<Device> device,
           const SharedPointSet& points);
  void take(const ScoredRun& scored, const KRunPtr& run);
  void forgetOther();

  std::vector<KPoint> points_;
  std::map<int, KRunPtr> best_;
  KCurveRequest asked_;
  int done_ = 0;
  QString present_;
  // What points_ are of.
  std::weak_ptr<const PointSet> data_;
  Settings settings_;
};

} // namespace lloyd
