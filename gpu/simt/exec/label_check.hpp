// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/labels.hpp"
#include "gpu/core/tiles/tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace lloyd::simt {

// A kernel may store any number where a label belongs, and what runs outside the simulator would read beside
// an array by it. All memory here is the host's.

/// What is wrong with the label of a point, as a sentence; empty where a cluster has it.
[[nodiscard]] inline std::string labelFault(std::size_t point, std::int64_t label, int k) {
  if (label >= 0 && label < k) return {};
  return "point " + std::to_string(point) + " has the label " + std::to_string(label) +
         ", which no cluster has: labels go from 0 to " + std::to_string(k - 1);
}

/// The same of the first of n labels, in input order, that no cluster has; empty where there is none.
[[nodiscard]] inline std::string labelFault(const LabelView& labels, std::size_t n, int k) {
  std::string fault;
  withLabels(labels, [&](const auto* first) {
    const auto* found =
        std::find_if(first, first + n, [k](std::int64_t label) { return label < 0 || label >= k; });
    if (found != first + n) fault = labelFault(static_cast<std::size_t>(found - first), *found, k);
  });
  return fault;
}

/// The same of points in tiles, numbered in their order there.
[[nodiscard]] inline std::string labelFault(const TileLabelView& labels, const TileView& view, std::size_t n,
                                            int k) {
  for (std::size_t point = 0; point < n; ++point) {
    const std::uint16_t tile = labels.tiles[point / view.size];
    const std::int64_t label = tile == mixedTile ? labels.points[point] : tile;
    if (label >= k) return labelFault(point, label, k);
  }
  return {};
}

} // namespace lloyd::simt
