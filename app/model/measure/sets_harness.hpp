// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/core/timeline/timeline.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// Schedules of sets on one problem: several sets of the same points and centroids, each with host and device
/// memory of its own, as the Scheduling article has them. A schedule's sets are made when it is first asked
/// for. The device and the points must outlive it; one thread at a time.
class SetsHarness {
public:
  /// The article's number of sets, and the iterations that its versions with several streams give each. All
  /// schedules do all of them, needed or not: a time of an iteration is that of one that was done.
  static constexpr std::size_t sets = 4;
  static constexpr int iterations = 7;
  static constexpr std::uint32_t allIterations = sets * iterations;

  /// centroids: [k][d], from which every set starts.
  SetsHarness(Device& device, const PointSet& points, const Problem& problem, std::vector<float> centroids);

  /// Which variants an iteration is made of; forgets what was prepared with others.
  void use(const SetStages& stages);
  /// Why the schedule cannot run here, too little memory for the sets among it; nothing when it can.
  [[nodiscard]] Reason whyNot(const Variant& schedule, const Tuning& tuning) const;
  /// Makes what a run needs, and runs once. Throws DeviceError.
  void prepare(const Variant& schedule, const Tuning& tuning);
  void run(const Variant& schedule, const Tuning& tuning);
  /// What the time of one iteration is made of, and what flags that are looked at late save; of runs that are
  /// prepared for that.
  [[nodiscard]] std::string noteOn(const Variant& schedule, const Tuning& tuning);
  /// One iteration of every set, for a caller that knows what it must have found.
  [[nodiscard]] std::vector<ClusteringSet> iterateOnce(const Variant& schedule, const Tuning& tuning);
  /// One run, recorded, with sets and memory of its own; gives back what was prepared. Throws DeviceError.
  [[nodiscard]] Timeline record(const Variant& schedule, const Tuning& tuning);
  /// Gives back what was prepared.
  void clear() { runs_.clear(); }

private:
  struct Run {
    const Variant* schedule = nullptr;
    Tuning tuning;
    std::vector<ClusteringSet> sets;
    std::unique_ptr<SetRun> run; ///< ends before its sets do
  };
  /// Those of use(), or the one pass that a schedule has.
  [[nodiscard]] SetStages stagesFor(const Variant& schedule) const;
  [[nodiscard]] const Run* find(const Variant& schedule, const Tuning& tuning) const;
  /// Of a whole run on the host's clock, the median of a few.
  [[nodiscard]] double usOf(const Variant& schedule, const Tuning& tuning);
  [[nodiscard]] std::string waitingText(const Variant& schedule, const Tuning& tuning);
  [[nodiscard]] std::vector<ClusteringSet> makeSets(const Variant& schedule) const;

  Device& device_;
  const PointSet& points_;
  Problem problem_;
  std::vector<float> centroids_;
  SetStages stages_;
  std::vector<std::unique_ptr<Run>> runs_;
};

} // namespace lloyd
