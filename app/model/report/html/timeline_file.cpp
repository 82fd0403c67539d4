// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/timeline_file.hpp"

#include "app/model/plot/timeline_figure.hpp"
#include "app/model/report/html/html_timelines.hpp"
#include "app/model/report/html/markup.hpp"
#include "app/model/timeline/trace_events.hpp"
#include "app/plot/plot_palette.hpp"

namespace lloyd {
namespace {

constexpr const char* endings[] = {".json", ".csv", ".svg"};

bool endsIn(const QString& fileName, const char* ending) {
  return fileName.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

/// Colours as they are, and none by a variable: programs that draw vectors know none.
QString styleSheet() {
  QString rules =
      QStringLiteral("svg { font: 12px sans-serif; } text { fill: #1b1f24; } .axes text { fill: #57606a; } "
                     ".axes text.name { fill: #1b1f24; } text.bold { font-weight: bold; } "
                     ".grid { stroke: #e7eaee; fill: none; } .axis { stroke: #d5dae0; fill: none; } ");
  for (std::size_t hue = 0; hue < plotHues; ++hue)
    rules +=
        QStringLiteral(".s%1 { fill: #%2; } ").arg(hue).arg(seriesRgb(hue, false), 6, 16, QLatin1Char('0'));
  return rules;
}

} // namespace

QByteArray timelineSvg(const NamedTimelines& timelines) {
  const Figure figure = timelineFigure(timelines, timelinePixels);
  Markup page;
  page.raw(QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
  if (figure.panels.empty()) {
    page.open("svg", {{"xmlns", QStringLiteral("http://www.w3.org/2000/svg")}});
    page.element("title", figure.empty);
    page.close();
    return page.toString().toUtf8();
  }
  const SvgSize size = timelineSize(figure);
  const QString width = QString::number(size.width);
  const QString height = QString::number(size.height);
  page.open("svg", {{"xmlns", QStringLiteral("http://www.w3.org/2000/svg")},
                    {"width", width},
                    {"height", height},
                    {"viewBox", QStringLiteral("0 0 %1 %2").arg(width, height)}});
  page.element("title", figure.title);
  page.element("desc", figure.summary + u' ' + figure.toolTip);
  page.element("style", styleSheet());
  page.empty("rect", {{"width", width}, {"height", height}, {"fill", QStringLiteral("#ffffff")}});
  page.raw(svgFigure(figure.panels.front(), size, figure.summary, QStringLiteral("timeline")));
  page.close();
  return page.toString().toUtf8();
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
