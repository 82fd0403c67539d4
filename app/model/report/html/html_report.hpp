// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/bench_report.hpp"
#include "app/model/report/html/markup.hpp"
#include "app/model/report/report_comparison.hpp"

#include <QByteArray>

namespace lloyd {

/// All that is known of every row that ran; headers carry their definitions.
void writeRaceTable(Markup& page, const RaceResult& race, const Baseline& baseline);
void writeComparison(Markup& page, const ReportComparison& comparison);

/// The report as one HTML file that needs nothing else: its style sheet and its plots (SVG) are in it, there
/// is no script, and it forbids itself any request. It follows the reader's colour scheme, prints, and can be
/// read on a phone. QtCore only; any thread.
[[nodiscard]] QByteArray benchHtml(const BenchReport& report);

/// The report in the form that the file's name asks for: .html, .json, .csv or .md; nothing for another.
[[nodiscard]] std::optional<QByteArray> reportAs(const QString& fileName, const BenchReport& report);

} // namespace lloyd
