// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/timeline_figure.hpp"

#include "app/model/timeline/timeline_texts.hpp"
#include "app/plot/merged_spans.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace lloyd {
namespace {

using Kind = TimelineBar::Kind;

constexpr double thickness = 0.72; ///< of a bar, of its row
constexpr double reach = 4;        ///< pixels from a bar to a pointer that means it

/// In the order in which the legend has them. The hues of what may stand side by side are far apart.
constexpr std::array<std::pair<Kind, std::size_t>, timelineKinds> inks{{{Kind::kernel, 2},
                                                                        {Kind::upload, 0},
                                                                        {Kind::download, 1},
                                                                        {Kind::copy, 5},
                                                                        {Kind::fill, 3},
                                                                        {Kind::give, 6},
                                                                        {Kind::wait, 7},
                                                                        {Kind::arithmetic, 2},
                                                                        {Kind::load, 0},
                                                                        {Kind::store, 7},
                                                                        {Kind::shared, 5},
                                                                        {Kind::barrier, 3},
                                                                        {Kind::busy, 6},
                                                                        {Kind::idle, 4}}};

double lengthOf(const NamedTimelines& timelines) {
  double longest = 0;
  for (const NamedTimeline& one : timelines)
    longest = std::max(longest, one.timeline->end() - one.timeline->begin());
  return longest;
}

TimelineClock clockOf(const NamedTimelines& timelines) { return timelines.front().timeline->clock(); }

QString readingOf(const Timeline& timeline, std::span<const TimelineBar> bars, const MergedSpan& span) {
  if (span.count == 1) return timelineBarText(timeline, bars[span.first]);
  return TimelineStrings::tr("%1 bars too narrow to be told apart; the first: %2")
      .arg(countText(span.count), timelineBarText(timeline, bars[span.first]));
}

/// The bars of one kind in one row, by their begin.
std::vector<TimelineBar> ofKind(std::span<const TimelineBar> bars, Kind kind) {
  std::vector<TimelineBar> some;
  std::ranges::copy_if(bars, std::back_inserter(some),
                       [&](const TimelineBar& bar) { return bar.kind == kind; });
  return some;
}

/// Bars narrower than least become one, and each mark has its reading; 0: all bars, with their names.
void addBars(PlotSeries& series, const Timeline& timeline, std::span<const TimelineBar> bars, double y,
             double least) {
  const double zero = timeline.begin();
  const auto add = [&](double begin, double end) {
    series.points.emplace_back(begin, y);
    series.points.emplace_back(end, y);
  };
  if (least == 0) {
    for (const TimelineBar& bar : bars) {
      add(bar.begin - zero, bar.end - zero);
      series.within.push_back(qtext(bar.what));
    }
    return;
  }
  const auto at = [&](std::size_t i) { return std::pair(bars[i].begin - zero, bars[i].end - zero); };
  for (const MergedSpan& span : mergedSpans(0, bars.size(), at, least)) {
    add(span.begin, span.end);
    series.readings.push_back(readingOf(timeline, bars, span));
  }
}

/// The bar of the row that the moment lies in, else the nearest.
const TimelineBar* nearest(std::span<const TimelineBar> bars, double moment) {
  if (bars.empty()) return nullptr;
  const auto behind = std::ranges::upper_bound(bars, moment, {}, &TimelineBar::begin);
  if (behind == bars.begin()) return &bars.front();
  const TimelineBar& before = *(behind - 1);
  if (moment <= before.end || behind == bars.end()) return &before;
  return moment - before.end <= behind->begin - moment ? &before : &*behind;
}

std::optional<PlotReading> readAt(const NamedTimelines& timelines, const TimelineRows& rows, QPointF at) {
  const TimelineRows::Row* row = rows.at(at.y());
  if (!row) return std::nullopt;
  const Timeline& timeline = *timelines[row->timeline].timeline;
  const TimelineBar* bar = nearest(timeline.barsOf(row->row), at.x() + timeline.begin());
  if (!bar) return std::nullopt;
  const double x = std::clamp(at.x(), bar->begin - timeline.begin(), bar->end - timeline.begin());
  return PlotReading{timelineBarText(timeline, *bar), {x, at.y()}, reach};
}

QString summaryOf(const NamedTimelines& timelines) {
  QStringList runs;
  for (const auto& [name, timeline] : timelines)
    runs << QStringLiteral("%1: %2").arg(name, timelineNumbersText(*timeline));
  return runs.join(u' ');
}

} // namespace

TimelineRows::TimelineRows(const NamedTimelines& timelines) {
  for (std::size_t t = 0; t < timelines.size(); ++t) {
    names_.push_back({height_++ + 0.62, timelines[t].name, true});
    const auto& rows = timelines[t].timeline->rows();
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows_.push_back({t, row, height_++ + 0.5});
      names_.push_back({rows_.back().y, qtext(rows[row].name), false});
    }
  }
}

const TimelineRows::Row* TimelineRows::at(double y) const {
  const auto found = std::ranges::find_if(rows_, [&](const Row& row) { return std::abs(row.y - y) <= 0.5; });
  return found == rows_.end() ? nullptr : &*found;
}

Figure timelineFigure(const NamedTimelines& timelines, std::optional<double> merged) {
  Figure figure{.title = TimelineStrings::tr("Timeline")};
  if (timelines.empty()) {
    figure.empty = TimelineStrings::tr(
        "Race schedules to see what each queue, the copy engines and the host do, and when.");
    return figure;
  }
  const TimelineRows rows(timelines);
  const double length = lengthOf(timelines);
  // 0: nothing is merged.
  const double least =
      merged ? std::max(length / std::max(1.0, *merged), std::numeric_limits<double>::min()) : 0;
  PlotPanel panel;
  panel.x = {.title = timelineAxisText(clockOf(timelines)), .high = length > 0 ? length : 1};
  panel.y = {.low = rows.height(), .high = 0, .grid = false, .still = true, .places = rows.names()};
  for (const auto& [kind, hue] : inks) {
    PlotSeries series{.name = qtext(name(kind)),
                      .style = PlotSeries::Style::lying,
                      .ink = PlotInk::series(hue),
                      .bar = thickness};
    for (const TimelineRows::Row& row : rows.rows()) {
      const Timeline& timeline = *timelines[row.timeline].timeline;
      addBars(series, timeline, ofKind(timeline.barsOf(row.row), kind), row.y, least);
    }
    if (!series.points.empty()) panel.series.push_back(std::move(series));
  }
  if (!merged)
    panel.read = [kept = std::make_shared<const NamedTimelines>(timelines), rows](QPointF at) {
      return readAt(*kept, rows, at);
    };
  figure.summary = summaryOf(timelines);
  figure.toolTip = timelineSourceText(clockOf(timelines));
  figure.note =
      TimelineStrings::tr("Times: %1. Shift and dragging, or Return, marks a part and lists its bars.")
          .arg(qtext(lloyd::name(clockOf(timelines))));
  figure.panels.push_back(std::move(panel));
  return figure;
}

QStringList timelineHeadings(const NamedTimelines& timelines) {
  const bool seconds = timelines.empty() || timelines.front().timeline->hasSeconds();
  if (!seconds && clockOf(timelines) == TimelineClock::cycles)
    return QStringLiteral("run|row|kind|what|set|begin (cycle)|end (cycle)|duration (cycles)|bytes")
        .split(u'|');
  return (seconds ? QStringLiteral("run|row|kind|what|set|begin (us)|end (us)|duration (us)|bytes")
                  : QStringLiteral("run|row|kind|what|set|begin (step)|end (step)|duration (steps)|bytes"))
      .split(u'|');
}

QStringList timelineFields(const NamedTimelines& timelines, const TimelinePlace& place) {
  const auto& [name, timeline] = timelines[place.timeline];
  const TimelineBar& bar = timeline->bars()[place.bar];
  return {name,
          qtext(timeline->rows()[bar.row].name),
          qtext(lloyd::name(bar.kind)),
          qtext(bar.what),
          bar.set ? QString::number(*bar.set + 1) : QString(),
          exactText(bar.begin - timeline->begin()),
          exactText(bar.end - timeline->begin()),
          exactText(bar.length()),
          bar.bytes > 0 ? QString::number(bar.bytes) : QString()};
}

PlotTable timelineTable(const NamedTimelines& timelines) {
  PlotTable table;
  table.headings = timelineHeadings(timelines);
  for (std::size_t t = 0; t < timelines.size(); ++t)
    for (std::size_t bar = 0; bar < timelines[t].timeline->bars().size(); ++bar)
      table.rows.push_back(timelineFields(timelines, {t, bar}));
  return table;
}

std::vector<TimelinePlace> barsBetween(const NamedTimelines& timelines, double from, double to) {
  std::vector<TimelinePlace> places;
  for (std::size_t t = 0; t < timelines.size(); ++t) {
    const Timeline& timeline = *timelines[t].timeline;
    for (std::size_t i = 0; i < timeline.bars().size(); ++i) {
      const TimelineBar& bar = timeline.bars()[i];
      if (timeline.rows()[bar.row].isEngine()) continue;
      if (bar.end - timeline.begin() >= from && bar.begin - timeline.begin() <= to) places.push_back({t, i});
    }
  }
  std::ranges::stable_sort(places, {}, [&](const TimelinePlace& place) {
    const Timeline& timeline = *timelines[place.timeline].timeline;
    return timeline.bars()[place.bar].begin - timeline.begin();
  });
  return places;
}

} // namespace lloyd
