// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/sets_harness.hpp"

#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/stats/statistics.hpp"
#include "gpu/core/timeline/record_sets.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace lloyd {
namespace {

/// Old and new labels, and points as rows and, where a variant wants them, as records.
std::size_t deviceBytes(const Problem& problem) {
  return SetsHarness::sets * (2 * problem.pointValues() * sizeof(float) + 2 * problem.n * sizeof(Label));
}

/// Of a timed run: each schedule does the same work.
SetParams timedParams(const Variant& schedule, const Tuning& tuning) {
  SetParams params = SetParams::of(schedule.complete(tuning), SetsHarness::iterations);
  params.all = true;
  return params;
}

} // namespace

SetsHarness::SetsHarness(Device& device, const PointSet& points, const Problem& problem,
                         std::vector<float> centroids)
    : device_(device), points_(points), problem_(problem), centroids_(std::move(centroids)) {}

void SetsHarness::use(const SetStages& stages) {
  clear();
  stages_ = stages;
}

SetStages SetsHarness::stagesFor(const Variant& schedule) const {
  const std::string_view pass = schedule.info.pass;
  if (pass.empty() || device_.backend() == Backend::cpu || (stages_.fused && stages_.fused->id() == pass))
    return stages_;
  return {.fused = Registry::instance().find(pass), .update = stages_.update};
}

Reason SetsHarness::whyNot(const Variant& schedule, const Tuning& tuning) const {
  const SetParams params = timedParams(schedule, tuning);
  if (auto why = whyNotSets(schedule, stagesFor(schedule), problem_, device_.info(), params)) return why;
  if (find(schedule, tuning) || deviceBytes(problem_) <= device_.freeMemory()) return std::nullopt;
  return schedule.id() + ": there is no memory for " + std::to_string(sets) + " sets of so many points";
}

const SetsHarness::Run* SetsHarness::find(const Variant& schedule, const Tuning& tuning) const {
  const auto found = std::ranges::find_if(
      runs_, [&](const auto& one) { return one->schedule == &schedule && one->tuning == tuning; });
  return found == runs_.end() ? nullptr : found->get();
}

std::vector<ClusteringSet> SetsHarness::makeSets(const Variant& schedule) const {
  std::vector<ClusteringSet> made;
  made.reserve(sets);
  for (std::size_t s = 0; s < sets; ++s)
    made.emplace_back(device_, problem_, points_.values, centroids_, schedule.info.hostMemory);
  return made;
}

void SetsHarness::prepare(const Variant& schedule, const Tuning& tuning) {
  if (find(schedule, tuning)) return;
  auto run = std::make_unique<Run>();
  run->schedule = &schedule;
  run->tuning = tuning;
  run->sets = makeSets(schedule);
  run->run = prepareSets(schedule, device_, stagesFor(schedule), run->sets, timedParams(schedule, tuning));
  run->run->run();
  runs_.push_back(std::move(run));
}

void SetsHarness::run(const Variant& schedule, const Tuning& tuning) {
  prepare(schedule, tuning);
  find(schedule, tuning)->run->run();
}

double SetsHarness::usOf(const Variant& schedule, const Tuning& tuning) {
  prepare(schedule, tuning);
  std::vector<double> us;
  for (int turn = 0; turn < 5; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    run(schedule, tuning);
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return summarise(us).median;
}

/// "; they take 298 us, and 512 with every flag waited for (late 0)"
std::string SetsHarness::waitingText(const Variant& schedule, const Tuning& tuning) {
  Tuning waiting = schedule.complete(tuning);
  if (waiting.late == 0) return {};
  waiting.late = 0;
  if (whyNot(schedule, waiting)) return {};
  const auto text = [](double us) { return std::to_string(std::llround(us)); };
  const std::string waits = text(usOf(schedule, waiting));
  std::erase_if(runs_, [&](const auto& one) { return one->schedule == &schedule && one->tuning == waiting; });
  return "; a run takes " + text(usOf(schedule, tuning)) + " us, and " + waits +
         " with every flag waited for (late 0)";
}

std::string SetsHarness::noteOn(const Variant& schedule, const Tuning& tuning) {
  prepare(schedule, tuning);
  const ClusteringSet& first = find(schedule, tuning)->sets.front();
  const SetStages stages = stagesFor(schedule);
  const std::string with =
      stages.fused ? stages.fused->id() : stages.classify->id() + " and " + stages.reduce->id();
  return "one iteration of one set, copies included: runs of " + std::to_string(sets) +
         " sets from host memory to host memory, each of " + std::to_string(iterations) + " iterations" +
         (first.converged() ? ", of which " + std::to_string(first.needed) + " were needed" : std::string()) +
         ", with " + with + waitingText(schedule, tuning);
}

std::vector<ClusteringSet> SetsHarness::iterateOnce(const Variant& schedule, const Tuning& tuning) {
  std::vector<ClusteringSet> found = makeSets(schedule);
  runSets(schedule, device_, stagesFor(schedule), found, SetParams::of(schedule.complete(tuning), 1));
  return found;
}

Timeline SetsHarness::record(const Variant& schedule, const Tuning& tuning) {
  clear();
  std::vector<ClusteringSet> recorded = makeSets(schedule);
  return recordSets(schedule, device_, stagesFor(schedule), recorded, timedParams(schedule, tuning));
}

} // namespace lloyd
