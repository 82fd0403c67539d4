// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/run_report.hpp"

#include <QByteArray>
#include <QString>

#include <span>

namespace lloyd {

/// A clustering as one HTML file that needs nothing else: what was clustered and how, the clusters with their
/// centroids in the file's units, how the run converged, a picture of the points, and the command that
/// repeats it. labels: [n], of the report's centroids. QtCore only; any thread.
[[nodiscard]] QByteArray clusterHtml(const RunReport& report, std::span<const Label> labels,
                                     const QString& command);

/// Of each cluster, the root of the mean squared distance of its points from its centroid, in the units that
/// were clustered; NaN for one without points, nothing where the points are not in memory.
[[nodiscard]] std::vector<double> clusterSpreads(const RunReport& report, std::span<const Label> labels);

} // namespace lloyd
