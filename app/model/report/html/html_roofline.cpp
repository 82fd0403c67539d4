// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_roofline.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/measure/roofline.hpp"
#include "app/model/report/html/html_parts.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lloyd {
namespace {

QString rateText(double perSecond, const QString& unit) {
  const std::pair<double, const char*> prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [size, prefix] : prefixes)
    if (perSecond >= size) return significantText(perSecond / size) + u' ' + QLatin1String(prefix) + unit;
  return significantText(perSecond) + u' ' + unit;
}

} // namespace

void writeRoofline(Markup& page, const RaceResult& race) {
  const Roofline roofline = rooflineOf(race);
  if (roofline.points.empty()) return;
  const double memory = roofline.memory.empty() ? 0 : roofline.memory.front().bytesPerSecond;
  std::vector<double> xs;
  std::vector<double> ys;
  for (const RooflinePoint& point : roofline.points) {
    xs.insert(xs.end(), {point.operationsPerByte / 3, point.operationsPerByte * 3});
    ys.push_back(point.operationsPerSecond * 1e-9);
    if (std::isfinite(point.roof)) ys.push_back(point.roof * 1e-9);
  }
  if (roofline.peak > 0 && memory > 0) xs.push_back(roofline.peak / memory * 2);
  if (roofline.peak > 0) ys.push_back(roofline.peak * 1e-9);
  const PlotAxis x = PlotAxis::around(
      ReportStrings::tr("operations a byte that the stage must move (logarithmic)"), xs, true);
  const PlotAxis y = PlotAxis::around(ReportStrings::tr("10⁹ operations a second (logarithmic)"), ys, true);
  SvgChart chart({.width = 1060, .height = 430, .left = 78, .right = 40, .top = 14, .bottom = 48},
                 ReportStrings::tr("Roofline: what each variant computes against what the device allows"), x,
                 y);
  // The roof bends where memory and arithmetic allow the same, so that place is one of the line's points.
  std::vector<QPointF> roof;
  std::vector<double> bends{x.low, x.high};
  if (roofline.peak > 0 && memory > 0) bends.push_back(std::clamp(roofline.peak / memory, x.low, x.high));
  for (const double edge : {y.low, y.high})
    if (memory > 0) bends.push_back(std::clamp(edge * 1e9 / memory, x.low, x.high));
  std::sort(bends.begin(), bends.end());
  for (const double at : bends)
    if (const double top = roofline.roofAt(at) * 1e-9; top >= y.low * 0.999 && top <= y.high * 1.001)
      roof.emplace_back(at, top);
  QStringList roofWords;
  if (memory > 0)
    roofWords << ReportStrings::tr("fastest copy measured %1").arg(rateText(memory, QStringLiteral("B/s")));
  if (roofline.peak > 0)
    roofWords << ReportStrings::tr("peak arithmetic %1").arg(rateText(roofline.peak, QStringLiteral("op/s")));
  chart.line(roof, QStringLiteral("roof"), roofWords.join(QStringLiteral(", ")));

  struct Column {
    double x = 0;
    double roof = 0;
    const Measurement* best = nullptr;
    double bestRate = 0;
  };
  std::map<Stage, Column, ReportOrder> columns;
  const std::set<std::string_view> parameters = sweptParameters(race.rows);
  for (const RooflinePoint& point : roofline.points) {
    const Measurement& m = race.rows[point.row];
    Column& column = columns[m.candidate.stage];
    column.x = point.operationsPerByte;
    column.roof = std::max(column.roof, point.roof);
    if (point.operationsPerSecond > column.bestRate) {
      column.best = &m;
      column.bestRate = point.operationsPerSecond;
    }
    const QString series = stageSeries(m.candidate.stage);
    chart.point(point.operationsPerByte, point.operationsPerSecond * 1e-9,
                static_cast<int>(ReportOrder::of(m.candidate.stage)), series,
                ReportStrings::tr("%1 (%2): %3, %4 operations a byte, %5 % of what is possible there")
                    .arg(candidateText(m.candidate, parameters), qtext(name(m.candidate.stage)),
                         rateText(point.operationsPerSecond, QStringLiteral("op/s")),
                         significantText(point.operationsPerByte),
                         percentText(point.operationsPerSecond / point.roof)));
  }
  for (const auto& [stage, column] : columns) {
    const QString series = stageSeries(stage);
    if (std::isfinite(column.roof)) {
      const std::vector<QPointF> cap{{column.x / 1.12, column.roof * 1e-9},
                                     {column.x * 1.12, column.roof * 1e-9}};
      chart.line(cap, series + QStringLiteral(" cap"),
                 ReportStrings::tr("%1: the limit at this footprint").arg(qtext(name(stage))));
    }
    chart.text(column.x, column.bestRate * 1e-9,
               QStringLiteral("%1: %2").arg(qtext(name(stage)), qtext(column.best->candidate.variant->id())),
               series, 10, 4);
  }
  QString caption =
      ReportStrings::tr(
          "One column a stage, one mark a variant, the best one named; the short line is the limit at that "
          "stage's own footprint, the long one the device's: %1.")
          .arg(roofWords.isEmpty() ? ReportStrings::tr("not known") : roofWords.join(QStringLiteral(", ")));
  if (!(roofline.peak > 0))
    caption += u' ' + ReportStrings::tr("The peak of this device's arithmetic is not known.");
  writeFigure(page, ReportStrings::tr("Roofline"), caption, {chart.toSvg(QStringLiteral("roofline"))});
}

} // namespace lloyd
