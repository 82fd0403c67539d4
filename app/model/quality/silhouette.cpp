// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/silhouette.hpp"

#include "app/data/parallel_ranges.hpp"
#include "app/model/quality/cluster_order.hpp"
#include "app/model/quality/distance_sums.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

constexpr std::size_t leastSampled = 256;
constexpr std::size_t perRange = 4'000'000; ///< differences between two looks at whether it is cancelled

/// Points as they are held against each other: cluster after cluster.
struct Sorted {
  std::size_t n = 0;
  int d = 0;
  std::vector<float> values; ///< [d][n]
  std::vector<int> clusters; ///< [n]
};

Sorted sortedBy(const ClusterOrder& order, std::span<const std::uint32_t> rows, const PointSet& points) {
  Sorted sorted{.n = rows.size(), .d = points.d, .values = {}, .clusters = {}};
  sorted.values.reserve(sorted.n * static_cast<std::size_t>(points.d));
  for (int j = 0; j < points.d; ++j)
    for (const std::uint32_t at : order.points)
      sorted.values.push_back(points.row(j)[rows[at]]);
  sorted.clusters.reserve(sorted.n);
  for (int cluster = 0; cluster < order.k(); ++cluster)
    sorted.clusters.insert(sorted.clusters.end(), order.size(cluster), cluster);
  return sorted;
}

/// From the sums of distances to every cluster.
double valueOf(const ClusterOrder& order, int own, const double* sums, std::size_t step) {
  if (order.size(own) < 2) return 0;
  const double a = sums[static_cast<std::size_t>(own) * step] / static_cast<double>(order.size(own) - 1);
  double b = std::numeric_limits<double>::infinity();
  for (int cluster = 0; cluster < order.k(); ++cluster)
    if (cluster != own && order.size(cluster) > 0)
      b = std::min(b,
                   sums[static_cast<std::size_t>(cluster) * step] / static_cast<double>(order.size(cluster)));
  const double larger = std::max(a, b);
  return larger > 0 ? (b - a) / larger : 0;
}

/// The values of the sorted points begin to end - 1.
void valuesOf(const Sorted& sorted, const ClusterOrder& order, std::size_t begin, std::size_t end,
              double* values) {
  const auto d = static_cast<std::size_t>(sorted.d);
  const auto k = static_cast<std::size_t>(order.k());
  std::vector<double> from(distanceGroup * d);
  std::vector<double> sums(distanceGroup * k);
  for (std::size_t first = begin; first < end; first += distanceGroup) {
    // The last group is filled up with its last point.
    for (std::size_t p = 0; p < distanceGroup; ++p)
      for (std::size_t j = 0; j < d; ++j)
        from[p * d + j] = static_cast<double>(sorted.values[j * sorted.n + std::min(first + p, end - 1)]);
    std::ranges::fill(sums, 0.0);
    for (std::size_t c = 0; c < k; ++c)
      addDistances(sorted.values.data(), sorted.n, sorted.d, from.data(), order.begins[c],
                   order.begins[c + 1], sums.data() + c * distanceGroup);
    for (std::size_t p = 0; p < distanceGroup && first + p < end; ++p)
      values[first + p] = valueOf(order, sorted.clusters[first + p], sums.data() + p, distanceGroup);
  }
}

/// What the values come to, added in one order whatever the threads did.
Silhouette summary(const std::vector<double>& values, const ClusterOrder& order, std::size_t points) {
  Silhouette found{.sampled = values.size(), .points = points, .clusters = {}};
  double all = 0;
  for (int cluster = 0; cluster < order.k(); ++cluster) {
    const auto at = static_cast<std::size_t>(cluster);
    double sum = 0;
    for (std::size_t i = order.begins[at]; i < order.begins[at + 1]; ++i)
      sum += values[i];
    all += sum;
    found.clusters.push_back(sum / static_cast<double>(order.size(cluster))); // NaN without points
  }
  const auto count = static_cast<double>(values.size());
  found.mean = all / count;
  if (found.exact()) return found;
  double squares = 0;
  for (const double value : values)
    squares += (value - found.mean) * (value - found.mean);
  const double seen = count / static_cast<double>(points);
  found.error = std::sqrt(squares / (count - 1) / count * (1 - seen));
  return found;
}

} // namespace

std::size_t SilhouetteBudget::pointsOf(std::size_t n, int d) const {
  constexpr int least = 4; ///< differences that a pair counts for
  const auto most = static_cast<std::size_t>(std::sqrt(differences / std::max(d, least)));
  return std::min(n, std::max(most, leastSampled));
}

std::vector<std::uint32_t> sampleRows(std::size_t n, std::size_t sampled, std::uint64_t seed,
                                      const ReadControl& control) {
  std::vector<std::uint32_t> rows;
  rows.reserve(std::min(n, sampled));
  // Each row is taken with the chance that makes all sets of rows alike (Knuth's algorithm S).
  forEachPoint(n, control, [&](std::size_t i) {
    if (rows.size() < sampled && randomBits(seed, 1, i) % (n - i) < sampled - rows.size())
      rows.push_back(static_cast<std::uint32_t>(i));
  });
  return rows;
}

std::optional<Silhouette> silhouetteOf(const PointSet& points, std::span<const Label> labels, int k,
                                       const SilhouetteBudget& budget, const ReadControl& control) {
  const std::vector<std::uint32_t> rows =
      sampleRows(points.n, budget.pointsOf(points.n, points.d), budget.seed, control);
  std::vector<Label> theirs;
  theirs.reserve(rows.size());
  for (const std::uint32_t row : rows)
    theirs.push_back(labels[row]);
  const ClusterOrder order(theirs, k);
  if (!order.comparable()) return std::nullopt;
  const Sorted sorted = sortedBy(order, rows, points);
  std::vector<double> values(sorted.n);
  // A range holds whole groups.
  const std::size_t groups = (sorted.n + distanceGroup - 1) / distanceGroup;
  const std::size_t perGroup = distanceGroup * sorted.n * static_cast<std::size_t>(points.d);
  const bool whole = parallelRanges(
      groups, control,
      [&](std::size_t begin, std::size_t end) {
        valuesOf(sorted, order, begin * distanceGroup, std::min(end * distanceGroup, sorted.n),
                 values.data());
      },
      std::max<std::size_t>(1, perRange / perGroup));
  if (!whole) throw Cancelled();
  return summary(values, order, points.n);
}

} // namespace lloyd
