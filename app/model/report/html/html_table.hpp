// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/html/markup.hpp"
#include "app/model/report/report_comparison.hpp"

namespace lloyd {

/// All that is known of every row that ran; headers carry their definitions.
void writeRaceTable(Markup& page, const RaceResult& race);
void writeComparison(Markup& page, const ReportComparison& comparison);

} // namespace lloyd
