// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/roofline_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/plot_table.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/text/units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

constexpr double giga = 1e9;
/// Two footprints whose memories are this near in speed share a roof.
constexpr double sameRoof = 1.1;
constexpr double everywhere = 1e9; ///< operations a byte: a roof goes on as far as one can see

using Points = std::vector<const RooflinePoint*>;

QString pointText(const RaceResult& race, const RooflinePoint& point) {
  const Measurement& row = race.rows[point.row];
  return ReportStrings::tr("%1 %2: %3 billion operations/s, %4 GB/s; %5 % of its roof; median %6 µs")
      .arg(tunedName(row.candidate), qtext(name(row.candidate.stage)),
           significantText(point.operationsPerSecond / giga), significantText(row.gigabytesPerSecond()),
           percentText(point.operationsPerSecond / point.roof), microsecondsText(row.times.median));
}

/// The slanted roofs of the footprints that are shown. The first has the name above it; below it the others
/// end where they meet the level part.
void addRoofs(PlotPanel& panel, const RaceResult& race, const Roofline& roofline, const Points& shown) {
  double last = std::numeric_limits<double>::infinity();
  for (const MemoryRoof& roof : roofline.memory) {
    const bool used = std::any_of(shown.begin(), shown.end(), [&](const RooflinePoint* point) {
      return race.rows[point->row].bytes == roof.bytes;
    });
    if (!used || !(roof.bytesPerSecond * sameRoof < last)) continue;
    const bool first = std::isinf(last);
    last = roof.bytesPerSecond;
    const double right = roofline.peak > 0 ? roofline.peak / last : everywhere;
    const double left = std::min(1 / everywhere, right / 2);
    panel.series.push_back(
        {.ink = {first ? PlotInk::Of::text : PlotInk::Of::dim},
         .dashed = !first,
         .width = first ? 1.6 : 1,
         .points = {{left, last * left / giga}, {right, last * right / giga}},
         .along = ReportStrings::tr("%1 GB/s (%2)").arg(significantText(last / giga), bytesText(roof.bytes)),
         .alongAbove = first});
    if (!first || !(roofline.peak > 0)) continue;
    const double peak = roofline.peak / giga;
    panel.series.push_back({.points = {{right, peak}, {right * everywhere, peak}},
                            .along = ReportStrings::tr("%1 billion operations/s").arg(significantText(peak)),
                            .alongEnd = true});
  }
}

void addMarks(PlotPanel& panel, const RaceResult& race, const Points& shown, Stage stage) {
  PlotSeries marks{.name = qtext(name(stage)),
                   .style = PlotSeries::Style::marks,
                   .ink = PlotInk::stage(stage),
                   .marker = markerOf(ReportOrder::of(stage)),
                   .size = 8};
  for (const RooflinePoint* point : shown) {
    const Candidate& candidate = race.rows[point->row].candidate;
    if (candidate.stage != stage) continue;
    marks.points.emplace_back(point->operationsPerByte, point->operationsPerSecond / giga);
    marks.labels.push_back(versionText(*candidate.variant));
    marks.readings.push_back(pointText(race, *point));
  }
  if (!marks.points.empty()) panel.series.push_back(std::move(marks));
}

void setRanges(PlotPanel& panel, const Roofline& roofline, const Points& shown) {
  double left = std::numeric_limits<double>::max();
  double right = 0;
  double low = left;
  double high = 0;
  for (const RooflinePoint* point : shown) {
    left = std::min(left, point->operationsPerByte);
    right = std::max(right, point->operationsPerByte);
    low = std::min(low, point->operationsPerSecond);
    high = std::max(high, point->roof);
  }
  panel.x = {.title = ReportStrings::tr("operations a byte"), .log = true, .low = 0.1, .high = 10};
  panel.y = {.title = ReportStrings::tr("billion operations/s"), .log = true, .low = 0.1, .high = 10};
  if (shown.empty()) return;
  panel.x.low = left / 2.5;
  panel.x.high = right * 4;
  if (std::isfinite(roofline.roofAt(right * 4))) high = std::max(high, roofline.roofAt(right * 4));
  panel.y.low = low / giga / 2;
  panel.y.high = high / giga * 2;
}

QString noteOf(const RaceResult& race, const Roofline& roofline) {
  QStringList left;
  for (const std::size_t i : roofline.notArithmetic) {
    const QString stage = qtext(name(race.rows[i].candidate.stage));
    if (!left.contains(stage)) left << stage;
  }
  QStringList notes;
  if (roofline.peak <= 0)
    notes << ReportStrings::tr("This device does not say how much arithmetic it can do: no level roof");
  if (!left.isEmpty())
    notes << ReportStrings::tr("%1 only moves bytes and is left out").arg(left.join(QStringLiteral(", ")));
  if (notes.isEmpty())
    notes << ReportStrings::tr("Work and bytes are the least that a stage needs, whatever the kernel does");
  return notes.join(QStringLiteral("; "));
}

} // namespace

Figure rooflineFigure(const RaceResult& race, const Roofline& roofline, const std::vector<Stage>& stages) {
  if (roofline.points.empty())
    return {.title = ReportStrings::tr("Roofline"),
            .empty = ReportStrings::tr("No variant of this race was verified and has arithmetic to show.")};
  Points shown;
  for (const RooflinePoint& point : roofline.points)
    if (std::find(stages.begin(), stages.end(), race.rows[point.row].candidate.stage) != stages.end())
      shown.push_back(&point);
  PlotPanel panel;
  setRanges(panel, roofline, shown);
  addRoofs(panel, race, roofline, shown);
  for (const Stage stage : stages)
    addMarks(panel, race, shown, stage);
  const auto best = std::max_element(roofline.points.begin(), roofline.points.end(),
                                     [](const RooflinePoint& a, const RooflinePoint& b) {
                                       return a.operationsPerSecond / a.roof < b.operationsPerSecond / b.roof;
                                     });
  const QString note = noteOf(race, roofline);
  Figure figure{
      .title = ReportStrings::tr("Roofline of %1").arg(QString::fromStdString(race.device.name)),
      .toolTip = ReportStrings::tr("Slanted: the rate of a copy of that size. Level: the highest rate of "
                                   "single-precision arithmetic, a multiply-add counted as two."),
      .note = shown.empty() ? ReportStrings::tr("No variant of this stage was verified in the race") : note,
      .summary = ReportStrings::tr("%1 variants; the nearest to its roof is %2. %3.")
                     .arg(roofline.points.size())
                     .arg(pointText(race, *best), note)};
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace lloyd
