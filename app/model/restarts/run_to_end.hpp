// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace lloyd {

/// A run from the first centroids of its settings, to its end or as far as they let it go.
struct EndedRun {
  int iterations = 0;
  bool converged = false;
  IterationResult result; ///< labels, sizes and inertia belong to the centroids; without times
  std::vector<Label> labels;
  std::vector<IterationStats> history; ///< of every iteration, where they were asked for
};

/// Gives a runner points of its own, apart from what a session draws, on such a device; cancel, which must
/// outlive it, ends what it does. Throws what the runner throws.
void setUp(KMeansRunner& runner, BackendRequest backend, const SharedPointSet& points,
           const std::atomic<bool>& cancel);

/// What a run keeps of the iterations on its way. Their inertia takes a pass over the points each.
enum class OnTheWay { forgotten, kept };

/// With a runner that was set up. Throws what the runner throws.
[[nodiscard]] EndedRun runToItsEnd(KMeansRunner& runner, const Settings& settings,
                                   OnTheWay onTheWay = OnTheWay::forgotten);

/// A run that was made beside a session's and may be taken over.
struct KRun {
  int k = 0;
  std::uint64_t seed = 1;
  int iterations = 0;
  bool converged = false;
  IterationResult result;              ///< labels, sizes and inertia belong to the centroids; without times
  std::vector<IterationStats> history; ///< of every iteration, where they were kept

  [[nodiscard]] double inertia() const { return result.inertia.value_or(0); }
};
using KRunPtr = std::shared_ptr<const KRun>;

[[nodiscard]] KRunPtr keptRun(const Settings& settings, EndedRun&& run);

class Session;
/// The session goes on from the run, whose data are its own: with its k and its seed, so that beginning anew
/// leads to it again.
void adopt(Session& session, const KRun& run);

} // namespace lloyd
