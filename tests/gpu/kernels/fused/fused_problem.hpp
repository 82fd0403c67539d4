// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Problems for fused variants in host memory, and what is right about their results.
#include "gpu/core/data/problem.hpp"
#include "tests/gpu/kernels/fused/fused_scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace lloyd::test {

/// Points and centroids whose labels or sums have gone wrong somewhere.
enum class PointKind {
  uniform,
  sorted,     ///< neighbours belong to one cluster
  oneCluster, ///< all the others are far away
  nineInTen,  ///< so many belong to one cluster
  equalCentroids,
  offset, ///< a spread of 1 at 1e6
  line,   ///< no extent but along the first axis
  lattice ///< small multiples of 1/8: ties, and sums without rounding
};
inline constexpr std::array<const char*, 8> pointKindNames{
    "uniform", "sorted", "one cluster", "nine in ten", "equal centroids", "offset", "line", "lattice"};

struct HostProblem {
  Problem problem;
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
  std::vector<Label> oldLabels; ///< [n], right for about every other point
  std::vector<Label> labels;    ///< [n], by definition
  [[nodiscard]] std::size_t d() const { return static_cast<std::size_t>(problem.d); }
};

/// Finds the labels anew, for points or centroids that are others now.
inline void relabel(HostProblem& host) {
  std::vector<float> x(host.d());
  host.labels.resize(host.problem.n);
  for (std::size_t i = 0; i < host.problem.n; ++i) {
    for (std::size_t j = 0; j < host.d(); ++j)
      x[j] = host.points[j * host.problem.n + i];
    host.labels[i] = static_cast<Label>(nearestByDefinition(host.centroids, x));
  }
}

[[nodiscard]] inline HostProblem makeProblem(PointKind kind, const Problem& problem) {
  HostProblem made{.problem = problem, .points = {}, .centroids = {}, .oldLabels = {}, .labels = {}};
  const std::size_t n = problem.n;
  const auto k = static_cast<unsigned>(problem.k);
  Draw draw(n * 1000003 + std::uint64_t{k} * 17 + made.d() * 5 + static_cast<std::uint64_t>(kind));
  const auto lattice = [&] { return static_cast<float>(static_cast<int>(draw.below(129)) - 64) / 8; };
  for (unsigned c = 0; c < k; ++c) {
    for (std::size_t j = 0; j < made.d(); ++j) {
      const auto u = static_cast<float>(draw.unit());
      const float before = c > 0 ? made.centroids[(c - 1) * made.d() + j] : 0;
      made.centroids.push_back(kind == PointKind::lattice                        ? lattice()
                               : kind == PointKind::oneCluster && c > 0          ? 50 + 10 * u
                               : kind == PointKind::equalCentroids && c % 3 != 0 ? before
                               : kind == PointKind::offset                       ? 1e6f + u
                               : kind == PointKind::line && j > 0                ? 3 * u
                                                                                 : 10 * u);
    }
  }
  for (std::size_t j = 0; j < made.d(); ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto u = static_cast<float>(draw.unit());
      switch (kind) {
      case PointKind::sorted:
        made.points.push_back(10 * (static_cast<float>(i) + u) / static_cast<float>(n));
        break;
      case PointKind::nineInTen:
        made.points.push_back(i % 10 == 7 ? 10 * u : made.centroids[j] + 1e-3f * (u - 0.5f));
        break;
      case PointKind::offset:
        made.points.push_back(1e6f + u);
        break;
      case PointKind::line:
        made.points.push_back(j == 0 ? 10 * u : 1.5f);
        break;
      case PointKind::lattice:
        made.points.push_back(lattice());
        break;
      default:
        made.points.push_back(10 * u);
      }
    }
  }
  relabel(made);
  for (const Label right : made.labels)
    made.oldLabels.push_back(draw.below(2) == 0 ? right : static_cast<Label>(draw.below(k)));
  return made;
}

/// All that a fused variant writes.
struct FusedResult {
  std::vector<Label> labels;
  std::uint32_t changed = 0;
  std::vector<double> sums;
  std::vector<std::uint32_t> counts;
  bool nothingBeyond = true; ///< the bytes behind the labels are as they were
  bool operator==(const FusedResult&) const = default;
};

/// What a sum may be off by for each of its points: a millionth of the extent of points and centroids, or of
/// the box where that is wider.
[[nodiscard]] inline double allowedOf(const HostProblem& host, double boxExtent = 0) {
  const auto [lowest, highest] = std::minmax_element(host.points.begin(), host.points.end());
  const auto [least, most] = std::minmax_element(host.centroids.begin(), host.centroids.end());
  const double extent =
      static_cast<double>(std::max(*highest, *most)) - static_cast<double>(std::min(*lowest, *least));
  return 1e-6 * std::max(boxExtent, extent);
}

/// What is wrong with a result, in words; empty when all is right. Sums may be off by allowed for each point.
[[nodiscard]] inline std::string defectOf(const HostProblem& host, const FusedResult& found, double allowed) {
  if (!found.nothingBeyond) return "bytes behind the labels were written";
  std::uint32_t changed = 0;
  std::vector<double> sums(host.centroids.size());
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(host.problem.k));
  for (std::size_t i = 0; i < host.problem.n; ++i) {
    const Label right = host.labels[i];
    if (found.labels[i] != right)
      return "point " + std::to_string(i) + " has label " + std::to_string(found.labels[i]) +
             ", by definition " + std::to_string(right);
    changed += right != host.oldLabels[i] ? 1 : 0;
    const auto c = static_cast<std::size_t>(right);
    ++counts[c];
    for (std::size_t j = 0; j < host.d(); ++j)
      sums[c * host.d() + j] += static_cast<double>(host.points[j * host.problem.n + i]) -
                                static_cast<double>(host.centroids[c * host.d() + j]);
  }
  if (found.changed != changed)
    return std::to_string(found.changed) + " changes are counted, there are " + std::to_string(changed);
  for (std::size_t v = 0; v < sums.size(); ++v) {
    const std::size_t c = v / host.d();
    if (found.counts[c] != counts[c])
      return "cluster " + std::to_string(c) + " counts " + std::to_string(found.counts[c]) + " points of " +
             std::to_string(counts[c]);
    if (!(std::abs(found.sums[v] - sums[v]) <= allowed * counts[c]))
      return "sum " + std::to_string(v) + " is " + std::to_string(found.sums[v]) + ", expected " +
             std::to_string(sums[v]) + " within " + std::to_string(allowed * counts[c]);
  }
  return {};
}

} // namespace lloyd::test
