// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"

#include <vector>

namespace lloyd {

/// A run from the first centroids of its settings, to its end or as far as they let it go.
struct EndedRun {
  int iterations = 0;
  bool converged = false;
  IterationResult result; ///< labels, sizes and inertia belong to the centroids; without times
  std::vector<Label> labels;
};

/// With the runner's private points. Throws what the runner throws.
[[nodiscard]] EndedRun runToItsEnd(KMeansRunner& runner, const Settings& settings);

} // namespace lloyd
