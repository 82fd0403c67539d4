// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/projection/projected_points.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace lloyd {

tl::expected<SharedProjection, std::string>
projectedPoints(const SharedPointSet& points, const Axes& axes,
                std::shared_ptr<const PrincipalComponents>& components, const ReadControl& control) {
  const bool needed =
      std::ranges::any_of(axes, [](const Axis& axis) { return axis.kind == Axis::Kind::component; });
  try {
    if (needed && !components) {
      auto made = principalComponents(*points, control);
      if (!made) return tl::unexpected(made.error());
      if (!*made) return SharedProjection();
      components = std::make_shared<const PrincipalComponents>(std::move(**made));
    }
    Projection projection(axes, *points, components.get());
    auto rows = projection.rows(*points, control);
    if (!rows) return SharedProjection();
    std::vector<ValueRange> ranges(axes.size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      ranges[axis] = valueRange(std::span(*rows).subspan(axis * points->n, points->n));
    return std::make_shared<const ProjectedPoints>(
        ProjectedPoints{points, std::move(projection), std::move(*rows), std::move(ranges)});
  } catch (const std::bad_alloc&) {
    return tl::unexpected(std::string("there is not enough memory to draw these points by other axes"));
  }
}

} // namespace lloyd
