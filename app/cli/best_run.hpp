// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/messages.hpp"
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/timeline/named_timeline.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lloyd {

/// One set that 'run' is to cluster: a file's points in one number of clusters.
struct RunSubject {
  LoadedPoints points;
  RunReport begun; ///< what its runs have in common, with the settings and the points

  /// Throws RequestError where they are not to be had together. After it the runner has the points.
  void giveTo(KMeansRunner& runner) const;
};

/// A run to its end, with the labels of its points.
struct FinishedRun {
  RunReport report;
  std::vector<Label> labels;

  [[nodiscard]] double inertia() const { return report.result.inertia.value_or(0); }
};

/// Which runs of a subject are judged by how their clusters lie.
enum class ScoredRuns { none, best, all };

/// How each subject is run.
struct RunOrder {
  std::uint64_t restarts = 1; ///< by so many seeds, from that of the settings on
  ScoredRuns scores = ScoredRuns::none;
  bool labels = false;                 ///< somebody wants them, for which there may not be memory
  NamedTimelines* timelines = nullptr; ///< gets a record of the sets that run at once first; null for none
};

/// The best run of a subject that the runner has: the one of the least inertia, and of equal ones the first.
[[nodiscard]] FinishedRun bestRun(const RunSubject& subject, const RunOrder& order, KMeansRunner& runner,
                                  Messages& messages);
/// The same of every subject, whose plans name a schedule of sets: all runs of all of them are its sets.
[[nodiscard]] std::vector<FinishedRun> bestSets(const std::vector<RunSubject>& subjects,
                                                const RunOrder& order, KMeansRunner& runner,
                                                Messages& messages);

} // namespace lloyd
