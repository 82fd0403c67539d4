// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/projection/projection.hpp"
#include "app/model/report/html/markup.hpp"
#include "app/model/report/run_report.hpp"

#include <QString>

#include <cstddef>
#include <span>

namespace lloyd {

/// The class of the style sheet that has the colour of a cluster; and, of a photograph, whose clusters have
/// the colours of their centroids, the style that has it: empty of other points.
[[nodiscard]] QString clusterClass(std::size_t cluster);
[[nodiscard]] QString clusterStyle(const RunReport& report, std::size_t cluster);
/// "cluster 1", and "cluster 1, Alpha" of one that a person has named.
[[nodiscard]] QString clusterTitle(const RunReport& report, std::size_t cluster);

/// The points by cluster, as the axes of the projection show them; null: by their first columns. Of three
/// axes the first is held against each of the others. The points must be in memory and stand still. labels:
/// [n].
void writePoints(Markup& page, const RunReport& report, std::span<const Label> labels,
                 const ProjectedPoints* projection);

/// A photograph with every pixel in the colour of its centroid; nothing of other points.
void writePhotograph(Markup& page, const RunReport& report, std::span<const Label> labels);

} // namespace lloyd
