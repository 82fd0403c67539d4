// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of one race: ladder, distribution and roofline.
#include "app/model/report/html/html_plots.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/roofline_figure.hpp"
#include "app/model/report/html/html_parts.hpp"
#include "app/model/report/html/svg_figure.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace lloyd {
namespace {

constexpr std::size_t mostBars = 48;
constexpr std::size_t mostDots = 240;
constexpr double rowHeight = 23;

double kept(const std::vector<double>& us, double p, double fallback) {
  const double value = quantileOf(us, p);
  return std::isfinite(value) ? value : fallback;
}

/// The rows of a ladder: all, or of a large sweep every variant with its fastest tuning parameters.
std::vector<const Measurement*> barsOf(const RaceResult& race) {
  std::vector<const Measurement*> rows = rankedRows(race);
  if (rows.size() <= mostBars) return rows;
  std::set<std::pair<Stage, const Variant*>> seen;
  std::erase_if(rows, [&](const Measurement* m) {
    return !seen.insert({m->candidate.stage, m->candidate.variant}).second;
  });
  return rows;
}

/// Places for rows with a heading above each stage, from the top.
struct Rows {
  std::vector<double> places; ///< of the rows
  std::vector<std::pair<double, QString>> headings;
  double count = 0;
};

Rows laidOut(const std::vector<const Measurement*>& rows) {
  Rows laid;
  const Measurement* before = nullptr;
  for (const Measurement* m : rows) {
    if (!before || before->candidate.stage != m->candidate.stage)
      laid.headings.emplace_back(laid.count++ + 0.62, qtext(name(m->candidate.stage)));
    laid.places.push_back(laid.count++ + 0.5);
    before = m;
  }
  return laid;
}

PlotAxis rowAxis(const Rows& laid) { return {.low = laid.count, .high = 0}; }

/// The margin that the longest label needs: the best are bold, and what does not fit is cut by the edge.
double labelWidth(const std::vector<QString>& labels) {
  double most = 60;
  for (const QString& label : labels)
    most = std::max(most, SvgChart::boldWidthOf(label));
  return most + 18;
}

std::vector<QString> labelsOf(const std::vector<const Measurement*>& rows,
                              const std::set<std::string_view>& parameters) {
  std::vector<QString> labels;
  labels.reserve(rows.size());
  for (const Measurement* m : rows)
    labels.push_back(candidateText(m->candidate, parameters));
  return labels;
}

/// "12.7 µs, 9.5× the first"
QString barText(const Measurement& m, double within) {
  QString text = ReportStrings::tr("%1 µs").arg(microsecondsText(m.times.median));
  if (m.rank == 0) return text + ReportStrings::tr(", differs: not ranked");
  text += ReportStrings::tr(", rank %1").arg(m.rank);
  if (m.againstFirst && m.againstFirst->verdict != Verdict::undecided)
    text += QStringLiteral(", ") + verdictText(*m.againstFirst, within);
  return text;
}

QString barTitle(const Measurement& m, const QString& label) {
  return ReportStrings::tr(
             "%1: median %2 µs, 5th to 95th percentile %3 to %4 µs, %5 samples, %6 % of the limit")
      .arg(label, microsecondsText(m.times.median), microsecondsText(kept(m.us, 0.05, m.times.min)),
           microsecondsText(kept(m.us, 0.95, m.times.p95)), countText(m.times.samples),
           m.limitUs > 0 ? percentText(m.ofLimit()) : unknownText());
}

/// A sample's ratio to the family's first of the same round.
std::vector<double> ratiosTo(const Measurement& first, const Measurement& m) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(first.us.size(), m.us.size()); ++i)
    if (const double ratio = m.us[i] / first.us[i]; std::isfinite(ratio) && ratio > 0)
      ratios.push_back(ratio);
  return ratios;
}

/// Every so-many-th, so that a long race draws no more than a short one.
std::vector<double> thinned(const std::vector<double>& values, double low, double high) {
  const std::size_t step = std::max<std::size_t>(1, values.size() / mostDots);
  std::vector<double> some;
  for (std::size_t i = 0; i < values.size(); i += step)
    if (values[i] >= low && values[i] <= high) some.push_back(values[i]);
  return some;
}

} // namespace

void writeLadder(Markup& page, const RaceResult& race) {
  const std::vector<const Measurement*> rows = barsOf(race);
  const Rows laid = laidOut(rows);
  const double within = race.conditions.rules.sameWithin;
  const std::vector<QString> labels = labelsOf(rows, sweptParameters(race.rows));
  // A far-off tail must not squeeze all bars to the left.
  const auto endOf = [](const Measurement& m) {
    const double high = kept(m.us, 0.95, m.times.p95);
    return high < 2 * m.times.median ? std::max(high, m.times.median) : m.times.median;
  };
  std::vector<double> ends;
  ends.reserve(rows.size());
  for (const Measurement* m : rows)
    ends.push_back(endOf(*m));
  const PlotAxis axis = PlotAxis::fromZero(ReportStrings::tr("time of one launch, µs"), ends);
  // Behind the bar and its whisker, which may go on beyond the axis.
  const auto textFrom = [&](const Measurement& m) {
    return std::min(std::max(kept(m.us, 0.95, m.times.p95), m.times.median), axis.high);
  };
  const double left = labelWidth(labels);
  constexpr double width = 1060;
  // As much space at the right as the texts behind the bars need.
  double right = 20;
  for (const Measurement* m : rows) {
    const double part = axis.fraction(textFrom(*m));
    const double text = (m->rank == 1 ? SvgChart::boldWidthOf : SvgChart::widthOf)(barText(*m, within)) + 16;
    if (part > 0.05) right = std::max(right, (text - (1 - part) * (width - left)) / part);
  }
  const SvgChart::Size size{.width = width,
                            .height = laid.count * rowHeight + 58,
                            .left = left,
                            .right = std::min(right, width / 2),
                            .top = 6,
                            .bottom = 46};
  SvgChart chart(size, ReportStrings::tr("Ladder: the median time of every variant as a bar"), axis,
                 rowAxis(laid), false);
  for (const auto& [place, heading] : laid.headings)
    chart.rowLabel(place, heading, QStringLiteral("stage"));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Measurement& m = *rows[i];
    const double y = laid.places[i];
    const QString marks = m.rank == 1  ? QStringLiteral("best")
                          : m.rank > 1 ? QStringLiteral("plain")
                                       : QStringLiteral("wrong");
    const double low = kept(m.us, 0.05, m.times.min);
    const double high = kept(m.us, 0.95, m.times.p95);
    chart.rowLabel(y, labels[i], m.rank == 1 ? QStringLiteral("bold") : QStringLiteral("name"));
    chart.bar(0, m.times.median, y, 14, marks, barTitle(m, labels[i]));
    chart.whisker(low, std::min(high, axis.high), y, 7, {}, barTitle(m, labels[i]));
    if (m.limitUs > 0)
      chart.tick(m.limitUs, y, 19, QStringLiteral("limit"),
                 ReportStrings::tr("limit %1 µs").arg(microsecondsText(m.limitUs)));
    chart.textAt(chart.pixel({textFrom(m), y}) + QPointF(8, 4), barText(m, within),
                 m.rank == 1 ? QStringLiteral("bold") : QStringLiteral("value"));
  }
  QString caption =
      ReportStrings::tr("Bars are medians on one axis from 0; the whisker reaches from the 5th to the 95th "
                        "percentile, the upright orange line is the limit. Blue: rank 1 of its stage. "
                        "Per cent are against the first of the family. A whisker that reaches the end of the "
                        "axis goes on beyond it.");
  if (rows.size() < rankedRows(race).size())
    caption +=
        u' ' + ReportStrings::tr(
                   "Each variant stands with its fastest tuning parameters; the table has all %1 rows.")
                   .arg(countText(rankedRows(race).size()));
  writeFigure(page, ReportStrings::tr("Ladder"), caption, {chart.toSvg(QStringLiteral("ladder"))});
}

void writeDistribution(Markup& page, const RaceResult& race) {
  std::vector<const Measurement*> rows;
  std::vector<std::vector<double>> ratios;
  std::vector<double> shown{1};
  for (const Measurement* m : barsOf(race)) {
    const Measurement* first = firstOfFamily(*m, race);
    if (m->rank == 0 || !first || first == m) continue;
    std::vector<double> own = ratiosTo(*first, *m);
    if (own.size() < 2) continue;
    for (const double p : {0.02, 0.98})
      shown.push_back(quantileOf(own, p));
    rows.push_back(m);
    ratios.push_back(std::move(own));
  }
  if (rows.empty()) return;
  const Rows laid = laidOut(rows);
  const std::vector<QString> labels = labelsOf(rows, sweptParameters(race.rows));
  double verdictWidth = 0;
  for (const Measurement* m : rows)
    verdictWidth =
        std::max(verdictWidth, SvgChart::widthOf(standingText(*m, race.conditions.rules.sameWithin)));
  const PlotAxis axis = PlotAxis::around(
      ReportStrings::tr("time over that of the family's first in the same round (logarithmic)"), shown, true);
  SvgChart chart({.width = 1060,
                  .height = laid.count * (rowHeight + 3) + 58,
                  .left = labelWidth(labels),
                  .right = verdictWidth + 16,
                  .top = 6,
                  .bottom = 46},
                 ReportStrings::tr("Distribution: every sample's ratio to the family's first"), axis,
                 rowAxis(laid), false);
  const std::vector<QPointF> one{{1, laid.count}, {1, 0}};
  chart.line(one, QStringLiteral("dim"), ReportStrings::tr("as fast as the first"));
  for (const auto& [place, heading] : laid.headings)
    chart.rowLabel(place, heading, QStringLiteral("stage"));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Measurement& m = *rows[i];
    const double y = laid.places[i];
    const QString series = stageSeries(m.candidate.stage);
    const double low = quantileOf(ratios[i], 0.25);
    const double high = quantileOf(ratios[i], 0.75);
    const QString verdict = standingText(m, race.conditions.rules.sameWithin);
    chart.rowLabel(y, labels[i], QStringLiteral("name"));
    chart.strip(thinned(ratios[i], axis.low, axis.high), y, 13, series,
                ReportStrings::tr("%1: samples of %2 rounds").arg(labels[i], countText(ratios[i].size())));
    chart.bar(low, high, y, 15, series + QStringLiteral(" box"),
              ReportStrings::tr("%1: the middle half of the ratios, %2 to %3; %4")
                  .arg(labels[i], significantText(low), significantText(high), verdict));
    chart.tick(
        quantileOf(ratios[i], 0.5), y, 17, {},
        ReportStrings::tr("%1: median ratio %2").arg(labels[i], significantText(quantileOf(ratios[i], 0.5))));
    chart.textAt(chart.pixel({axis.high, y}) + QPointF(8, 4), verdict, QStringLiteral("value"));
  }
  writeFigure(page, ReportStrings::tr("Distribution"),
              ReportStrings::tr(
                  "Each dot is one round: the variant's sample over that of its family's first. The box "
                  "holds the middle half, the stroke is the median; left of the dashed line is faster. "
                  "Samples far out, beyond the axis, are left out here and count in every number."),
              {chart.toSvg(QStringLiteral("distribution"))});
}

void writeRoofline(Markup& page, const RaceResult& race) {
  const Roofline roofline = rooflineOf(race);
  if (roofline.points.empty()) return;
  std::set<Stage, ReportOrder> stages;
  for (const RooflinePoint& point : roofline.points)
    stages.insert(race.rows[point.row].candidate.stage);
  const Figure figure = rooflineFigure(race, roofline, {stages.begin(), stages.end()});
  const SvgChart::Size size{.width = 1060, .height = 450, .left = 78, .right = 40, .top = 30, .bottom = 48};
  writeFigure(
      page, ReportStrings::tr("Roofline"), QStringLiteral("%1 %2.").arg(figure.toolTip, figure.note),
      {svgFigure(figure.panels.front(), size,
                 ReportStrings::tr("Roofline: what each variant computes against what the device allows"),
                 QStringLiteral("roofline"))});
}

} // namespace lloyd
