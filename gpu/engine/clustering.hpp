// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/motion.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// What one iteration found. labels, inertia and sizes belong to usedCentroids; centroids come after the
/// update.
struct IterationResult {
  int iteration = 0; ///< 1 for the first
  std::optional<std::uint64_t>
      changed; ///< points whose label changed (all in the first); none where a variant has only a flag
  bool anyChanged = true;
  double shift = 0; ///< largest distance a centroid moved in the update
  std::optional<double> inertia;
  std::uint32_t emptyClusters = 0;
  std::vector<float> usedCentroids; ///< [k][d]
  std::vector<float> centroids;     ///< [k][d]
  std::vector<std::uint32_t> sizes; ///< [k]
  std::uint64_t hostBytes = 0;      ///< that crossed between host and device for it
  StageTimes times;
};

/// Moving points' next positions, when they move.
struct Step {
  Motion* motion = nullptr;
  std::span<const float> shifts;
};

/// One k-means problem on one device: the centroids, the accumulators and the iteration itself. Does not own
/// the points. The device must outlive it; one thread at a time. After a DeviceError the last complete
/// centroids are still there.
class Clustering {
public:
  Clustering(Device& device, const Problem& problem);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Starts again from these centroids, host [k][d]: the next iteration is the first.
  void setCentroids(std::span<const float> centroids);
  /// Replaces one centroid, host [d], and goes on counting.
  void moveCentroid(int cluster, std::span<const float> position);
  [[nodiscard]] const std::vector<float>& centroids() const { return centroids_; }
  [[nodiscard]] int iterations() const { return iterations_; }

  /// One Lloyd iteration: (move,) classify, reduce, update, and the inertia of the labels just written when
  /// asked for.
  IterationResult iterate(const Plan& plan, const PointMemory& memory, bool inertia, const Step& step = {});
  /// Classifies once more without an update, so that labels, sizes and inertia belong to centroids().
  IterationResult finish(const Plan& plan, const PointMemory& memory);

private:
  void classify(const Plan& plan, const PointMemory& memory);
  void addInertia(const PointMemory& memory);
  void makeRecords(const PointMemory& memory);
  [[nodiscard]] PointView view(const Variant& variant, const PointMemory& memory) const;
  void timed(Stage stage, const std::function<void()>& work);
  /// Waits for the device and fills in what classify and inertia left there: times, sizes, inertia.
  std::vector<std::byte> readBlock(IterationResult& result);

  Device& device_;
  Problem problem_;
  Buffer<float> front_; ///< the centroids to classify with
  Buffer<float> back_;  ///< where the update writes
  /// changed, outcome, inertia, counts and sums in one block, so that one fill clears and one copy reads
  /// them.
  Buffer<std::byte> block_;
  Buffer<float> records_; ///< the points as records, for variants that want them
  const float* recordsOf_ = nullptr;
  std::vector<float> centroids_;
  int iterations_ = 0;
  std::vector<Stage> timed_; ///< in order; stage i lies between events 2 i and 2 i + 1
  std::vector<std::unique_ptr<Event>> events_;
};

} // namespace lloyd
