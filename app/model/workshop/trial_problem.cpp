// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/trial_problem.hpp"

#include "app/data/generate/generators.hpp"
#include "app/model/compute/initial_centroids.hpp"

#include <memory>
#include <string>
#include <utility>

namespace lloyd {

SharedPointSet trialBlobs(const Problem& problem) {
  auto points = generatePoints("blobs:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d) +
                               ",k=" + std::to_string(problem.k));
  return points ? std::make_shared<const PointSet>(*std::move(points)) : nullptr;
}

std::optional<TrialProblem> trialProblem(const Variant& variant, Stage stage, const Tuning& tuning,
                                         const std::atomic<bool>* cancel) {
  static const DeviceInfo simulator = simt::createSimtDevice()->info();
  for (const int d : {2, 3, 1, 8}) {
    const Problem problem{triedPoints, d, triedClusters};
    if (variant.whyNot(stage, problem, simulator, tuning)) continue;
    if (const SharedPointSet points = trialBlobs(problem))
      return TrialProblem{problem, points, startingCentroids(*points, problem, {}, trialSeed, cancel)};
  }
  return std::nullopt;
}

} // namespace lloyd
