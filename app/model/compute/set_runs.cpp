// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/set_runs.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/timeline/record_sets.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

namespace lloyd {
namespace {

Problem problemOf(const SetStart& start) {
  const PointSet& points = *start.points;
  return {.n = points.n,
          .d = points.d,
          .k = static_cast<int>(start.centroids.size() / static_cast<std::size_t>(points.d))};
}

/// Points as rows and, where a variant wants them, as records; two kinds of labels; and where the device's
/// memory is the host's, what copies begin and end in. What is small beside them has what is left.
std::size_t bytesOf(const SetStart& start, const Device& device) {
  const std::size_t copies = device.backend() == Backend::cuda ? 2 : 3;
  const Problem problem = problemOf(start);
  return copies * (problem.pointValues() * sizeof(float) + problem.n * sizeof(Label));
}

/// A schedule with a pass of its own has one launch for all sets, which must have one shape then.
bool goTogether(const SetStart& a, const SetStart& b) {
  return a.plan == b.plan && (a.plan.schedule->info.pass.empty() || problemOf(a) == problemOf(b));
}

/// The first of the starts that run at once: as many as there is memory for.
std::span<const SetStart> atOnce(std::span<const SetStart> starts, const Device& device) {
  const std::size_t room = device.freeMemory() / 10 * 9;
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < starts.size() && goTogether(starts[count], starts.front())) {
    bytes += bytesOf(starts[count], device);
    if (bytes > room) break;
    ++count;
  }
  if (count == 0)
    throw RequestError(starts.front().plan.schedule->id() +
                       ": there is no memory for a set of so many points");
  return starts.first(count);
}

/// Sets of the same points and k share the points.
std::vector<ClusteringSet> made(std::span<const SetStart> starts, Device& device, HostMemory memory) {
  std::vector<ClusteringSet> sets;
  sets.reserve(starts.size());
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const SetStart& start = starts[s];
    const auto before = starts.first(s);
    const auto same = std::ranges::find_if(before, [&start](const SetStart& other) {
      return other.points == start.points && problemOf(other) == problemOf(start);
    });
    if (same == before.end())
      sets.emplace_back(device, problemOf(start), start.points->values, start.centroids, memory);
    else
      sets.emplace_back(device, sets[static_cast<std::size_t>(same - before.begin())], start.centroids);
  }
  return sets;
}

} // namespace

SetsOutcome runSets(Device& device, std::span<const SetStart> starts, int most, bool record) {
  SetsOutcome all;
  while (all.sets.size() < starts.size()) {
    const auto present = atOnce(starts.subspan(all.sets.size()), device);
    const Plan& plan = present.front().plan;
    const Variant& schedule = *plan.schedule;
    const SetParams params = SetParams::of(schedule.complete(plan.tuningOf(Stage::sets)), most);
    std::vector<ClusteringSet> sets = made(present, device, schedule.info.hostMemory);
    {
      const auto run = prepareSets(schedule, device, plan.setStages(), sets, params);
      const auto begin = std::chrono::steady_clock::now();
      run->run();
      all.us += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }
    if (record && all.sets.empty()) {
      all.timeline =
          std::make_shared<const Timeline>(recordSets(schedule, device, plan.setStages(), sets, params));
      all.recorded = sets.size();
    }
    for (std::size_t s = 0; s < sets.size(); ++s)
      all.sets.push_back({.seed = present[s].seed,
                          .iterations = sets[s].iterations,
                          .needed = sets[s].needed,
                          .centroids = sets[s].centroids()});
  }
  return all;
}

} // namespace lloyd
