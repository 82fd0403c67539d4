// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/plot/plot_table.hpp"
#include "app/model/quality/cluster_numbers.hpp"
#include "app/plot/figure.hpp"
#include "app/plot/plot_palette.hpp"

#include <QString>

#include <cstddef>
#include <functional>
#include <vector>

namespace lloyd {

/// How clusters differ, column by column: a line a cluster through its medians, each column from its least
/// value to its largest. Quartiles are whiskers, of the one cluster that has the focus, or of all where they
/// are few. More columns than lines can cross are a map instead, a row a cluster. Of many clusters or columns
/// the first are shown, and it is said.
struct ProfileSubject {
  const PointSet* points = nullptr;
  const ClusterNumbers* numbers = nullptr; ///< null: nothing is known yet
  std::vector<PlotRgb> colours;            ///< one a cluster; those that are missing are neutral
  int focus = -1;                          ///< -1: none
  std::function<QString(std::size_t)> title;
};
[[nodiscard]] Figure profileFigure(const ProfileSubject& subject);

/// One row a cluster and column, in the units of the file: quartiles of the points, and the centroid.
[[nodiscard]] PlotTable profileTable(const ProfileSubject& subject);

} // namespace lloyd
