// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/label_placement.hpp"

#include <algorithm>

namespace lloyd {

namespace {

constexpr double markRadius = 4;
constexpr double farthest = 120; ///< pixels that a label may stray from its mark

} // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelRequest>& wishes, const QRectF& area,
                                               std::vector<QRectF> taken, double gap) {
  for (const LabelRequest& wish : wishes)
    taken.emplace_back(wish.at.x() - markRadius, wish.at.y() - markRadius, 2 * markRadius, 2 * markRadius);
  const auto isFree = [&](const QRectF& place) {
    return area.contains(place) && std::none_of(taken.begin(), taken.end(),
                                                [&](const QRectF& other) { return other.intersects(place); });
  };
  std::vector<std::optional<QRectF>> places;
  for (const LabelRequest& wish : wishes) {
    std::optional<QRectF> found;
    const double step = std::max(2.0, wish.size.height() / 4);
    for (double off = 0; !found && off <= farthest; off += step) {
      for (const double side : {gap, -gap - wish.size.width()}) {
        for (const double sign : {-1.0, 1.0}) {
          const QRectF place(QPointF(wish.at.x() + side, wish.at.y() - wish.size.height() / 2 + sign * off),
                             wish.size);
          if (found || !isFree(place)) continue;
          found = place;
        }
      }
    }
    if (found) taken.push_back(*found);
    places.push_back(found);
  }
  return places;
}

} // namespace lloyd
