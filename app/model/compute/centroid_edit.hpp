// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/kmeans_runner.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace lloyd {

/// States of a run by hand: with a centroid more or less than another state of it, and all others where they
/// are now. The iteration goes on from the state's; half an iteration that is done is taken back, as where a
/// centroid is moved. The points get their labels, sizes and inertia when a runner takes the state
/// (KMeansRunner::takeState()). d: of the centroids.

/// The new centroid is the last.
[[nodiscard]] RunState withCentroid(RunState state, std::span<const float> position);
/// Those after it are one number lower. There must be another.
[[nodiscard]] RunState withoutCentroid(RunState state, int d, int cluster);
/// With centroids where a person has moved them, by number; those that are not there are left out.
[[nodiscard]] RunState withMoves(RunState state, int d,
                                 std::span<const std::pair<int, std::vector<float>>> moves);

/// Which cluster of before each of so many is: of those after one was added, or without that cluster. -1: the
/// new one.
[[nodiscard]] std::vector<int> numbersWithCentroid(int k);
[[nodiscard]] std::vector<int> numbersWithoutCentroid(int k, int cluster);

/// The palette's colours of the clusters that are named by the numbers that they had: a new one has the first
/// colour that none of those before had. Empty where the colours are not those of such clusters.
[[nodiscard]] std::vector<std::size_t> renumberedColours(std::span<const std::size_t> colours,
                                                         std::span<const int> before);

} // namespace lloyd
