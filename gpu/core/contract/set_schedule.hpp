// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lloyd {

/// One clustering of several that a schedule runs: what it starts from and what it finds, in host memory that
/// queues copy from and to. The device must outlive it.
class ClusteringSet {
public:
  /// points: [d][n]; centroids: [k][d]. Throws std::invalid_argument for other counts, and DeviceError.
  ClusteringSet(Device& device, const Problem& problem, std::span<const float> points,
                std::span<const float> centroids, HostMemory memory = HostMemory::pinned);
  /// The points of another set, which the two share, from other centroids.
  ClusteringSet(Device& device, const ClusteringSet& other, std::span<const float> centroids);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Box& box() const { return box_; } ///< unknown for no points
  [[nodiscard]] std::size_t stride() const { return rowStride(problem_.n); }

  // What the last run found; each host memory is read after the run has returned.
  [[nodiscard]] std::vector<Label> labels() const;
  [[nodiscard]] std::vector<float> centroids() const;
  [[nodiscard]] std::vector<std::uint32_t> sizes() const;
  int iterations = 0; ///< that were done, so that all the above is that of the last of them
  /// The first that changed no label, counted from 1; 0: none that was looked at. A flag that is looked at
  /// late is why more iterations were done than were needed.
  int needed = 0;
  [[nodiscard]] bool converged() const { return needed > 0; }

  // For schedules.
  std::shared_ptr<HostBuffer<float>> points; ///< [d][stride]
  HostBuffer<float> start;                   ///< [k][d]
  HostBuffer<float> foundCentroids;          ///< [k][d]
  HostBuffer<std::uint32_t> foundSizes;      ///< [k]
  HostBuffer<std::byte> foundLabels;         ///< [n], of that width
  LabelWidth width = LabelWidth::four;

private:
  ClusteringSet(Device& device, const Problem& problem, std::shared_ptr<HostBuffer<float>> rows,
                const Box& box, std::span<const float> centroids, HostMemory memory);

  Problem problem_;
  Box box_;
  HostMemory memory_;
};

/// The variants that each iteration is made of, with their tuning: either fused, or classify and reduce;
/// always update. No variant of tiles, whose points are ordered outside of queues.
struct SetStages {
  const Variant* classify = nullptr;
  const Variant* reduce = nullptr;
  const Variant* fused = nullptr;
  const Variant* update = nullptr;
  Tuning classifyTuning = {};
  Tuning reduceTuning = {};
  Tuning fusedTuning = {};

  [[nodiscard]] const Variant& labeller() const { return fused ? *fused : *classify; }
};

/// How a schedule is to run.
struct SetParams {
  static constexpr int mostStreams = 16;
  static constexpr int mostLate = 32;
  /// streams and late of a tuning in which nothing is left open.
  [[nodiscard]] static SetParams of(const Tuning& tuning, int most) {
    return {.streams = std::max(tuning.streams, 1), .late = tuning.late, .most = most};
  }

  int streams = 1; ///< queues that sets are dealt to, 1 to 16; a schedule without that parameter takes 1
  /// The host looks at an iteration's flag when so many more have been given to the queue, 0 to 32: then it
  /// need not be waited for, and so many more are done than are needed.
  int late = 0;
  int most = 100; ///< iterations of a set; at least 1
  /// Every set does most iterations, whether they are needed or not: runs of one length can be held against
  /// each other.
  bool all = false;
};

/// A schedule with all that it needs to run some sets: device memory and queues, so that a run allocates
/// nothing. The device and the sets must outlive it.
class SetRun {
public:
  SetRun() = default;
  SetRun(const SetRun&) = delete;
  SetRun& operator=(const SetRun&) = delete;
  virtual ~SetRun() = default;

  /// From the sets' starts to their results, which replace those of the run before. Throws DeviceError, and
  /// Cancelled; the sets' results are no run's then, and it can be tried again.
  virtual void run() = 0;
};

/// The reason why a schedule cannot run such a set on a device, as a whole sentence; or nothing. A schedule
/// is a variant of Stage::sets: an order of copies, kernels and waits in which whole runs of several sets are
/// done, host code over queues, and so the same on every backend.
[[nodiscard]] Reason whyNotSets(const Variant& schedule, const SetStages& stages, const Problem& problem,
                                const DeviceInfo& device, const SetParams& params);

/// Prepares to run every set until an iteration of it changes no label (unless params.all), or params.most
/// were done. What each finds is that of as many single iterations (Clustering::advance), bit for bit where
/// the variants are. Throws RequestError with the reason of whyNotSets(), and DeviceError.
[[nodiscard]] std::unique_ptr<SetRun> prepareSets(const Variant& schedule, Device& device,
                                                  const SetStages& stages, std::span<ClusteringSet> sets,
                                                  const SetParams& params);
/// Prepares, and runs once.
void runSets(const Variant& schedule, Device& device, const SetStages& stages, std::span<ClusteringSet> sets,
             const SetParams& params);

} // namespace lloyd
