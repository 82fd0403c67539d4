// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_timelines.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/timeline_figure.hpp"
#include "app/model/timeline/timeline_texts.hpp"
#include "app/text/strings.hpp"

namespace lloyd {
namespace {

constexpr double rowHeight = 20;
constexpr double above = 32; ///< for the names of the kinds
constexpr double below = 46; ///< for the axis

} // namespace

SvgSize timelineSize(const Figure& figure) {
  return {.width = 1060,
          .height = figure.panels.front().y.low * rowHeight + above + below,
          .left = 100,
          .right = 24,
          .top = above,
          .bottom = below};
}

NamedTimelines recordedTimelines(const RaceResult& race) {
  const std::set<std::string_view> parameters = sweptParameters(race.rows);
  NamedTimelines timelines;
  for (const RecordedRun& run : race.recorded)
    if (run.timeline) timelines.push_back({candidateText(run.candidate, parameters), run.timeline});
  return timelines;
}

NamedTimelines recordedTimelines(const std::vector<RaceResultPtr>& races) {
  NamedTimelines timelines;
  for (const RaceResultPtr& race : races)
    for (NamedTimeline& one : recordedTimelines(*race)) {
      if (races.size() > 1) one.name += QStringLiteral(", ") + problemText(race->rows.front().problem);
      timelines.push_back(std::move(one));
    }
  return timelines;
}

void writeTimelines(Markup& page, const RaceResult& race) {
  if (race.recorded.empty()) return;
  const NamedTimelines timelines = recordedTimelines(race);
  page.element("h3", ReportStrings::tr("Timelines"));
  if (!timelines.empty())
    page.element("p",
                 ReportStrings::tr("One run of each schedule, recorded when the race was over. %1")
                     .arg(timelineSourceText(timelines.front().timeline->clock())),
                 {{"class", QStringLiteral("dim")}});
  for (const NamedTimeline& one : timelines) {
    const Figure figure = timelineFigure({one}, timelinePixels);
    writeFigure(
        page, one.name, timelineNumbersText(*one.timeline),
        {svgFigure(figure.panels.front(), timelineSize(figure), figure.summary, QStringLiteral("timeline"))});
  }
  QStringList reasons;
  for (const RecordedRun& run : race.recorded)
    if (!run.timeline)
      reasons << QStringLiteral("%1: %2").arg(qtext(run.candidate.variant->id()), qtext(run.why));
  writeList(page, ReportStrings::tr("Not recorded"), reasons);
}

} // namespace lloyd
