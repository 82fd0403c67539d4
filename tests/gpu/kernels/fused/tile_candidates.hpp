// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"

#include <span>
#include <vector>

/// The way of fused.v3 from a box to the centroids that can own a point of it, on the host: its own
/// functions, called one by one.
namespace lloyd::test {

struct TileCandidates {
  std::vector<unsigned> clusters; ///< ascending
  bool all = false;               ///< too many to name: all are asked
};

/// The candidates of each tile of a run. Boxes have d = 1, 2, 3 dimensions; centroids is [k][d].
[[nodiscard]] std::vector<TileCandidates> candidatesOfTiles(std::span<const Box> tiles, int d,
                                                            std::span<const float> centroids);

} // namespace lloyd::test
