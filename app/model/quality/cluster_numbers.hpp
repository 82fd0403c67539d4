// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/data/problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// A value that a quarter, a half and three quarters of the values do not exceed; between two values it is on
/// the straight line, as NumPy has it by default. NaN of none.
using Quartiles = std::array<double, 3>;

/// What clusters are like, in double precision.
struct ClusterNumbers {
  std::size_t points = 0;           ///< of all clusters
  std::size_t d = 0;                ///< columns
  std::vector<std::uint64_t> sizes; ///< [k]
  std::vector<double> centres;      ///< [k][d]: the centroids, in the units of the file
  // Distances to the centroid, in the units that are clustered, which scaling changes; NaN without points.
  std::vector<double> spread; ///< [k]: root of the mean of their squares
  std::vector<double> mean;   ///< [k]
  // In the units of the file.
  std::vector<Quartiles> quartiles; ///< [k][d]
  std::vector<double> low, high;    ///< [d]: of all points

  [[nodiscard]] std::size_t k() const { return sizes.size(); }
  /// Of the points, 0 to 1.
  [[nodiscard]] double share(std::size_t cluster) const {
    return points > 0 ? static_cast<double>(sizes[cluster]) / static_cast<double>(points) : 0;
  }
};

/// Coordinates of points where they are now: j of point i at values[j * stride + i].
struct PointRows {
  const float* values = nullptr;
  std::size_t stride = 0;

  [[nodiscard]] static PointRows of(const PointSet& points) { return {points.values.data(), points.n}; }
};

/// Of points whose labels belong to the centroids [k][d]; a label below 0 or from k on is of no cluster. On
/// all of oneTBB's threads, the same to the last bit however many there are. Throws Cancelled within 100 ms.
[[nodiscard]] ClusterNumbers clusterNumbersOf(const PointSet& points, const PointRows& rows,
                                              std::span<const Label> labels, std::span<const float> centroids,
                                              const ReadControl& control = {});

} // namespace lloyd
