// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/data/problem.hpp"

#include <optional>
#include <span>

namespace lloyd {

/// How far apart clusters are for how wide they are, from all points, whose centres are their own means. The
/// work grows with the points alone.
struct Separation {
  double inertia = 0; ///< sum of squared distances of the points to the means of their clusters
  /// The mean over clusters of the worst of their neighbours: what the two are wide together, as mean
  /// distances to their centres, over how far their centres are apart. Less is better; 0 is the least.
  /// Nothing as below.
  std::optional<double> daviesBouldin;
  /// Squared distances between clusters over those within, each for what is free to differ. More is better; 1
  /// where nothing differs within clusters. Nothing where there are not two clusters with points at least,
  /// and fewer than points.
  std::optional<double> calinskiHarabasz;
};

/// Of points that stand still, labelled 0 to k - 1, in double precision on all of oneTBB's threads; the same
/// to the last bit however many there are. Throws Cancelled within 100 ms.
[[nodiscard]] Separation separationOf(const PointSet& points, std::span<const Label> labels, int k,
                                      const ReadControl& control = {});

} // namespace lloyd
