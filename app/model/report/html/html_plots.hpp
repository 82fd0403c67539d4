// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/html/markup.hpp"

#include <vector>

namespace lloyd {

/// Every variant as a bar on one axis from 0.
void writeLadder(Markup& page, const RaceResult& race);
/// The ratio of every sample to that of the family's first in the same round; nothing where no family has
/// two.
void writeDistribution(Markup& page, const RaceResult& race);

/// Every variant on the device's roofline; nothing where no stage computes.
void writeRoofline(Markup& page, const RaceResult& race);

/// Times over the tuning parameters that were swept; nothing where none was.
void writeParameterSweeps(Markup& page, const RaceResult& race);
/// Times over the sizes of the problems and over what their points are like; nothing where neither differs.
/// No more than 12 pictures a stage.
void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races);

} // namespace lloyd
