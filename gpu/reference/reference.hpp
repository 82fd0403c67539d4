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

/// [n], the lowest index among the nearest.
[[nodiscard]] std::vector<Label> classify(const Problem& problem, std::span<const float> points,
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

[[nodiscard]] std::vector<double> asDoubles(std::span<const float> values);

} // namespace lloyd::reference
