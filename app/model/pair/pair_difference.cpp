// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/pair_difference.hpp"

#include "app/text/numbers.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lloyd {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("PairDifference", text); }

std::vector<int> themselves(std::size_t k) {
  std::vector<int> all(k);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The clusters of A that share the most points with those of B. Greedy: the pair that shares most is made
/// first, so a cluster that one side has split keeps its larger half.
std::vector<int> matchesOf(std::span<const Label> a, std::span<const Label> b, std::size_t k) {
  struct Pair {
    std::uint64_t shared;
    std::size_t a, b;
  };
  std::vector<std::uint64_t> shared(k * k);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < 0 || b[i] < 0) continue;
    const auto of = static_cast<std::size_t>(a[i]);
    const auto with = static_cast<std::size_t>(b[i]);
    if (of < k && with < k) ++shared[of * k + with];
  }
  std::vector<Pair> pairs;
  pairs.reserve(k * k);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j)
      pairs.push_back({shared[i * k + j], i, j});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& left, const Pair& right) { return left.shared > right.shared; });
  std::vector<int> ofB(k, -1);
  std::vector<bool> taken(k);
  for (const Pair& pair : pairs) {
    if (ofB[pair.b] >= 0 || taken[pair.a]) continue;
    ofB[pair.b] = static_cast<int>(pair.a);
    taken[pair.a] = true;
  }
  return ofB;
}

double distanceOf(const PairStates& states, const std::vector<int>& clusterOfA) {
  const auto d = static_cast<std::size_t>(states.d);
  double farthest = 0;
  for (std::size_t c = 0; c < clusterOfA.size(); ++c) {
    double square = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double off =
          static_cast<double>(states.b.centroids[c * d + j]) -
          static_cast<double>(states.a.centroids[static_cast<std::size_t>(clusterOfA[c]) * d + j]);
      square += off * off;
    }
    if (!(square <= farthest)) farthest = square; // a NaN stays
    if (std::isnan(farthest)) break;
  }
  return std::sqrt(farthest);
}

} // namespace

PairDifferencePtr differenceOf(const PairStates& states, bool matched) {
  auto found = std::make_shared<PairDifference>();
  found->iteration = states.a.iteration;
  found->halfway = states.a.halfway;
  found->points = states.labelsA.size();
  found->matched = matched;
  const std::size_t k = states.a.centroids.size() / static_cast<std::size_t>(std::max(1, states.d));
  // Beyond this the table of shared points outgrows the points themselves.
  constexpr std::size_t mostMatched = 2048;
  found->clusterOfA =
      matched && k <= mostMatched ? matchesOf(states.labelsA, states.labelsB, k) : themselves(k);
  auto groups = std::make_shared<std::vector<std::int32_t>>(found->points);
  for (std::size_t i = 0; i < found->points; ++i) {
    const Label of = states.labelsB[i];
    const bool known = of >= 0 && static_cast<std::size_t>(of) < k;
    const Label asA = known ? found->clusterOfA[static_cast<std::size_t>(of)] : of;
    const bool differs = asA != states.labelsA[i];
    (*groups)[i] = differs ? 1 : 0;
    found->differing += differs ? 1 : 0;
  }
  found->groups = std::move(groups);
  found->centroidDistance = states.b.centroids.size() == states.a.centroids.size()
                                ? distanceOf(states, found->clusterOfA)
                                : std::numeric_limits<double>::quiet_NaN();
  if (states.a.inertia && states.b.inertia && *states.a.inertia > 0)
    found->inertia = (*states.b.inertia - *states.a.inertia) / *states.a.inertia;
  return found;
}

QString differenceText(const PairDifference& difference) {
  const QString text = (difference.halfway ? tr("%1 of %2 labels differ halfway through iteration %3")
                                           : tr("%1 of %2 labels differ at iteration %3"))
                           .arg(countText(difference.differing), countText(difference.points),
                                countText(static_cast<std::uint64_t>(difference.iteration)));
  return difference.matched ? tr("%1; each cluster of B is compared with its best match in A").arg(text)
                            : text;
}

} // namespace lloyd
