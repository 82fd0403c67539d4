// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/polygon.hpp"

#include "app/data/parallel_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t mostBands = 1024;
constexpr std::size_t grain = std::size_t{1} << 14; ///< points a task

std::size_t bandOf(double y, double top, double bottom, std::size_t bands) {
  const double part = (y - top) / (bottom - top);
  return std::min(static_cast<std::size_t>(std::max(part, 0.0) * static_cast<double>(bands)), bands - 1);
}

/// In the order of sums in which glm multiplies a matrix by a vector.
std::optional<ScreenPlace> placeOf(const DrawnRows& rows, double x, double y, double z) {
  const std::array<double, 16>& m = rows.clipFromOffset;
  x -= rows.origin[0];
  y -= rows.origin[1];
  z -= rows.origin[2];
  const auto row = [&](std::size_t r) { return (m[r] * x + m[4 + r] * y) + (m[8 + r] * z + m[12 + r]); };
  const double w = row(3);
  if (!(w > 0) || !(std::abs(row(2)) <= w)) return std::nullopt;
  return ScreenPlace{(row(0) / w + 1) / 2.0 * rows.width, (1 - row(1) / w) / 2.0 * rows.height};
}

} // namespace

Polygon::Polygon(std::vector<ScreenPlace> places) : places_(std::move(places)) {
  if (places_.size() < 3) return;
  const auto [left, right] = std::ranges::minmax(places_, {}, &ScreenPlace::x);
  const auto [top, bottom] = std::ranges::minmax(places_, {}, &ScreenPlace::y);
  left_ = left.x;
  right_ = right.x;
  top_ = top.y;
  bottom_ = bottom.y;
  if (!(bottom_ > top_)) return;
  // An edge is looked at only from its own bands: a path of a thousand places would take a second otherwise.
  bands_.resize(std::min(mostBands, 4 * places_.size()));
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Edge edge{places_[i], places_[(i + 1) % places_.size()]};
    const auto [low, high] = std::minmax(edge.from.y, edge.to.y);
    const std::size_t last = bandOf(high, top_, bottom_, bands_.size());
    for (std::size_t band = bandOf(low, top_, bottom_, bands_.size()); band <= last; ++band)
      bands_[band].push_back(edge);
  }
}

bool Polygon::holds(ScreenPlace at) const {
  if (bands_.empty() || !(at.x >= left_ && at.x <= right_ && at.y >= top_ && at.y <= bottom_)) return false;
  bool inside = false;
  for (const auto& [from, to] : bands_[bandOf(at.y, top_, bottom_, bands_.size())])
    if ((from.y > at.y) != (to.y > at.y) &&
        at.x < from.x + (at.y - from.y) / (to.y - from.y) * (to.x - from.x))
      inside = !inside;
  return inside;
}

std::vector<std::uint8_t> pointsInside(const Polygon& polygon, const DrawnRows& rows,
                                       const ReadControl& control) {
  std::vector<std::uint8_t> inside(rows.n);
  const bool whole = parallelRanges(
      rows.n, control,
      [&](std::size_t begin, std::size_t end) {
        const float* first = rows.values;
        if (!first) return; // there are no points
        const float* second = rows.d > 1 ? first + rows.stride : nullptr;
        const float* third = rows.d > 2 ? second + rows.stride : nullptr;
        for (std::size_t i = begin; i < end; ++i) {
          const auto at = !second ? placeOf(rows, static_cast<double>(i), first[i], 0)
                                  : placeOf(rows, first[i], second[i], third ? third[i] : 0.0F);
          inside[i] = at && polygon.holds(*at) ? 1 : 0;
        }
      },
      grain);
  if (!whole) inside.clear();
  return inside;
}

} // namespace lloyd
