// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/projection/projection.hpp"
#include "app/model/report/run_report.hpp"

#include <QByteArray>
#include <QString>

#include <span>

namespace lloyd {

/// A clustering as one HTML file that needs nothing else: what was clustered and how, the clusters with their
/// centroids in the file's units and against the class of the points, how the run converged, pictures of the
/// points, and the command that repeats it. labels: [n], of the report's centroids. projection: the axes by
/// which the points are drawn; null: their first columns. Any thread.
[[nodiscard]] QByteArray clusterHtml(const RunReport& report, std::span<const Label> labels,
                                     const QString& command, const ProjectedPoints* projection = nullptr);

/// Of each cluster, the root of the mean squared distance of its points from its centroid, in the units that
/// were clustered; NaN for one without points, nothing where the points are not in memory.
[[nodiscard]] std::vector<double> clusterSpreads(const RunReport& report, std::span<const Label> labels);

} // namespace lloyd
