// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/ladder_figures.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/race_figures.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace lloyd {
namespace {

using Style = PlotSeries::Style;
using Rows = std::vector<const Measurement*>;

constexpr std::size_t mostBars = 48;
constexpr std::size_t mostGrains = 240; ///< so that a long race draws no more than a short one
constexpr double thickness = 0.6;       ///< of a bar, of its row

/// The p-quantile, 0 to 1, of the finite values, between its neighbours.
double quantileOf(std::span<const double> values, double p, double fallback = std::nan("")) {
  const std::vector<double> sorted = sortedFinite(values);
  return sorted.empty() ? fallback : quantile(sorted, p);
}

double lowOf(const Measurement& m) { return quantileOf(m.us, 0.05, m.times.min); }
double highOf(const Measurement& m) { return quantileOf(m.us, 0.95, m.times.p95); }

Rows barsOf(const RaceResult& race) {
  Rows rows = rankedRows(race);
  if (rows.size() <= mostBars) return rows;
  std::set<std::pair<Stage, const Variant*>> seen;
  std::erase_if(rows, [&](const Measurement* m) {
    return !seen.insert({m->candidate.stage, m->candidate.variant}).second;
  });
  return rows;
}

/// Rows from the top, with a heading above each stage.
struct Laid {
  PlotAxis axis;
  std::vector<double> places;  ///< of the rows
  std::vector<QString> labels; ///< likewise
};

/// best: the first of each stage stand out.
Laid laidOut(const Rows& rows, const RaceResult& race, bool best) {
  const std::set<std::string_view> parameters = sweptParameters(race.rows);
  Laid laid;
  laid.axis = {.high = 0, .grid = false};
  const Measurement* before = nullptr;
  for (const Measurement* m : rows) {
    if (!before || before->candidate.stage != m->candidate.stage)
      laid.axis.places.push_back({laid.axis.low++ + 0.62, qtext(name(m->candidate.stage)), true});
    laid.places.push_back(laid.axis.low++ + 0.5);
    laid.labels.push_back(candidateText(m->candidate, parameters));
    laid.axis.places.push_back({laid.places.back(), laid.labels.back(), best && m->rank == 1});
    before = m;
  }
  return laid;
}

/// "12.7 µs, 9.5× the first"
QString barText(const Measurement& m, double within) {
  QString text = ReportStrings::tr("%1 µs").arg(microsecondsText(m.times.median));
  if (m.rank == 0) return text + ReportStrings::tr(", differs: not ranked");
  if (m.alone) return text + ReportStrings::tr(", no rival");
  text += ReportStrings::tr(", rank %1").arg(m.rank);
  if (m.againstFirst && m.againstFirst->verdict != Verdict::undecided)
    text += QStringLiteral(", ") + verdictText(*m.againstFirst, within);
  return text;
}

QString barReading(const Measurement& m, const QString& label) {
  const QString text =
      ReportStrings::tr("%1: median %2 µs, 5th to 95th percentile %3 to %4 µs, %5")
          .arg(label, microsecondsText(m.times.median), microsecondsText(lowOf(m)),
               microsecondsText(highOf(m)),
               countedText(m.times.samples, ReportStrings::tr("%1 sample"), ReportStrings::tr("%1 samples")));
  const auto ofLimit = m.ofLimit();
  return ofLimit ? text + ReportStrings::tr(", %1 % of the limit").arg(percentText(ofLimit)) : text;
}

void addPair(PlotSeries& series, double low, double high, double y, const QString& reading) {
  series.points.emplace_back(low, y);
  series.points.emplace_back(high, y);
  series.readings.push_back(reading);
}

/// Words right of x in a row.
void addWords(PlotSeries& series, double x, double y, const QString& words) {
  series.points.emplace_back(x, y);
  series.labels.push_back(words);
}

PlotSeries words(bool bold) { return {.style = Style::marks, .labelsBehind = true, .bold = bold}; }

/// The axis ends where the longest bar or its whisker does: a far-off tail must not squeeze all bars to the
/// left.
PlotAxis timeAxis(const Rows& rows) {
  std::vector<double> ends;
  ends.reserve(rows.size());
  for (const Measurement* m : rows)
    ends.push_back(highOf(*m) < 2 * m->times.median ? std::max(highOf(*m), m->times.median)
                                                    : m->times.median);
  return PlotAxis::fromZero(ReportStrings::tr("time of one launch, µs"), ends);
}

QString ladderNote(const RaceResult& race, const Rows& rows) {
  QString note =
      ReportStrings::tr("Bars are medians on one axis from 0; the whisker reaches from the 5th to the 95th "
                        "percentile, the upright orange line is the limit. Blue: rank 1 of its stage. "
                        "Per cent are against the first of the family. A whisker that reaches the end of the "
                        "axis goes on beyond it.");
  const std::size_t all = rankedRows(race).size();
  if (rows.size() < all)
    note += u' ' + ReportStrings::tr(
                       "Each variant stands with its fastest tuning parameters; the table has all %1 rows.")
                       .arg(countText(all));
  return note;
}

/// Every so-many-th of the samples, spread over the height of the box so that equal ones can be counted.
PlotSeries grainsOf(const std::vector<double>& ratios, double y, PlotInk ink, const QString& reading) {
  constexpr double goldenTurn = 0.6180339887;
  PlotSeries grains{.style = Style::marks, .ink = ink, .marker = PlotMarker::grain, .readings = {reading}};
  const std::size_t step = std::max<std::size_t>(1, ratios.size() / mostGrains);
  double turn = 0;
  for (std::size_t i = 0; i < ratios.size(); i += step) {
    turn = std::fmod(turn + goldenTurn, 1.0);
    grains.points.emplace_back(ratios[i], y + (turn - 0.5) / 2);
  }
  return grains;
}

/// A row that is not its family's first, and its ratios to it.
struct Rated {
  const Measurement* row;
  std::vector<double> ratios;
};

std::vector<Rated> ratedRows(const RaceResult& race) {
  std::vector<Rated> rated;
  for (const Measurement* m : barsOf(race)) {
    const Measurement* first = firstOfFamily(*m, race);
    if (m->rank == 0 || !first || first == m) continue;
    std::vector<double> ratios = pairedRatios(m->us, first->us);
    if (ratios.size() > 1) rated.push_back({m, std::move(ratios)});
  }
  return rated;
}

} // namespace

Figure ladderFigure(const RaceResult& race) {
  const Rows rows = barsOf(race);
  const double within = race.conditions.rules.sameWithin;
  Laid laid = laidOut(rows, race, true);
  const auto bars = [](PlotInk ink) {
    return PlotSeries{.style = Style::lying, .ink = ink, .bar = thickness};
  };
  PlotSeries best = bars(PlotInk::series(0));
  PlotSeries plain = bars({PlotInk::Of::bar});
  PlotSeries wrong = bars({PlotInk::Of::alert});
  wrong.hollow = true;
  PlotSeries whiskers{.style = Style::whisker, .size = 7};
  PlotSeries limits{
      .style = Style::marks, .ink = PlotInk::series(4), .marker = PlotMarker::stroke, .size = 19};
  PlotSeries bold = words(true);
  PlotSeries values = words(false);
  PlotPanel panel{.x = timeAxis(rows)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Measurement& m = *rows[i];
    const double y = laid.places[i];
    const QString reading = barReading(m, laid.labels[i]);
    const double end = std::min(highOf(m), panel.x.high); // the whisker may go on beyond the axis
    addPair(m.rank == 1 ? best : m.rank > 1 ? plain : wrong, 0, m.times.median, y, reading);
    addPair(whiskers, lowOf(m), end, y, reading);
    if (m.limitUs > 0) {
      limits.points.emplace_back(m.limitUs, y);
      limits.readings.push_back(ReportStrings::tr("limit %1 µs").arg(microsecondsText(m.limitUs)));
    }
    addWords(m.rank == 1 ? bold : values, std::max(end, m.times.median), y, barText(m, within));
  }
  panel.y = std::move(laid.axis);
  panel.series = {best, plain, wrong, whiskers, limits, bold, values};
  return {.title = ReportStrings::tr("Ladder"),
          .note = ladderNote(race, rows),
          .summary = ReportStrings::tr("Ladder: the median time of every variant as a bar"),
          .panels = {std::move(panel)}};
}

Figure ratiosFigure(const RaceResult& race) {
  Figure figure{.title = ReportStrings::tr("Distribution"),
                .note = ReportStrings::tr(
                    "Each dot is one round: the variant's sample over that of its family's first. The box "
                    "holds the middle half, the stroke is the median; left of the dashed line is faster. "
                    "Samples far out, beyond the axis, are left out here and count in every number."),
                .summary = ReportStrings::tr("Distribution: every sample's ratio to the family's first")};
  const std::vector<Rated> rated = ratedRows(race);
  if (rated.empty()) {
    figure.empty = ReportStrings::tr("No family of this race has two variants that were ranked.");
    return figure;
  }
  Rows rows;
  std::vector<double> shown{1};
  for (const auto& [row, ratios] : rated) {
    rows.push_back(row);
    for (const double p : {0.02, 0.98})
      shown.push_back(quantileOf(ratios, p));
  }
  Laid laid = laidOut(rows, race, false);
  PlotPanel panel{
      .x = PlotAxis::around(
          ReportStrings::tr("time over that of the family's first in the same round (logarithmic)"), shown,
          true)};
  panel.series.push_back({.ink = {PlotInk::Of::dim},
                          .dashed = true,
                          .points = {{1, laid.axis.low}, {1, 0}},
                          .readings = {ReportStrings::tr("as fast as the first")}});
  PlotSeries medians{.style = Style::marks, .marker = PlotMarker::stroke, .size = 17};
  PlotSeries verdicts = words(false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double>& ratios = rated[i].ratios;
    const double y = laid.places[i];
    const QString& label = laid.labels[i];
    const PlotInk ink = PlotInk::stage(rows[i]->candidate.stage);
    const double low = quantileOf(ratios, 0.25);
    const double high = quantileOf(ratios, 0.75);
    const double median = quantileOf(ratios, 0.5);
    const QString verdict = standingText(*rows[i], race.conditions.rules.sameWithin);
    panel.series.push_back(grainsOf(
        ratios, y, ink, ReportStrings::tr("%1: samples of %2 rounds").arg(label, countText(ratios.size()))));
    PlotSeries box{.style = Style::lying, .ink = ink, .bar = thickness, .pale = true};
    addPair(box, low, high, y,
            ReportStrings::tr("%1: the middle half of the ratios, %2 to %3; %4")
                .arg(label, significantText(low), significantText(high), verdict));
    panel.series.push_back(std::move(box));
    medians.points.emplace_back(median, y);
    medians.readings.push_back(ReportStrings::tr("%1: median ratio %2").arg(label, significantText(median)));
    addWords(verdicts, panel.x.high, y, verdict);
  }
  panel.y = std::move(laid.axis);
  panel.series.push_back(std::move(medians));
  panel.series.push_back(std::move(verdicts));
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace lloyd
