// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/data/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// How much is spent on a silhouette, whose work grows with the square of the points.
struct SilhouetteBudget {
  /// Differences of coordinates: a pair of points takes one a column, and never less than four, because the
  /// square root of a distance takes as long. Where all points need more, so many are drawn that they keep to
  /// it.
  double differences = 2e9;
  std::uint64_t seed = 1; ///< of the draw

  /// How many of n points of d columns are held against each other.
  [[nodiscard]] std::size_t pointsOf(std::size_t n, int d) const;
};

/// How well points lie in their clusters: of a point, a is its mean distance to the others of its cluster and
/// b that to the nearest other cluster, and its value is (b - a) / max(a, b), from -1 to 1. A point alone in
/// its cluster has 0, as one that shares its place with both clusters has.
struct Silhouette {
  double mean = 0;
  /// Standard error of the mean, because only a sample was looked at; 0 where all points were.
  double error = 0;
  std::size_t sampled = 0; ///< points that were held against each other, and no others
  std::size_t points = 0;  ///< of so many
  /// [k]; NaN for a cluster without points in the sample.
  std::vector<double> clusters;

  [[nodiscard]] bool exact() const { return sampled == points; }
};

/// The rows of a sample without repetition, ascending; all rows where there are no more. Throws Cancelled.
[[nodiscard]] std::vector<std::uint32_t> sampleRows(std::size_t n, std::size_t sampled, std::uint64_t seed,
                                                    const ReadControl& control = {});

/// The silhouette of points that stand still, labelled 0 to k - 1, in double precision on all of oneTBB's
/// threads. Nothing where there are not two clusters at least, and fewer than points, in what is looked at.
/// Throws Cancelled within 100 ms.
[[nodiscard]] std::optional<Silhouette> silhouetteOf(const PointSet& points, std::span<const Label> labels,
                                                     int k, const SilhouetteBudget& budget = {},
                                                     const ReadControl& control = {});

} // namespace lloyd
