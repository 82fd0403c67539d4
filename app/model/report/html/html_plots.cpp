// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of races as pictures of the page.
#include "app/model/report/html/html_plots.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/ladder_figures.hpp"
#include "app/model/plot/race_figures.hpp"
#include "app/model/plot/race_sweeps.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/text/strings.hpp"

#include <QString>

#include <algorithm>
#include <map>
#include <set>

namespace lloyd {
namespace {

constexpr std::size_t mostMaps = 12;
constexpr double width = 1060;

std::map<Stage, RaceRows, ReportOrder> byStage(const RaceRows& rows) {
  std::map<Stage, RaceRows, ReportOrder> stages;
  for (const Measurement* row : rows)
    stages[row->candidate.stage].push_back(row);
  return stages;
}

QString pictureOf(const Figure& figure, const SvgSize& size, const char* classes) {
  return svgFigure(figure.panels.front(), size, figure.summary, QString::fromLatin1(classes));
}

/// A figure of rows, each so many pixels high.
void writeRows(Markup& page, const Figure& figure, double rowHeight, const char* classes) {
  if (!figure.empty.isEmpty()) return;
  const SvgSize size{
      .width = width, .height = figure.panels.front().y.low * rowHeight + 58, .left = 78, .top = 6};
  writeFigure(page, figure.title, figure.note, {pictureOf(figure, size, classes)});
}

void writeLines(Markup& page, const RaceRows& rows, SweepParameter over, const QString& caption) {
  const SweepResult sweep = sweepOf(rows, {over});
  const Figure figure = sweepLines(sweep, SweepMetric::median, spansMuch(sweep, SweepMetric::median));
  const SvgSize size{.width = width, .height = 400, .left = 78, .right = 190, .top = 16, .bottom = 48};
  writeFigure(
      page, ReportStrings::tr("%1 over %2").arg(qtext(name(rows.front()->candidate.stage)), axisTitle(over)),
      caption + u' ' + figure.note + u'.', {pictureOf(figure, size, "sweep lines")});
}

/// candidate: as sweepMap() has it.
QString mapPicture(const RaceRows& rows, const std::vector<SweepParameter>& over,
                   std::optional<std::size_t> candidate) {
  const SweepResult sweep = sweepOf(rows, {over[0], over[1]});
  const SvgSize size{.width = std::min(width, 96 + 104.0 * static_cast<double>(sweep.plan.columns())),
                     .height = 62 + (candidate ? 34 : 46) * static_cast<double>(sweep.plan.rows()),
                     .left = 82,
                     .right = 14,
                     .bottom = 48};
  return pictureOf(sweepMap(sweep, SweepMetric::median, candidate), size, "sweep map small");
}

/// Maps of one stage, one for each value of the third parameter where there is one.
void writeMaps(Markup& page, const RaceRows& rows, const std::vector<SweepParameter>& over) {
  std::map<std::uint64_t, RaceRows> slices;
  for (const Measurement* row : rows)
    slices[over.size() > 2 ? valueIn(*row, over[2]) : 0].push_back(row);
  QStringList maps;
  QStringList values;
  for (const auto& [value, part] : slices) {
    maps << mapPicture(part, over, std::nullopt);
    values << QString::number(value);
  }
  QString caption =
      ReportStrings::tr("The fastest verified variant at every size, with its median in µs; bright is fast.");
  if (over.size() > 2)
    caption += u' ' + ReportStrings::tr("From top to bottom: %1 = %2.")
                          .arg(qtext(name(over[2])), values.join(QStringLiteral(", ")));
  writeFigure(page, ReportStrings::tr("%1 over the sizes").arg(qtext(name(rows.front()->candidate.stage))),
              caption, maps);
}

} // namespace

void writeLadder(Markup& page, const RaceResult& race) { writeRows(page, ladderFigure(race), 23, "ladder"); }

void writeDistribution(Markup& page, const RaceResult& race) {
  writeRows(page, ratiosFigure(race), 26, "distribution");
}

void writeRoofline(Markup& page, const RaceResult& race) {
  const Roofline roofline = rooflineOf(race);
  if (roofline.points.empty()) return;
  std::set<Stage, ReportOrder> stages;
  for (const RooflinePoint& point : roofline.points)
    stages.insert(race.rows[point.row].candidate.stage);
  const Figure figure = rooflineFigure(race, roofline, {stages.begin(), stages.end()});
  const SvgSize size{.width = width, .height = 450, .left = 78, .right = 40, .top = 30, .bottom = 48};
  writeFigure(page, ReportStrings::tr("Roofline"), QStringLiteral("%1 %2.").arg(figure.toolTip, figure.note),
              {pictureOf(figure, size, "roofline")});
}

void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races) {
  std::vector<const RaceResult*> all;
  for (const RaceResultPtr& race : races)
    all.push_back(race.get());
  const RaceRows rows = rowsOfRanked(all);
  std::vector<SweepParameter> over = sweptIn(rows);
  std::erase_if(over, isTuningParameter);
  if (over.empty()) return;
  page.element("h2", ReportStrings::tr("Over all problems"));
  for (const auto& [stage, part] : byStage(rows)) {
    if (over.size() > 1)
      writeMaps(page, part, over);
    else
      writeLines(page, part, over[0],
                 ReportStrings::tr("Medians of every verified variant, with its fastest tuning parameters."));
  }
}

void writeParameterSweeps(Markup& page, const RaceResult& race) {
  for (const auto& [stage, part] : byStage(rowsOfRanked({&race}))) {
    // Only what differs within a variant is a sweep; variants differ in their own values without one.
    std::map<const Variant*, RaceRows> variants;
    for (const Measurement* row : part)
      variants[row->candidate.variant].push_back(row);
    QStringList maps;
    QStringList names;
    std::map<SweepParameter, RaceRows> lines;
    for (const auto& [variant, own] : variants) {
      const std::vector<SweepParameter> over = sweptIn(own);
      if (over.size() == 1) {
        RaceRows& list = lines[over[0]];
        list.insert(list.end(), own.begin(), own.end());
      } else if (over.size() > 1 && static_cast<std::size_t>(maps.size()) < mostMaps) {
        maps << mapPicture(own, over, 0);
        names << qtext(variant->id());
      }
    }
    for (const auto& [over, list] : lines)
      writeLines(page, list, over,
                 ReportStrings::tr("Medians of the verified variants that have this tuning parameter."));
    if (!maps.isEmpty())
      writeFigure(
          page, ReportStrings::tr("%1 over two tuning parameters").arg(qtext(name(stage))),
          ReportStrings::tr("Medians in µs, bright is fast; where more than two tuning parameters were "
                            "swept, the fastest of the rest. From top to bottom: %1.")
              .arg(names.join(QStringLiteral(", "))),
          maps);
  }
}

} // namespace lloyd
