// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"

#include <glm/glm.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace lloyd {

/// A rectangle of a flat drawing, in data units.
struct FlatRectangle {
  glm::dvec2 low{0};
  glm::dvec2 high{0};
  bool operator==(const FlatRectangle&) const = default;
};

/// What a flat view shows, and so many device pixels around it.
[[nodiscard]] FlatRectangle seenRectangle(const CameraView& view, double marginPixels);

/// Places that two centroids are equally far from, and no other centroid is nearer to; in data units.
struct RegionBorder {
  glm::dvec2 from{0};
  glm::dvec2 to{0};
  int first = 0; ///< the lower of the two centroids' numbers
  int second = 0;
};

/// The borders of the centroids' Voronoi cells as far as they are in the rectangle, each once, without the
/// sides of the rectangle. Distances are those of data units, whatever the scales of the drawing. Of equal
/// centroids the lowest number has the cell, as it has the points; those that are no numbers have none. Takes
/// time in proportion to the square of their number at most.
[[nodiscard]] std::vector<RegionBorder> regionBorders(std::span<const glm::dvec3> centroids,
                                                      const FlatRectangle& within);

/// The borders that were asked for last, so that a view that stands still finds them once.
class KeptBorders {
public:
  /// Valid until the next call.
  [[nodiscard]] const std::vector<RegionBorder>& of(std::span<const glm::dvec3> centroids,
                                                    const FlatRectangle& within) {
    if (within != within_ || !std::ranges::equal(centroids, centroids_)) {
      within_ = within;
      centroids_.assign(centroids.begin(), centroids.end());
      borders_ = regionBorders(centroids, within);
    }
    return borders_;
  }

private:
  FlatRectangle within_;
  std::vector<glm::dvec3> centroids_;
  std::vector<RegionBorder> borders_;
};

} // namespace lloyd
