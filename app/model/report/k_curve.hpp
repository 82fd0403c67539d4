// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/run_report.hpp"

#include <QByteArray>

#include <span>

namespace lloyd {

/// Reports of runs on the same points, at least one, each the best for another number of clusters: the curve
/// of inertia over k. Inertia falls with k whatever the points are, so that none of the runs is the best;
/// where it ceases to fall much, more clusters only cut groups in two. Where runs were judged, all of their
/// scores, what they span over the restarts, and the k that each of them would choose.
[[nodiscard]] QByteArray kCurveJson(std::span<const RunReport> runs);
[[nodiscard]] QByteArray kCurveCsv(std::span<const RunReport> runs);
[[nodiscard]] QByteArray kCurveMarkdown(std::span<const RunReport> runs);
[[nodiscard]] QByteArray kCurveText(std::span<const RunReport> runs);

} // namespace lloyd
