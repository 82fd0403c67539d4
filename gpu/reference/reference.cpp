// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

} // namespace lloyd::reference
