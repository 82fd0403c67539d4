// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// What two runs on the same points disagree in at one iteration. Immutable once published.
struct PairDifference {
  int iteration = 0;
  bool halfway = false;
  std::size_t points = 0;
  std::size_t differing = 0; ///< points whose labels differ
  /// [points]: 0 where both agree, 1 where they do not.
  std::shared_ptr<const std::vector<std::int32_t>> groups;
  /// Which cluster of A each cluster of B is held against: itself, unless the two were seeded apart.
  std::vector<int> clusterOfA;
  bool matched = false;          ///< they were paired by the points that they share
  double centroidDistance = 0;   ///< the largest between a pair of clusters, in data units; NaN when unknown
  std::optional<double> inertia; ///< B's less A's, over A's; nothing where one is not known
};
using PairDifferencePtr = std::shared_ptr<const PairDifference>;

/// The two states to be held against each other.
struct PairStates {
  const IterationResult& a;
  const IterationResult& b;
  std::span<const Label> labelsA; ///< [n], those of a
  std::span<const Label> labelsB;
  int d = 1;
};

/// matched: clusters of B are paired with those of A before labels are compared, because two seeds give the
/// same cluster different numbers. Pairs are made in the order of the points that they share, the most first.
/// Any thread.
[[nodiscard]] PairDifferencePtr differenceOf(const PairStates& states, bool matched);

/// "0 of 65,536 labels differ at iteration 12", and that clusters were matched where they were.
[[nodiscard]] QString differenceText(const PairDifference& difference);

} // namespace lloyd
