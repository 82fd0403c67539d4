// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What tests of iterations that a device repeats share.
#include "gpu/core/contract/registry.hpp"
#include "gpu/engine/clustering.hpp"
#include "tests/gpu/kernels/fused/fused_problem.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

namespace lloyd::test {

inline constexpr int farAway = 1000; ///< more iterations than any of these problems needs

inline const Variant* variant(const QString& id) { return Registry::instance().find(id.toStdString()); }

inline Plan planOf(const Variant* fused) {
  Plan plan;
  plan.fused = fused;
  plan.update = variant("update.v1");
  plan.schedule = variant("schedule.graph");
  return plan;
}

/// A clustering with its points, and the labels that a person would see.
class Rig {
public:
  Rig(Device& device, const HostProblem& host, const Plan& plan)
      : device_(device), host_(host), plan_(plan),
        points_(device, host.problem.n, host.problem.d, host.points.data(), false),
        layouts_(device, host.problem.n, host.problem.d), clustering_(device, host.problem, layouts_) {
    clustering_.restore({.centroids = host.centroids});
  }

  IterationResult single() {
    return step([&](const PointMemory& memory) { return clustering_.advance(plan_, memory); });
  }
  IterationResult until(double tolerance, int most, bool flip = true) {
    return step(
        [&](const PointMemory& memory) { return clustering_.iterateUntil(plan_, memory, tolerance, most); },
        flip);
  }
  /// As after a look at other labels: the old ones are found once more, elsewhere.
  IterationResult untilAfterALook(double tolerance, int most) {
    return step([&](const PointMemory& memory) {
      clustering_.recoverOldLabels(plan_, memory);
      return clustering_.iterateUntil(plan_, memory, tolerance, most);
    });
  }
  /// Single ones as a run has them: the number is that of the last.
  IterationResult singlesUntil(double tolerance, int most) {
    IterationResult result;
    for (int i = 0; i < most; ++i) {
      result = single();
      if (!result.anyChanged || (tolerance > 0 && result.shift <= tolerance)) break;
    }
    return result;
  }
  [[nodiscard]] std::vector<Label> labels() const {
    std::vector<Label> labels(host_.problem.n);
    downloadLabels(device_, points_.frontLabels(), labels);
    return labels;
  }
  [[nodiscard]] const Clustering& clustering() const { return clustering_; }

private:
  template <class Work>
  IterationResult step(const Work& work, bool flip = true) {
    Mapping mapping(points_);
    PointMemory memory = mapping.memory();
    memory.box = boxOf(host_.points.data(), host_.problem.n, host_.problem.d);
    IterationResult result = work(memory);
    if (flip) mapping.flip();
    return result;
  }

  Device& device_;
  const HostProblem& host_;
  Plan plan_;
  DevicePoints points_;
  PointLayouts layouts_;
  Clustering clustering_;
};

/// The first difference between two states, or nothing.
inline std::string differenceOf(const IterationResult& found, const IterationResult& right) {
  if (found.iteration != right.iteration)
    return "iteration " + std::to_string(found.iteration) + ", not " + std::to_string(right.iteration);
  if (found.changed != right.changed || found.anyChanged != right.anyChanged) return "changes";
  if (found.shift != right.shift) return "shift";
  if (found.emptyClusters != right.emptyClusters) return "empty clusters";
  if (found.usedCentroids != right.usedCentroids) return "used centroids";
  if (found.centroids != right.centroids) return "centroids";
  if (found.sizes != right.sizes) return "sizes";
  return {};
}

/// Rows: every fused variant on every device that has it, with some problems that it takes.
inline void everyPlan() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<int>("backend");
  for (const Variant* fused : Registry::instance().all())
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      if (fused->on(backend).has(Stage::fused))
        QTest::addRow("%s on %s", fused->id().c_str(), name(backend).data())
            << QString::fromStdString(fused->id()) << static_cast<int>(backend);
}

} // namespace lloyd::test
