// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of one race: ladder, distribution and roofline.
#include "app/model/report/html/html_plots.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/race_figures.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/plot/plot_axis.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <QString>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace lloyd {
namespace {

constexpr std::size_t mostBars = 48;
constexpr std::size_t mostDots = 240;
constexpr double rowHeight = 23;

/// The p-quantile, 0 to 1, of the finite values, between its neighbours; NaN without any.
double quantileOf(std::span<const double> values, double p) {
  const std::vector<double> sorted = sortedFinite(values);
  return sorted.empty() ? std::nan("") : quantile(sorted, p);
}

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
  if (m.alone) return text + ReportStrings::tr(", no rival");
  text += ReportStrings::tr(", rank %1").arg(m.rank);
  if (m.againstFirst && m.againstFirst->verdict != Verdict::undecided)
    text += QStringLiteral(", ") + verdictText(*m.againstFirst, within);
  return text;
}

QString barTitle(const Measurement& m, const QString& label) {
  const QString text =
      ReportStrings::tr("%1: median %2 µs, 5th to 95th percentile %3 to %4 µs, %5")
          .arg(label, microsecondsText(m.times.median), microsecondsText(kept(m.us, 0.05, m.times.min)),
               microsecondsText(kept(m.us, 0.95, m.times.p95)),
               countedText(m.times.samples, ReportStrings::tr("%1 sample"), ReportStrings::tr("%1 samples")));
  const auto ofLimit = m.ofLimit();
  return ofLimit ? text + ReportStrings::tr(", %1 % of the limit").arg(percentText(ofLimit)) : text;
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

/// One axis that a report's rows sweep, and how to read a row's place on it.
struct Swept {
  QString title;
  std::string_view parameterName; ///< empty for n, d and k
  double (*ofProblem)(const Problem&) = nullptr;
  std::set<double> values;

  [[nodiscard]] double of(const Measurement& m) const;
  /// "4,096", and from there on powers of two as such; the words of arithmetic.
  [[nodiscard]] QString text(double value) const;
  /// The values as places of an axis: their distances are those of the values, or of their logarithms.
  [[nodiscard]] PlotAxis axis() const;
  [[nodiscard]] std::vector<QString> labels() const;
  /// Its place among the values, from 0.
  [[nodiscard]] std::size_t index(double value) const;
};

double Swept::of(const Measurement& m) const {
  return ofProblem ? ofProblem(m.problem) : m.candidate.tuning.value(parameterName);
}

QString Swept::text(double value) const {
  if (parameterName == "arithmetic") return qtext(name(static_cast<Arithmetic>(static_cast<int>(value))));
  const auto count = static_cast<std::uint64_t>(value);
  if (count < 4096 || (count & (count - 1)) != 0) return countText(count);
  QString power = QStringLiteral("2");
  for (const QChar digit : QString::number(static_cast<int>(std::log2(value)))) {
    constexpr std::array<char16_t, 10> raised{u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    power += QChar(raised[static_cast<std::size_t>(digit.digitValue())]);
  }
  return power;
}

PlotAxis Swept::axis() const {
  std::vector<PlotTick> places;
  for (const double value : values)
    places.push_back({value, text(value)});
  return PlotAxis::through(title, std::move(places));
}

std::vector<QString> Swept::labels() const {
  std::vector<QString> texts;
  for (const double value : values)
    texts.push_back(text(value));
  return texts;
}

std::size_t Swept::index(double value) const {
  return static_cast<std::size_t>(std::distance(values.begin(), values.find(value)));
}

constexpr std::size_t mostMaps = 12;

using RowList = std::vector<const Measurement*>;

double least(const Measurement* m) { return m->times.median; }

/// The fastest of the rows for each key.
template <class Key>
std::map<Key, const Measurement*> fastestBy(const RowList& rows,
                                            const std::function<Key(const Measurement&)>& key) {
  std::map<Key, const Measurement*> fastest;
  for (const Measurement* m : rows) {
    const auto [found, isNew] = fastest.emplace(key(*m), m);
    if (!isNew && least(m) < least(found->second)) found->second = m;
  }
  return fastest;
}

std::map<Stage, RowList, ReportOrder> byStage(const RowList& rows) {
  std::map<Stage, RowList, ReportOrder> stages;
  for (const Measurement* m : rows)
    stages[m->candidate.stage].push_back(m);
  return stages;
}

/// "cpu.v2: 12.3 µs at points, N 2,000"
QString placeText(const Measurement& m, const Swept& swept) {
  return ReportStrings::tr("%1: %2 µs at %3 %4")
      .arg(wholeCandidateText(m.candidate), microsecondsText(m.times.median), swept.title,
           swept.text(swept.of(m)));
}

/// A line for each variant of one stage; the fastest row where several stand at one place.
QString linePlot(const RowList& rows, const Swept& swept, const QString& title) {
  std::map<QString, std::vector<const Measurement*>> lines;
  std::vector<double> times;
  using Key = std::pair<QString, double>;
  for (const auto& [key, m] : fastestBy<Key>(rows, [&](const Measurement& row) {
         return Key{qtext(row.candidate.variant->id()), swept.of(row)};
       })) {
    lines[key.first].push_back(m);
    times.push_back(m->times.median);
  }
  PlotPanel panel{.x = swept.axis(), .y = PlotAxis::around(ReportStrings::tr("median, µs"), times)};
  for (const auto& [id, along] : lines) {
    const std::size_t series = panel.series.size();
    PlotSeries line{.name = id, .ink = PlotInk::series(series), .marker = markerOf(series)};
    for (const Measurement* m : along) {
      line.points.emplace_back(swept.of(*m), m->times.median);
      line.readings.push_back(placeText(*m, swept));
    }
    panel.series.push_back(std::move(line));
  }
  return svgFigure(panel, {.width = 1060, .height = 400, .left = 78, .right = 190, .top = 16, .bottom = 48},
                   title, QStringLiteral("sweep lines"));
}

/// A cell for each pair of values, coloured by its time; the fastest row where several stand at one place.
QString mapPlot(const RowList& rows, const Swept& across, const Swept& up, bool nameVariants,
                const QString& title) {
  using Key = std::pair<double, double>;
  PlotCells cells{
      .columns = across.values.size(),
      .cells = std::vector<PlotCells::Cell>(across.values.size() * up.values.size(), {.value = std::nan("")}),
      .title = {},
      .lowIsBright = true}; // fast is what is looked for
  for (const auto& [key, m] : fastestBy<Key>(rows, [&](const Measurement& one) {
         return Key{across.of(one), up.of(one)};
       })) {
    PlotCells::Cell& cell = cells.cells[up.index(key.second) * cells.columns + across.index(key.first)];
    cell.value = m->times.median;
    cell.text << microsecondsText(m->times.median);
    if (nameVariants) cell.text.prepend(qtext(m->candidate.variant->id()));
    cell.reading = placeText(*m, across) + QStringLiteral(", %1 %2").arg(up.title, up.text(key.second));
  }
  const double cellHeight = nameVariants ? 46 : 34;
  const SvgChart::Size size{.width = std::min(1060.0, 96 + 104.0 * static_cast<double>(across.values.size())),
                            .height = 62 + cellHeight * static_cast<double>(up.values.size()),
                            .left = 82,
                            .right = 14,
                            .top = 12,
                            .bottom = 48};
  return svgFigure({.x = PlotAxis::categories(across.title, across.labels()),
                    .y = PlotAxis::categories(up.title, up.labels()),
                    .cells = std::move(cells)},
                   size, title, QStringLiteral("sweep map small"));
}

std::vector<Swept> sweptProblems(const RowList& rows) {
  std::vector<Swept> axes{
      {ReportStrings::tr("points, N"), {}, [](const Problem& p) { return static_cast<double>(p.n); }, {}},
      {ReportStrings::tr("dimensions, D"), {}, [](const Problem& p) { return static_cast<double>(p.d); }, {}},
      {ReportStrings::tr("clusters, K"), {}, [](const Problem& p) { return static_cast<double>(p.k); }, {}}};
  for (Swept& axis : axes)
    for (const Measurement* m : rows)
      axis.values.insert(axis.of(*m));
  std::erase_if(axes, [](const Swept& axis) { return axis.values.size() < 2; });
  return axes;
}

std::vector<Swept> sweptParameterAxes(const RowList& rows) {
  std::vector<Swept> axes;
  for (const std::string_view parameterName : tuningParameters) {
    Swept axis{qtext(parameterName), parameterName, nullptr, {}};
    for (const Measurement* m : rows)
      if (m->candidate.variant->parameter(parameterName)) axis.values.insert(axis.of(*m));
    if (axis.values.size() > 1) axes.push_back(axis);
  }
  return axes;
}

void addRanked(RowList& rows, const RaceResult& race) {
  for (const Measurement& m : race.rows)
    if (m.rank > 0) rows.push_back(&m);
}

/// Maps of one stage, one for each value of the third axis where there is one.
void writeMaps(Markup& page, const RowList& rows, const std::vector<Swept>& axes, const QString& stage) {
  QStringList maps;
  const std::set<double> slices = axes.size() > 2 ? axes[2].values : std::set<double>{0};
  for (const double slice : slices) {
    RowList part = rows;
    if (axes.size() > 2) std::erase_if(part, [&](const Measurement* m) { return axes[2].of(*m) != slice; });
    if (part.empty()) continue;
    maps << mapPlot(part, axes[0], axes[1], true,
                    ReportStrings::tr("%1: the fastest variant by size").arg(stage));
  }
  QString caption =
      ReportStrings::tr("The fastest verified variant at every size, with its median in µs; bright is fast "
                        "(logarithmic).");
  if (axes.size() > 2) {
    QStringList texts;
    for (const double slice : slices)
      texts << axes[2].text(slice);
    caption +=
        u' ' +
        ReportStrings::tr("From top to bottom: %1 %2.").arg(axes[2].title, texts.join(QStringLiteral(", ")));
  }
  writeFigure(page, ReportStrings::tr("%1 over the sizes").arg(stage), caption, maps);
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

void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races) {
  RowList rows;
  for (const RaceResultPtr& race : races)
    addRanked(rows, *race);
  const std::vector<Swept> axes = sweptProblems(rows);
  if (axes.empty()) return;
  page.element("h2", ReportStrings::tr("Over all problems"));
  for (const auto& [stage, part] : byStage(rows)) {
    const QString who = qtext(name(stage));
    if (axes.size() == 1)
      writeFigure(
          page, ReportStrings::tr("%1 over %2").arg(who, axes[0].title),
          ReportStrings::tr(
              "Medians of every verified variant, with its fastest tuning parameters; an axis is logarithmic "
              "where its values span much."),
          {linePlot(part, axes[0], ReportStrings::tr("%1: time over %2").arg(who, axes[0].title))});
    else
      writeMaps(page, part, axes, who);
  }
}

void writeParameterSweeps(Markup& page, const RaceResult& race) {
  RowList rows;
  addRanked(rows, race);
  for (const auto& [stage, part] : byStage(rows)) {
    const QString who = qtext(name(stage));
    // Only what differs within a variant is a sweep; variants differ in their own values without one.
    std::map<const Variant*, RowList> variants;
    for (const Measurement* m : part)
      variants[m->candidate.variant].push_back(m);
    QStringList maps;
    QStringList names;
    std::map<QString, RowList> lines;
    for (const auto& [variant, own] : variants) {
      const std::vector<Swept> axes = sweptParameterAxes(own);
      if (axes.size() == 1) {
        RowList& list = lines[axes[0].title];
        list.insert(list.end(), own.begin(), own.end());
      } else if (axes.size() > 1 && static_cast<std::size_t>(maps.size()) < mostMaps) {
        maps << mapPlot(
            own, axes[0], axes[1], false,
            ReportStrings::tr("%1 over %2 and %3").arg(qtext(variant->id()), axes[0].title, axes[1].title));
        names << qtext(variant->id());
      }
    }
    for (const auto& [parameterName, list] : lines)
      for (const Swept& axis : sweptParameterAxes(list))
        if (axis.title == parameterName)
          writeFigure(page, ReportStrings::tr("%1 over %2").arg(who, parameterName),
                      ReportStrings::tr("Medians of the verified variants that have this tuning parameter."),
                      {linePlot(list, axis, ReportStrings::tr("%1: time over %2").arg(who, parameterName))});
    if (!maps.isEmpty())
      writeFigure(page, ReportStrings::tr("%1 over two tuning parameters").arg(who),
                  ReportStrings::tr("Medians in µs, bright is fast (logarithmic); where more than two tuning "
                                    "parameters were swept, "
                                    "the fastest of the rest. From top to bottom: %1.")
                      .arg(names.join(QStringLiteral(", "))),
                  maps);
  }
}

} // namespace lloyd
