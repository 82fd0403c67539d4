// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace lloyd {

/// From where the points are looked at, as the drawing side knows it.
struct SavedCamera {
  bool fitted = true; ///< all points are seen, whatever the size of the view
  std::array<double, 3> target{};
  std::array<double, 2> pixelsPerUnit{1, 1};
  std::array<int, 2> viewport{1, 1};
  double yaw = 0, pitch = 0, distance = 4;
  bool operator==(const SavedCamera&) const = default;
};

/// What a person chooses of how points are drawn, beside the axes.
struct ViewChoices {
  bool orthographic = false;
  bool trails = true;
  bool regions = false;    ///< of the clusters, in drawings that have them
  double pointSize = 1;    ///< times what suits the number of points
  bool meanColour = false; ///< a cluster of a photograph has the colour of its centroid
  std::optional<std::size_t> colourColumn;
  bool operator==(const ViewChoices&) const = default;
};

} // namespace lloyd
