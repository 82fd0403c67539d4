// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/timeline_file.hpp"

#include "app/model/plot/timeline_figure.hpp"
#include "app/model/report/html/figure_file.hpp"
#include "app/model/report/html/html_timelines.hpp"
#include "app/model/timeline/trace_events.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr const char* endings[] = {".json", ".csv", ".svg"};

bool endsIn(const QString& fileName, const char* ending) {
  return fileName.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

} // namespace

QByteArray timelineSvg(const NamedTimelines& timelines) {
  const Figure figure = timelineFigure(timelines, timelinePixels);
  return figureSvg(figure, figure.panels.empty() ? SvgSize() : timelineSize(figure),
                   QStringLiteral("timeline"));
}

bool isTimelineName(const QString& fileName) {
  return std::ranges::any_of(endings, [&](const char* ending) { return endsIn(fileName, ending); });
}

std::optional<QByteArray> timelineAs(const QString& fileName, const NamedTimelines& timelines) {
  if (endsIn(fileName, ".json")) return traceEvents(timelines);
  if (endsIn(fileName, ".csv")) return timelineTable(timelines).csv().toUtf8();
  if (endsIn(fileName, ".svg")) return timelineSvg(timelines);
  return std::nullopt;
}

} // namespace lloyd
