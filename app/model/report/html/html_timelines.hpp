// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/html/markup.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/model/timeline/named_timeline.hpp"

#include <vector>

namespace lloyd {

/// Of the part of a picture that shows bars.
inline constexpr double timelinePixels = 930;
/// Of a picture of timelineFigure().
[[nodiscard]] SvgSize timelineSize(const Figure& figure);

/// The recorded runs of a race by the names of their schedules.
[[nodiscard]] NamedTimelines recordedTimelines(const RaceResult& race);
/// Those of several races, with the problem in the name where there is more than one.
[[nodiscard]] NamedTimelines recordedTimelines(const std::vector<RaceResultPtr>& races);

/// A timeline a schedule, and which could not be recorded; nothing where none was raced.
void writeTimelines(Markup& page, const RaceResult& race);

} // namespace lloyd
