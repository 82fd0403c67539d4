// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/plot_table.hpp"
#include "app/plot/figure.hpp"
#include "app/plot/plot_palette.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lloyd {

/// How many points each cluster has: a bar a cluster in its colour, and a cross for one without points. Of
/// more clusters than most the largest are shown, and it is said. colours: one a cluster; those that are
/// missing are neutral. titles: what readings call the clusters; "cluster 3" where they are missing.
[[nodiscard]] Figure clusterSizes(const std::vector<std::uint32_t>& sizes,
                                  const std::vector<PlotRgb>& colours, std::size_t most,
                                  const std::vector<QString>& titles = {});
/// One row a cluster.
[[nodiscard]] PlotTable clusterSizeTable(const std::vector<std::uint32_t>& sizes);

} // namespace lloyd
