// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/race_figures.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/plot_table.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

/// 0 when the samples say nothing.
double advisedWidth(const std::vector<double>& sorted) {
  if (sorted.empty()) return 0;
  const double iqr = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return 2 * iqr / std::cbrt(static_cast<double>(sorted.size()));
}

/// What is drawn of A, and of B.
struct Side {
  std::vector<double> sorted; ///< samples, ascending
  std::vector<std::size_t> counts;
};
using Sides = std::array<Side, 2>;

QString whyNot(const RaceResult* race, const Candidate& a, const Candidate& b) {
  if (!race) return ReportStrings::tr("Race variants: the samples of the two that you compare appear here.");
  if (!a.variant || !b.variant) return ReportStrings::tr("Choose two variants of the race as A and B.");
  if (sameCandidate(a, b)) return ReportStrings::tr("A and B are the same: choose another for one of them.");
  for (const Candidate* candidate : {&a, &b}) {
    const Measurement* row = rowOf(*race, *candidate);
    const QString id = tunedName(*candidate);
    if (!row) return ReportStrings::tr("%1 was not in the race: race it too.").arg(id);
    if (!row->ran() && !row->skipped.empty())
      return ReportStrings::tr("%1 was not raced: %2.").arg(id, QString::fromStdString(row->skipped));
    if (sortedFinite(row->us).empty()) return ReportStrings::tr("The samples of %1 are not known.").arg(id);
  }
  return {};
}

QString ratioText(double ratio) { return significantText(ratio, 4); }

/// "A classify.v3, median 9.87 µs"
QString nameOf(const Duel& duel, std::size_t side) {
  const Measurement& row = side == 0 ? *duel.a : *duel.b;
  return ReportStrings::tr("%1 %2, median %3 µs")
      .arg(side == 0 ? QStringLiteral("A") : QStringLiteral("B"), tunedName(row.candidate),
           microsecondsText(row.times.median));
}

double endOf(const Bins& bins) { return bins.from + bins.width * static_cast<double>(bins.count); }

double most(const std::vector<std::size_t>& counts) {
  return counts.empty() ? 1 : std::max(1.0, static_cast<double>(*std::ranges::max_element(counts)));
}

/// The bin that holds a value; nothing outside.
std::optional<std::size_t> binAt(const Bins& bins, double value) {
  const double bin = std::floor((value - bins.from) / bins.width);
  if (!(bin >= 0 && bin < static_cast<double>(bins.count))) return std::nullopt;
  return static_cast<std::size_t>(bin);
}

PlotPanel histogramPanel(const Duel& duel, const Sides& sides, const Bins& bins) {
  PlotPanel panel;
  panel.zeroLine = true;
  // Room for the names above and below.
  const double high = 1.35 * std::max(most(sides[0].counts), most(sides[1].counts));
  panel.x = {
      .title = ReportStrings::tr("µs"), .low = bins.from - bins.width, .high = endOf(bins) + bins.width};
  // Counts go both ways from zero, and none of them is negative.
  panel.y = {
      .title = ReportStrings::tr("samples"), .low = -high, .high = high, .whole = true, .magnitudes = true};
  for (std::size_t side = 0; side < 2; ++side) {
    PlotSeries bars{.style = PlotSeries::Style::bars, .ink = PlotInk::series(side), .bar = bins.width};
    for (std::size_t i = 0; i < bins.count; ++i)
      bars.points.emplace_back(bins.centre(i),
                               (side == 0 ? 1.0 : -1.0) * static_cast<double>(sides[side].counts[i]));
    panel.series.push_back(std::move(bars));
    const double median = (side == 0 ? duel.a : duel.b)->times.median;
    panel.spans.push_back(
        {.from = median, .to = median, .reach = side == 0 ? PlotSpan::Reach::up : PlotSpan::Reach::down});
    // Each name stands at the side that its median leaves free.
    panel.captions.push_back({.text = nameOf(duel, side),
                              .ink = PlotInk::series(side),
                              .bold = true,
                              .right = median < (panel.x.low + panel.x.high) / 2,
                              .top = side == 0});
  }
  panel.read = [sides, bins](QPointF at) -> std::optional<PlotReading> {
    const auto i = binAt(bins, at.x());
    if (!i) return std::nullopt;
    const double from = bins.from + static_cast<double>(*i) * bins.width;
    const auto& [a, b] = sides;
    return PlotReading{ReportStrings::tr("%1 to %2 µs: %3 of %4 samples of A, %5 of %6 of B")
                           .arg(significantText(from, 4), significantText(from + bins.width, 4))
                           .arg(a.counts[*i])
                           .arg(a.sorted.size())
                           .arg(b.counts[*i])
                           .arg(b.sorted.size()),
                       {bins.centre(*i), at.y() >= 0 ? static_cast<double>(a.counts[*i])
                                                     : -static_cast<double>(b.counts[*i])}};
  };
  return panel;
}

PlotPanel sortedPanel(const Duel& duel, const Sides& sides) {
  PlotPanel panel;
  const double low = std::min(sides[0].sorted.front(), sides[1].sorted.front());
  const double high = std::max(sides[0].sorted.back(), sides[1].sorted.back());
  const double room = std::max((high - low) * 0.08, high * 1e-3);
  panel.x = {.title = ReportStrings::tr("% of the samples"), .high = 100};
  panel.y = {.title = ReportStrings::tr("µs"), .low = std::max(0.0, low - room), .high = high + 2.5 * room};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& us = sides[side].sorted;
    PlotSeries curve{.ink = PlotInk::series(side), .dashed = side == 1, .width = 1.8};
    for (std::size_t i = 0; i < us.size(); ++i)
      curve.points.emplace_back(100 * (static_cast<double>(i) + 0.5) / static_cast<double>(us.size()), us[i]);
    panel.series.push_back(std::move(curve));
    panel.captions.push_back(
        {.text = nameOf(duel, side), .ink = PlotInk::series(side), .bold = true, .right = false});
  }
  panel.read = [sides](QPointF at) -> std::optional<PlotReading> {
    const double part = at.x() / 100;
    if (!(part >= 0 && part <= 1)) return std::nullopt;
    const auto valueOf = [&](const Side& side) {
      const auto index = static_cast<std::size_t>(part * static_cast<double>(side.sorted.size()));
      return side.sorted[std::min(index, side.sorted.size() - 1)];
    };
    const double a = valueOf(sides[0]);
    const double b = valueOf(sides[1]);
    return PlotReading{ReportStrings::tr("%1 % of the samples take at most %2 µs with A, %3 µs with B")
                           .arg(significantText(at.x()), significantText(a, 4), significantText(b, 4)),
                       {at.x(), std::abs(a - at.y()) <= std::abs(b - at.y()) ? a : b}};
  };
  return panel;
}

/// The bins are even on the axis of logarithms, on which "twice" and "half" are equally far from "the same".
PlotPanel ratioPanel(const Duel& duel) {
  const std::vector<double> ratios = pairedRatios(duel.b->us, duel.a->us);
  std::vector<double> logs(ratios.size());
  std::transform(ratios.begin(), ratios.end(), logs.begin(), [](double ratio) { return std::log(ratio); });
  const Bins bins = binsFor(logs);
  const std::vector<std::size_t> counts = countInto(bins, logs);
  PlotPanel panel;
  double low = 0.99;
  double high = 1.01;
  PlotSeries steps{.style = PlotSeries::Style::steps, .ink = {PlotInk::Of::accent}, .width = 1.2};
  if (bins.count > 0) {
    low = std::min(low, std::exp(bins.from));
    high = std::max(high, std::exp(endOf(bins)));
    for (std::size_t i = 0; i < counts.size(); ++i)
      steps.points.emplace_back(std::exp(bins.from + static_cast<double>(i) * bins.width),
                                static_cast<double>(counts[i]));
    steps.points.emplace_back(std::exp(endOf(bins)), 0.0);
  }
  panel.series.push_back(std::move(steps));
  const double room = std::pow(high / low, 0.06);
  panel.x = {
      .title = ReportStrings::tr("B's time over A's"), .log = true, .low = low / room, .high = high * room};
  panel.y = {.title = ReportStrings::tr("pairs"), .high = 1.12 * most(counts), .whole = true, .still = true};
  const Comparison& found = duel.comparison;
  if (std::isfinite(found.low) && std::isfinite(found.high) && found.low > 0 && found.pairs > 0)
    panel.spans.push_back({.from = found.low, .to = found.high});
  panel.spans.push_back({.from = 1, .to = 1, .ink = {PlotInk::Of::dim}, .dashed = true});
  if (std::isfinite(found.ratio) && found.ratio > 0)
    panel.spans.push_back({.from = found.ratio, .to = found.ratio});
  panel.read = [bins, counts, pairs = ratios.size()](QPointF at) -> std::optional<PlotReading> {
    const auto i = binAt(bins, std::log(at.x()));
    if (!i) return std::nullopt;
    const double from = bins.from + static_cast<double>(*i) * bins.width;
    return PlotReading{ReportStrings::tr("ratio %1 to %2: %3 of %4 pairs")
                           .arg(ratioText(std::exp(from)), ratioText(std::exp(from + bins.width)))
                           .arg(counts[*i])
                           .arg(pairs),
                       {std::exp(bins.centre(*i)), static_cast<double>(counts[*i])}};
  };
  return panel;
}

QString noteOf(const Duel& duel, const Sides& sides, const Bins& bins) {
  const Comparison& found = duel.comparison;
  QString note;
  if (found.pairs > 0 && std::isfinite(found.high)) {
    note =
        ReportStrings::tr("%1 pairs; ratio %2, interval %3 to %4")
            .arg(countText(found.pairs), ratioText(found.ratio), ratioText(found.low), ratioText(found.high));
  } else if (found.pairs > 0) {
    note = ReportStrings::tr("%1 pairs are too few for an interval").arg(countText(found.pairs));
  } else {
    note =
        ReportStrings::tr("%1 samples of A, %2 of B").arg(sides[0].sorted.size()).arg(sides[1].sorted.size());
  }
  std::ptrdiff_t far = 0;
  for (const Side& side : sides)
    far += std::ranges::count_if(side.sorted, [&](double us) { return us < bins.from || us >= endOf(bins); });
  if (far > 0) note += ReportStrings::tr("; %1 beyond the ends, in the last bins").arg(far);
  return note;
}

constexpr double giga = 1e9;
/// Two footprints whose memories are this near in speed share a roof.
constexpr double sameRoof = 1.1;
constexpr double everywhere = 1e9; ///< operations a byte: a roof goes on as far as one can see

using Points = std::vector<const RooflinePoint*>;

QString pointText(const RaceResult& race, const RooflinePoint& point) {
  const Measurement& row = race.rows[point.row];
  const QString roof =
      std::isfinite(point.roof)
          ? ReportStrings::tr("%1 % of its roof").arg(percentText(point.operationsPerSecond / point.roof))
          : ReportStrings::tr("no roof known for its bytes");
  return ReportStrings::tr("%1 %2: %3 billion operations/s, %4 GB/s; %5; median %6 µs")
      .arg(tunedName(row.candidate), qtext(name(row.candidate.stage)),
           significantText(point.operationsPerSecond / giga), significantText(row.gigabytesPerSecond()), roof,
           microsecondsText(row.times.median));
}

/// The slanted roofs of the footprints that are shown. The first has the name above it; below it the others
/// end where they meet the level part.
void addRoofs(PlotPanel& panel, const RaceResult& race, const Roofline& roofline, const Points& shown) {
  double last = std::numeric_limits<double>::infinity();
  for (const MemoryRoof& roof : roofline.memory) {
    const bool used = std::ranges::any_of(
        shown, [&](const RooflinePoint* point) { return race.rows[point->row].bytes == roof.bytes; });
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
    marks.labels.push_back(nameWithin(stage, *candidate.variant));
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
    high = std::max(high, std::isfinite(point->roof) ? point->roof : point->operationsPerSecond);
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
  if (std::ranges::any_of(roofline.points, [](const auto& point) { return !std::isfinite(point.roof); }))
    notes << ReportStrings::tr("No roof where a copy of so few bytes takes as long as its launch");
  if (!left.isEmpty())
    notes << ReportStrings::tr("%1 only moves bytes and is left out").arg(left.join(QStringLiteral(", ")));
  if (notes.isEmpty())
    notes << ReportStrings::tr("Work and bytes are the least that a stage needs, whatever the kernel does");
  return notes.join(QStringLiteral("; "));
}

} // namespace

Bins binsFor(std::span<const double> samples, std::span<const double> others) {
  std::vector<double> sorted = sortedFinite(samples);
  const std::vector<double> second = sortedFinite(others);
  const double widths[] = {advisedWidth(sorted), advisedWidth(second)};
  sorted.insert(sorted.end(), second.begin(), second.end());
  std::ranges::sort(sorted);
  if (sorted.empty()) return {};
  const double low = quantile(sorted, 0.01);
  const double high = quantile(sorted, 0.99);
  if (!(high > low)) { // all alike: one bin of some width around them
    const double width = std::max(std::abs(low) * 0.01, 1e-9);
    return {low - width / 2, width, 1};
  }
  double wanted = 8;
  for (const double width : widths)
    if (width > 0) wanted = std::max(wanted, std::ceil((high - low) / width));
  const auto count = static_cast<std::size_t>(std::min(wanted, 80.0));
  const double width = (high - low) / static_cast<double>(count);
  return {low - width, width, count + 2};
}

std::vector<std::size_t> countInto(const Bins& bins, std::span<const double> samples) {
  std::vector<std::size_t> counts(bins.count);
  if (bins.count == 0) return counts;
  const auto last = static_cast<double>(bins.count - 1);
  for (const double value : samples) {
    if (!std::isfinite(value)) continue;
    const double bin = std::clamp(std::floor((value - bins.from) / bins.width), 0.0, last);
    ++counts[static_cast<std::size_t>(bin)];
  }
  return counts;
}

std::vector<double> pairedRatios(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i]) && a[i] > 0 && b[i] > 0) ratios.push_back(a[i] / b[i]);
  return ratios;
}

Duel duelOf(const RaceResult* race, const Candidate& a, const Candidate& b) {
  Duel duel{.why = whyNot(race, a, b)};
  if (!duel.why.isEmpty()) return duel;
  duel.a = rowOf(*race, a);
  duel.b = rowOf(*race, b);
  if (!duel.a || !duel.b) return {};
  duel.comparison = a.stage == b.stage && duel.a->us.size() == duel.b->us.size()
                        ? compareRows(*duel.b, *duel.a, race->conditions)
                        : Comparison{.ratio = duel.b->times.median / duel.a->times.median};
  return duel;
}

Figure distribution(const Duel& duel, double sameWithin, bool sorted) {
  if (!duel.a) return {.title = ReportStrings::tr("B over A"), .empty = duel.why};
  const Bins bins = binsFor(duel.a->us, duel.b->us);
  const Sides sides{Side{sortedFinite(duel.a->us), countInto(bins, duel.a->us)},
                    Side{sortedFinite(duel.b->us), countInto(bins, duel.b->us)}};
  const QString a = tunedName(duel.a->candidate);
  const QString b = tunedName(duel.b->candidate);
  const QString verdict = verdictText(duel.comparison, sameWithin);
  Figure figure;
  figure.title =
      duel.comparison.pairs > 0
          ? ReportStrings::tr("%1: B %2 against A %3").arg(verdict.left(1).toUpper() + verdict.mid(1), b, a)
          : ReportStrings::tr("A %1 and B %2: times of different work").arg(a, b);
  figure.toolTip = ReportStrings::tr(
      "From the rounds that both took part in; the interval holds the true ratio but for the chance that the "
      "race's rules allow");
  figure.note = noteOf(duel, sides, bins);
  figure.summary =
      QStringLiteral("%1. %2, %3. %4.").arg(figure.title, nameOf(duel, 0), nameOf(duel, 1), figure.note);
  figure.panels = {sorted ? sortedPanel(duel, sides) : histogramPanel(duel, sides, bins), ratioPanel(duel)};
  return figure;
}

Figure rooflineFigure(const RaceResult& race, const Roofline& roofline, const std::vector<Stage>& stages) {
  if (roofline.points.empty())
    return {.title = ReportStrings::tr("Roofline"),
            .empty = ReportStrings::tr("No variant of this race was verified and has arithmetic to show.")};
  Points shown;
  for (const RooflinePoint& point : roofline.points)
    if (std::ranges::find(stages, race.rows[point.row].candidate.stage) != stages.end())
      shown.push_back(&point);
  PlotPanel panel;
  setRanges(panel, roofline, shown);
  addRoofs(panel, race, roofline, shown);
  for (const Stage stage : stages)
    addMarks(panel, race, shown, stage);
  const auto best =
      std::ranges::max_element(roofline.points, [](const RooflinePoint& a, const RooflinePoint& b) {
        return a.operationsPerSecond / a.roof < b.operationsPerSecond / b.roof;
      });
  const QString note = noteOf(race, roofline);
  Figure figure{
      .title = ReportStrings::tr("Roofline of %1").arg(QString::fromStdString(race.device.name)),
      .toolTip = ReportStrings::tr("Slanted: the rate of a copy of that size. Level: the highest rate of "
                                   "single-precision arithmetic, a multiply-add counted as two."),
      .note = shown.empty() ? ReportStrings::tr("No variant of this stage was verified in the race") : note,
      .summary = std::isfinite(best->roof)
                     ? ReportStrings::tr("%1 variants; the nearest to its roof is %2. %3.")
                           .arg(roofline.points.size())
                           .arg(pointText(race, *best), note)
                     : ReportStrings::tr("%1 variants; no roof is known. %2.")
                           .arg(roofline.points.size())
                           .arg(note)};
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace lloyd
