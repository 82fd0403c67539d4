// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What tests of schedules of sets share: sets, the variants of their iterations, and what single iterations
// of each find.
#include "tests/gpu/engine/schedule_rig.hpp"
#include "tests/support/set_stages.hpp"

#include <QString>

#include <string>
#include <vector>

namespace lloyd::test {

/// Sets of one size: the kinds of points take turns, so that some need more iterations than others.
inline std::vector<HostProblem> problemsOf(std::size_t sets, const Problem& problem) {
  std::vector<HostProblem> problems;
  problems.reserve(sets);
  for (std::size_t s = 0; s < sets; ++s)
    problems.push_back(makeProblem(static_cast<PointKind>(s % 4), problem));
  return problems;
}

inline std::vector<ClusteringSet> setsOf(Device& device, const std::vector<HostProblem>& problems) {
  std::vector<ClusteringSet> sets;
  sets.reserve(problems.size());
  for (const HostProblem& host : problems)
    sets.emplace_back(device, host.problem, host.points, host.centroids);
  return sets;
}

/// What is wrong with a set's results, against single iterations on another device of the same backend;
/// nothing: nothing is. order: of the simulator's lanes, on which the last bits of sums by atomics depend.
inline std::string wrongOf(const ClusteringSet& set, const HostProblem& host, const SetStages& stages,
                           const SetParams& params, Backend backend, const simt::Schedule& order) {
  const Found found = findDevice(backend);
  if (auto* simulator = dynamic_cast<simt::SimtDevice*>(found.device.get())) simulator->setSchedule(order);
  Plan plan;
  plan.classify = stages.classify;
  plan.reduce = stages.reduce;
  plan.fused = stages.fused;
  plan.update = stages.update;
  Rig rig(*found.device, host, plan);
  int needed = 0;
  IterationResult right;
  for (int i = 1; i <= params.most && (needed == 0 || i <= needed + params.late); ++i) {
    right = rig.single();
    if (needed == 0 && !right.anyChanged) needed = i;
  }
  const auto numbers = [](int a, int b) { return std::to_string(a) + ", not " + std::to_string(b); };
  if (set.needed != needed) return "needed: " + numbers(set.needed, needed);
  if (set.iterations != right.iteration) return "done: " + numbers(set.iterations, right.iteration);
  if (set.centroids() != right.centroids) return "centroids";
  if (set.sizes() != right.sizes) return "sizes";
  if (set.labels() != rig.labels()) return "labels";
  return {};
}

} // namespace lloyd::test
