// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/reference.hpp"

#include "gpu/core/contract/error.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <sstream>

namespace lloyd::reference {
namespace {

std::size_t dimensions(const Problem& problem) { return static_cast<std::size_t>(problem.d); }
std::size_t clusters(const Problem& problem) { return static_cast<std::size_t>(problem.k); }

/// Points whose distances to one centroid are added up side by side: as many sums as registers hold.
constexpr std::size_t blockPoints = 16;
/// Points that one thread takes in turn.
constexpr std::size_t partPoints = std::size_t{1} << 12;

std::size_t partsOf(const Problem& problem) { return (problem.n + partPoints - 1) / partPoints; }

void throwIf(const std::atomic<bool>* cancel) {
  if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled();
}

/// Calls work(i) for every i below count, on all cores in any order. Throws Cancelled.
void inParallel(std::size_t count, const std::atomic<bool>* cancel, const auto& work) {
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          throwIf(cancel);
          work(i);
        }
      },
      oneapi::tbb::simple_partitioner());
}

using Block = std::array<double, blockPoints>;

/// The coordinates of the block's points, a Block a dimension; a last block that is not full repeats its last
/// point. So much of [d][n] as one point has would be one value from each of d far places.
void gather(const Problem& problem, std::span<const float> points, std::size_t first,
            std::span<Block> block) {
  const std::size_t last = std::min(blockPoints, problem.n - first) - 1;
  for (std::size_t j = 0; j < block.size(); ++j)
    for (std::size_t p = 0; p < blockPoints; ++p)
      block[j][p] = static_cast<double>(points[j * problem.n + first + std::min(p, last)]);
}

/// squaredDistance() of every point of the block.
Block squaredDistances(std::span<const Block> block, const double* centroid) {
  Block sums{};
  for (std::size_t j = 0; j < block.size(); ++j)
    for (std::size_t p = 0; p < blockPoints; ++p) {
      const double difference = block[j][p] - centroid[j];
      sums[p] += difference * difference;
    }
  return sums;
}

std::array<Label, blockPoints> nearestOf(const Problem& problem, std::span<const Block> block,
                                         std::span<const double> centroids) {
  Block best;
  best.fill(std::numeric_limits<double>::infinity());
  std::array<Label, blockPoints> nearest{};
  for (std::size_t cluster = 0; cluster < clusters(problem); ++cluster) {
    const Block distances = squaredDistances(block, centroids.data() + cluster * dimensions(problem));
    for (std::size_t p = 0; p < blockPoints; ++p) {
      if (!(distances[p] < best[p])) continue;
      best[p] = distances[p];
      nearest[p] = static_cast<Label>(cluster);
    }
  }
  return nearest;
}

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
                            std::span<const double> centroids, const std::atomic<bool>* cancel) {
  std::vector<Label> labels(problem.n, 0);
  inParallel(partsOf(problem), cancel, [&](std::size_t part) {
    std::vector<Block> block(dimensions(problem));
    const std::size_t end = std::min(problem.n, (part + 1) * partPoints);
    for (std::size_t first = part * partPoints; first < end; first += blockPoints) {
      throwIf(cancel);
      gather(problem, points, first, block);
      const auto nearest = nearestOf(problem, block, centroids);
      std::copy_n(nearest.begin(), std::min(blockPoints, end - first), labels.data() + first);
    }
  });
  return labels;
}

/// A dimension is one thread's, so that a sum takes its points in their order however many threads there are.
Reduction reduce(const Problem& problem, std::span<const float> points, std::span<const Label> labels,
                 std::span<const double> pivots, const std::atomic<bool>* cancel) {
  const std::size_t d = dimensions(problem);
  const std::size_t k = clusters(problem);
  Reduction result{std::vector<double>(k * d), std::vector<std::uint32_t>(k)};
  inParallel(d + 1, cancel, [&](std::size_t j) {
    if (j == d) {
      for (std::size_t i = 0; i < problem.n; ++i)
        ++result.counts[static_cast<std::size_t>(labels[i])];
      return;
    }
    std::vector<double> sums(k);
    std::vector<double> pivot(k);
    for (std::size_t cluster = 0; cluster < k; ++cluster)
      pivot[cluster] = pivots[cluster * d + j];
    const float* row = points.data() + j * problem.n;
    for (std::size_t i = 0; i < problem.n; ++i) {
      if (i % partPoints == 0) throwIf(cancel);
      const auto cluster = static_cast<std::size_t>(labels[i]);
      sums[cluster] += static_cast<double>(row[i]) - pivot[cluster];
    }
    for (std::size_t cluster = 0; cluster < k; ++cluster)
      result.sums[cluster * d + j] = sums[cluster];
  });
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
               std::span<const Label> labels, const std::atomic<bool>* cancel) {
  std::vector<double> parts(partsOf(problem));
  inParallel(parts.size(), cancel, [&](std::size_t part) {
    const std::size_t begin = part * partPoints;
    const std::size_t end = std::min(problem.n, begin + partPoints);
    for (std::size_t j = 0; j < dimensions(problem); ++j)
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t at = static_cast<std::size_t>(labels[i]) * dimensions(problem) + j;
        const double difference = static_cast<double>(points[j * problem.n + i]) - centroids[at];
        parts[part] += difference * difference;
      }
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

std::vector<double> asDoubles(std::span<const float> values) { return {values.begin(), values.end()}; }

namespace {

bool isUnwritten(Label label) {
  Label unwritten;
  std::memset(&unwritten, unwrittenByte, sizeof unwritten);
  return label == unwritten;
}

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
  if (std::isnan(value)) return "nan"; // whatever its sign
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
      if (isUnwritten(labels[i]))
        return "point " + std::to_string(i) + " has no label: nothing was written there; expected " +
               std::to_string(wanted);
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
  const std::size_t d = dimensions(problem);
  std::vector<double> widths(d, 0.0);
  inParallel(d, nullptr, [&](std::size_t j) {
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
  });
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
