// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "gpu/core/data/problem.hpp"
#include "gpu/engine/seeding.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace lloyd {

/// The problem of making k clusters of the points. Throws RequestError when there cannot be so many.
[[nodiscard]] Problem problemOf(const PointSet& points, int k);
/// Points at rest one by one, as seeding asks for them. The points must outlive it.
[[nodiscard]] PointReader readerOf(const PointSet& points);
/// The init as seeding takes it: bands are numbers of the file, also where its columns are shifted.
[[nodiscard]] Init initOn(const PointSet& points, const Init& init, int k);
/// A problem's first centroids, [k][d], made by the CPU and so the same whatever device goes on with them.
/// Throws RequestError, Cancelled. Any thread.
[[nodiscard]] std::vector<float> startingCentroids(const PointSet& points, const Problem& problem,
                                                   const Init& init, std::uint64_t seed,
                                                   const std::atomic<bool>* cancel);

/// Reads the file that settings.init names as the points' first centroids: its rows set k, and the values
/// become the points' own units. Throws RequestError. Any thread.
void readGivenCentroids(Settings& settings, const PointSet& points);

} // namespace lloyd
