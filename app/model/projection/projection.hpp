// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"
#include "app/model/projection/principal_components.hpp"
#include "gpu/core/data/box.hpp"

#include <tl/expected.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What one axis of a drawing shows.
struct Axis {
  enum class Kind { column, component };
  Kind kind = Kind::column;
  int index = 0; ///< of the column, or of the principal component, from 0
  bool operator==(const Axis&) const = default;
};

/// The axes of a drawing, two or three of them, none twice. Empty: the first columns.
using Axes = std::vector<Axis>;

/// "PC1", or the column's name.
[[nodiscard]] std::string axisText(const Axis& axis, const PointSet& points);
/// From words such as "PC1,PC2" or "depth,lat,2": columns by name or by index from 0, and principal
/// components. The error says what was expected.
[[nodiscard]] tl::expected<Axes, std::string> axesFrom(std::string_view text, const PointSet& points);
/// Why points cannot be drawn by other axes than their first columns, without a full stop; empty when they
/// can.
[[nodiscard]] std::string whyNoAxes(const PointSet& points);

/// Why the regions of clusters have no borders in a drawing of points with d columns by axes (empty: the
/// first columns), a whole sentence; empty where they have: distances in the drawing must be those that are
/// clustered by.
[[nodiscard]] std::string whyNoRegions(int d, const Axes& axes);

/// A linear map from the coordinates of points to the axes of a drawing, and the way back.
class Projection {
public:
  /// components: of the same points; may be null when no axis shows one.
  Projection(Axes axes, const PointSet& points, const PrincipalComponents* components);

  [[nodiscard]] const Axes& axes() const { return axes_; }
  [[nodiscard]] std::size_t dimensions() const { return axes_.size(); } ///< 2 or 3
  /// "depth", or "PC1 (93 %)" with its share of the variance.
  [[nodiscard]] const std::string& name(std::size_t axis) const { return names_[axis]; }
  /// Where a point with these coordinates [d] is drawn; 0 on an axis that is not there.
  [[nodiscard]] std::array<double, 3> place(std::span<const float> coordinates) const;
  /// The coordinates nearest to those given that are drawn at a place: what the axes do not show stays.
  [[nodiscard]] std::vector<float> moved(std::span<const float> coordinates,
                                         const std::array<double, 3>& place) const;
  /// All points, [dimensions()][n]; nothing when it was cancelled.
  [[nodiscard]] std::optional<std::vector<float>> rows(const PointSet& points,
                                                       const ReadControl& control) const;

private:
  Axes axes_;
  std::size_t d_;
  std::vector<std::string> names_;
  std::vector<double> forth_;  ///< [dimensions][d]
  std::vector<double> back_;   ///< [d][dimensions], the pseudo-inverse
  std::vector<double> origin_; ///< [dimensions], of the drawing in the map's own coordinates
};

/// Points as they are drawn by a projection. Immutable.
struct ProjectedPoints {
  SharedPointSet points;
  Projection projection;
  std::vector<float> rows;        ///< [projection.dimensions()][n]
  std::vector<ValueRange> ranges; ///< [projection.dimensions()], of the rows
};
using SharedProjection = std::shared_ptr<const ProjectedPoints>;

} // namespace lloyd
