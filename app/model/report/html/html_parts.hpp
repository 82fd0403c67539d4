// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that benchHtml() puts together.
#pragma once
#include "app/model/report/bench_report.hpp"
#include "app/model/report/html/markup.hpp"

#include <QString>

#include <span>

namespace lloyd {

/// A picture with its title and a caption that says how to read it.
void writeFigure(Markup& page, const QString& title, const QString& caption, const QStringList& pictures);

/// Every variant as a bar on one axis from 0.
void writeLadder(Markup& page, const RaceResult& race);
/// The ratio of every sample to that of the family's first in the same round; nothing where no family has
/// two.
void writeDistribution(Markup& page, const RaceResult& race);
/// Every variant on the device's roofline; nothing where no stage computes.
void writeRoofline(Markup& page, const RaceResult& race);
/// Times over the tuning parameters that were swept; nothing where none was.
void writeParameterSweeps(Markup& page, const RaceResult& race);
/// Times over the sizes of the problems; nothing where there is one problem.
void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races);

/// All that is known of every row that ran; headers carry their definitions.
void writeRaceTable(Markup& page, const RaceResult& race);
void writeComparison(Markup& page, const ReportComparison& comparison);
/// A heading with a list below; nothing for an empty list.
void writeList(Markup& page, const QString& heading, const QStringList& items);

/// The class of a stage's colour, the same in every plot of a race.
[[nodiscard]] QString stageSeries(Stage stage);
/// The p-quantile, 0 to 1, of the finite values, between its neighbours; NaN without any.
[[nodiscard]] double quantileOf(std::span<const double> values, double p);

} // namespace lloyd
