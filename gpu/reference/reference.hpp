// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// k-means in double precision, one thread, as Lloyd (1982) wrote it: what every faster way is held against.
/// Points are host memory, [d][n] without padding; centroids are [k][d].
namespace lloyd::reference {

[[nodiscard]] double squaredDistance(const Problem& problem, std::span<const float> points, std::size_t point,
                                     std::span<const double> centroids, std::size_t cluster);

struct Classification {
  std::vector<Label> labels;  ///< [n], the lowest index among the nearest
  std::vector<double> best;   ///< [n], squared distance to the nearest centroid
  std::vector<double> second; ///< [n], to the second nearest; +infinity when k = 1
};
[[nodiscard]] Classification classify(const Problem& problem, std::span<const float> points,
                                      std::span<const double> centroids);

/// Sums of deviations from pivots, as ReduceArgs defines them.
struct Reduction {
  std::vector<double> sums; ///< [k][d]
  std::vector<std::uint32_t> counts;
};
[[nodiscard]] Reduction reduce(const Problem& problem, std::span<const float> points,
                               std::span<const Label> labels, std::span<const double> pivots);

struct Update {
  std::vector<double> centroids; ///< [k][d]; an empty cluster keeps its old centre
  double shift = 0;              ///< largest distance a centroid moved
  std::uint32_t emptyClusters = 0;
};
[[nodiscard]] Update update(const Problem& problem, const Reduction& reduction,
                            std::span<const double> oldCentroids);

/// Sum of squared distances to the assigned centroids.
[[nodiscard]] double inertia(const Problem& problem, std::span<const float> points,
                             std::span<const double> centroids, std::span<const Label> labels);

/// One line of a run's history: of this iteration's labels and the centroids they were found with.
struct Iteration {
  double inertia = 0;
  std::size_t changed = 0; ///< points whose label is new; all of them in the first iteration
  double shift = 0;
};

/// A whole run. labels, sizes and inertia belong to the final centroids. The iteration in which nothing
/// changed counts.
struct Run {
  std::vector<double> centroids;
  std::vector<Label> labels;
  std::vector<std::uint32_t> sizes;
  double inertia = 0;
  bool converged = false;
  std::vector<Iteration> history;
};

/// Iterates until no label changes, the largest shift is at most tolerance (when that is above 0), or
/// maxIterations.
[[nodiscard]] Run lloyd(const Problem& problem, std::span<const float> points,
                        std::span<const double> initialCentroids, std::size_t maxIterations,
                        double tolerance = 0);

[[nodiscard]] std::vector<double> asDoubles(std::span<const float> values);

} // namespace lloyd::reference
