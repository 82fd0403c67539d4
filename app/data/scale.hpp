// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <tl/expected.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What is done to each column before clustering, so that a column with large numbers does not decide alone.
enum class Scale {
  none,
  standard, ///< mean 0, standard deviation 1 (of the population: divided by n)
  minmax    ///< 0 to 1
};

[[nodiscard]] std::string_view name(Scale scale);

/// Scales unscaled points in place and records how in points.scales. A constant column is moved but keeps its
/// factor 1. Points that drift are refused: their paths are in the units of the generator. So are, scaled or
/// not, those whose spread is beyond what squares in single precision can hold.
[[nodiscard]] tl::expected<void, std::string> applyScale(PointSet& points, Scale scale);

/// Centroids [k][d] of scaled points in the units of the file, and back.
[[nodiscard]] std::vector<float> toFileUnits(std::span<const float> centroids,
                                             std::span<const ColumnScale> scales);
[[nodiscard]] std::vector<float> fromFileUnits(std::span<const float> centroids,
                                               std::span<const ColumnScale> scales);

} // namespace lloyd
