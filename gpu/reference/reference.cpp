// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace lloyd::reference {
namespace {

std::size_t dimensions(const Problem& problem) { return static_cast<std::size_t>(problem.d); }
std::size_t clusters(const Problem& problem) { return static_cast<std::size_t>(problem.k); }

} // namespace

double squaredDistance(const Problem& problem, std::span<const float> points, std::size_t point,
                       std::span<const double> centroids, std::size_t cluster) {
  const std::size_t d = dimensions(problem);
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double difference = static_cast<double>(points[j * problem.n + point]) - centroids[cluster * d + j];
    sum += difference * difference;
  }
  return sum;
}

std::vector<Label> classify(const Problem& problem, std::span<const float> points,
                            std::span<const double> centroids) {
  std::vector<Label> labels(problem.n, 0);
  for (std::size_t i = 0; i < problem.n; ++i) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t cluster = 0; cluster < clusters(problem); ++cluster) {
      const double distance = squaredDistance(problem, points, i, centroids, cluster);
      if (!(distance < best)) continue;
      best = distance;
      labels[i] = static_cast<Label>(cluster);
    }
  }
  return labels;
}

Reduction reduce(const Problem& problem, std::span<const float> points, std::span<const Label> labels,
                 std::span<const double> pivots) {
  const std::size_t d = dimensions(problem);
  Reduction result{std::vector<double>(problem.centroidValues()),
                   std::vector<std::uint32_t>(clusters(problem))};
  for (std::size_t i = 0; i < problem.n; ++i) {
    const auto cluster = static_cast<std::size_t>(labels[i]);
    ++result.counts[cluster];
    for (std::size_t j = 0; j < d; ++j)
      result.sums[cluster * d + j] +=
          static_cast<double>(points[j * problem.n + i]) - pivots[cluster * d + j];
  }
  return result;
}

Update update(const Problem& problem, const Reduction& reduction, std::span<const double> oldCentroids) {
  const std::size_t d = dimensions(problem);
  Update result;
  result.centroids.assign(oldCentroids.begin(), oldCentroids.end());
  for (std::size_t cluster = 0; cluster < clusters(problem); ++cluster) {
    if (reduction.counts[cluster] == 0) {
      ++result.emptyClusters;
      continue;
    }
    double square = 0;
    for (std::size_t at = cluster * d; at < (cluster + 1) * d; ++at) {
      const double step = reduction.sums[at] / reduction.counts[cluster];
      result.centroids[at] += step;
      square += step * step;
    }
    result.shift = std::max(result.shift, std::sqrt(square));
  }
  return result;
}

double inertia(const Problem& problem, std::span<const float> points, std::span<const double> centroids,
               std::span<const Label> labels) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.n; ++i)
    sum += squaredDistance(problem, points, i, centroids, static_cast<std::size_t>(labels[i]));
  return sum;
}

std::vector<double> asDoubles(std::span<const float> values) { return {values.begin(), values.end()}; }

namespace {

constexpr double rangeTolerance = 1e-5;
constexpr double oneRounding = 0x1p-24; // half a unit in the last place, relative

/// difference over allowed; 0 for an exact result even where nothing is allowed.
double relative(double difference, double allowed) {
  return difference == 0 ? 0 : std::abs(difference) / allowed;
}

std::string place(std::size_t at, std::size_t d) {
  return "cluster " + std::to_string(at / d) + ", dimension " + std::to_string(at % d);
}

} // namespace

void Comparison::append(const Comparison& other) {
  if (!(other.error <= error)) error = other.error;
  if (wrong == 0) firstFailure = other.firstFailure;
  wrong += other.wrong;
}

std::string describe(double value) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(9);
  text << value;
  return text.str();
}

double tieTolerance(int d) { return (d + 4) * 0x1p-23; }

Comparison compareLabels(const Problem& problem, std::span<const float> points,
                         std::span<const double> centroids, std::span<const Label> labels,
                         std::span<const Label> expected) {
  Comparison result;
  for (std::size_t i = 0; i < problem.n; ++i) {
    if (labels[i] == expected[i]) continue;
    const bool inRange = labels[i] >= 0 && labels[i] < problem.k;
    const auto wanted = static_cast<std::size_t>(expected[i]);
    const double best = squaredDistance(problem, points, i, centroids, wanted);
    const double found =
        inRange ? squaredDistance(problem, points, i, centroids, static_cast<std::size_t>(labels[i])) : NAN;
    // Two equally near centroids: the lower index is right, unless rounding to float parted them.
    result.take(relative(found - best, tieTolerance(problem.d) * std::max(found, best)), [&] {
      const std::string start = "point " + std::to_string(i) + " has label " + std::to_string(labels[i]);
      if (!inRange) return start + ", which no cluster has; expected " + std::to_string(wanted);
      return start + " at squared distance " + describe(found) + ", but cluster " + std::to_string(wanted) +
             " is nearer at " + describe(best);
    });
  }
  return result;
}

std::vector<double> ranges(const Problem& problem, std::span<const float> points,
                           std::span<const double> centroids) {
  const auto d = static_cast<std::size_t>(problem.d);
  std::vector<double> widths(d, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    double low = centroids[j];
    double high = centroids[j];
    for (std::size_t at = j; at < centroids.size(); at += d) {
      low = std::min(low, centroids[at]);
      high = std::max(high, centroids[at]);
    }
    for (const float x : points.subspan(j * problem.n, problem.n)) {
      low = std::min(low, static_cast<double>(x));
      high = std::max(high, static_cast<double>(x));
    }
    widths[j] = high - low;
  }
  return widths;
}

Comparison compareSums(const Problem& problem, std::span<const double> ranges, std::span<const double> sums,
                       std::span<const std::uint32_t> counts, std::span<const double> expectedSums,
                       std::span<const std::uint32_t> expectedCounts) {
  const auto d = static_cast<std::size_t>(problem.d);
  Comparison result;
  for (std::size_t cluster = 0; cluster < expectedCounts.size(); ++cluster) {
    const std::uint32_t count = expectedCounts[cluster];
    result.require(counts[cluster] == count, [&] {
      return "cluster " + std::to_string(cluster) + " counts " + std::to_string(counts[cluster]) +
             " points, expected " + std::to_string(count);
    });
    for (std::size_t at = cluster * d; at < (cluster + 1) * d; ++at) {
      const double mean = count > 0 ? expectedSums[at] / count : 0;
      const double found = count > 0 ? sums[at] / count : sums[at];
      const double allowed = rangeTolerance * ranges[at % d] + oneRounding * std::abs(mean);
      result.take(relative(found - mean, count > 0 ? allowed : 0), [&] {
        return place(at, d) + ": the mean deviation is " + describe(found) + ", expected " + describe(mean) +
               " within " + describe(allowed);
      });
    }
  }
  return result;
}

Comparison compareCentroids(const Problem& problem, std::span<const double> ranges,
                            std::span<const float> centroids, std::span<const double> expected) {
  const auto d = static_cast<std::size_t>(problem.d);
  Comparison result;
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const double allowed = rangeTolerance * ranges[at % d] + oneRounding * std::abs(expected[at]);
    const auto found = static_cast<double>(centroids[at]);
    result.take(relative(found - expected[at], allowed), [&] {
      return place(at, d) + ": the centroid is at " + describe(found) + ", expected " +
             describe(expected[at]) + " within " + describe(allowed);
    });
  }
  return result;
}

} // namespace lloyd::reference
