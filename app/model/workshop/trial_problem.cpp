// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/trial_problem.hpp"

#include "app/data/generate/generators.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "gpu/core/contract/called_choices.hpp"
#include "gpu/reference/described_launches.hpp"

#include <memory>
#include <string>
#include <utility>

namespace lloyd {
namespace {

constexpr std::array triedDimensions{2, 3, 1, 8}; // the first that a variant takes

/// A race has as many dimensions and clusters.
std::vector<Problem> tracedProblems() {
  std::vector<Problem> problems;
  problems.reserve(triedDimensions.size());
  for (const int d : triedDimensions)
    problems.push_back({triedPoints, d, triedClusters});
  return problems;
}

} // namespace

SharedPointSet trialBlobs(const Problem& problem) {
  auto points = generatePoints("blobs:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d) +
                               ",k=" + std::to_string(problem.k));
  return points ? std::make_shared<const PointSet>(*std::move(points)) : nullptr;
}

std::optional<TrialProblem> trialProblem(const Variant& variant, Stage stage, const Tuning& tuning,
                                         const std::atomic<bool>* cancel) {
  static const DeviceInfo simulator = simt::createSimtDevice()->info();
  for (const int d : triedDimensions) {
    const Problem problem{triedPoints, d, triedClusters};
    if (variant.whyNot(stage, problem, simulator, tuning)) continue;
    if (const SharedPointSet points = trialBlobs(problem))
      return TrialProblem{problem, points, startingCentroids(*points, problem, {}, trialSeed, cancel)};
  }
  return std::nullopt;
}

QString trialChoices(const Variant& variant) {
  const auto device = simt::createSimtDevice();
  const CalledChoices called;
  describeVerification(*device, variant);
  describeLaunches(*device, variant, tracedProblems(), Tunings::usual);
  return QString::fromStdString(called.text());
}

QString raceChoices(const Variant& variant) {
  const CalledChoices called;
  describeLaunches(*simt::createSimtDevice(), variant, tracedProblems(), Tunings::each);
  return QString::fromStdString(called.text());
}

} // namespace lloyd
