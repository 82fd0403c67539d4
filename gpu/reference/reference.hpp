// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

/// k-means in double precision, as Lloyd (1982) wrote it: what every faster way is held against. All cores
/// work, and each number is added up in one fixed order, so that results are the same bits on any number of
/// them. Points are host memory, [d][n] without padding; centroids are [k][d]. Where a function takes a
/// cancel flag, it throws Cancelled within some milliseconds of its being set.
namespace lloyd::reference {

[[nodiscard]] double squaredDistance(const Problem& problem, std::span<const float> points, std::size_t point,
                                     std::span<const double> centroids, std::size_t cluster);

/// [n], the lowest index among the nearest.
[[nodiscard]] std::vector<Label> classify(const Problem& problem, std::span<const float> points,
                                          std::span<const double> centroids,
                                          const std::atomic<bool>* cancel = nullptr);

/// Sums of deviations from pivots, as ReduceArgs defines them.
struct Reduction {
  std::vector<double> sums; ///< [k][d]
  std::vector<std::uint32_t> counts;
};
[[nodiscard]] Reduction reduce(const Problem& problem, std::span<const float> points,
                               std::span<const Label> labels, std::span<const double> pivots,
                               const std::atomic<bool>* cancel = nullptr);

struct Update {
  std::vector<double> centroids; ///< [k][d]; an empty cluster keeps its old centre
  double shift = 0;              ///< largest distance a centroid moved
  std::uint32_t emptyClusters = 0;
};
[[nodiscard]] Update update(const Problem& problem, const Reduction& reduction,
                            std::span<const double> oldCentroids);

/// Sum of squared distances to the assigned centroids.
[[nodiscard]] double inertia(const Problem& problem, std::span<const float> points,
                             std::span<const double> centroids, std::span<const Label> labels,
                             const std::atomic<bool>* cancel = nullptr);

[[nodiscard]] std::vector<double> asDoubles(std::span<const float> values);

// What counts as the same result as the double-precision one. Every comparison is written so that NaN fails
// it.
/// The outcome of one comparison. error is relative to what is allowed: at most 1 passes; infinite for NaN.
struct Comparison {
  double error = 0;
  std::size_t wrong = 0;    ///< values outside the tolerance
  std::string firstFailure; ///< in words; empty when all is well

  [[nodiscard]] bool ok() const { return wrong == 0; }
  /// Takes one value's error in; describe() makes the words, and is called for the first failure only.
  void take(double relativeError, const auto& describe) {
    if (!(relativeError <= error))
      error = relativeError >= 0 ? relativeError : std::numeric_limits<double>::infinity();
    if (relativeError <= 1) return;
    if (wrong++ == 0) firstFailure = describe();
  }
  /// A plain yes or no, for what has no tolerance.
  void require(bool holds, const auto& describe) {
    take(holds ? 0.0 : std::numeric_limits<double>::infinity(), describe);
  }
  void append(const Comparison& other);
};

/// What checks fill memory with that a kernel is to write.
inline constexpr unsigned char unwrittenByte = 0xa5;

/// Relative difference of two squared distances within which either label is right: (d + 4) 2^-23.
[[nodiscard]] double tieTolerance(int d);

/// Every label must be in range and name a nearest centroid, or one whose distance ties with it within
/// tieTolerance().
[[nodiscard]] Comparison compareLabels(const Problem& problem, std::span<const float> points,
                                       std::span<const double> centroids, std::span<const Label> labels,
                                       std::span<const Label> expected);

/// The width of each dimension: of all points, and of the centroids with them, since sums are deviations from
/// those.
[[nodiscard]] std::vector<double> ranges(const Problem& problem, std::span<const float> points,
                                         std::span<const double> centroids);

/// Counts exactly; sums, seen as means, within 1e-5 of the dimension's range plus one rounding.
[[nodiscard]] Comparison compareSums(const Problem& problem, std::span<const double> ranges,
                                     std::span<const double> sums, std::span<const std::uint32_t> counts,
                                     std::span<const double> expectedSums,
                                     std::span<const std::uint32_t> expectedCounts);

/// Centroids within 1e-5 of the dimension's range plus one rounding to float.
[[nodiscard]] Comparison compareCentroids(const Problem& problem, std::span<const double> ranges,
                                          std::span<const float> centroids, std::span<const double> expected);

/// A number in words, with the digits that tell floats apart.
[[nodiscard]] std::string describe(double value);

} // namespace lloyd::reference
