// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "gpu/core/data/problem.hpp"

#include <atomic>
#include <vector>

namespace lloyd {

/// The points and centroids with which cards are measured: uniform points and the first centroids of a run,
/// seed 1, as "trace" makes them when nothing is said.
struct ReferenceProblem {
  SharedPointSet points;
  std::vector<float> centroids; ///< [k][d]
};

/// Throws RequestError, Cancelled. Any thread.
[[nodiscard]] ReferenceProblem referenceProblem(const Problem& problem, const std::atomic<bool>* cancel);

} // namespace lloyd
