// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/sweep_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/crossings.hpp"
#include "app/model/plot/plot_table.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/plot/plot_palette.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace lloyd {

QString sweptText(SweepParameter parameter, std::uint64_t value) {
  if (parameter == SweepParameter::arithmetic) return qtext(name(static_cast<Arithmetic>(value)));
  if (isDataParameter(parameter)) return tickText(static_cast<double>(value) / thousandths);
  if (value < 4096 || !std::has_single_bit(value)) return countText(value);
  constexpr std::array<char16_t, 10> raised{u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
  QString power = QStringLiteral("2");
  for (const QChar digit : QString::number(std::bit_width(value) - 1))
    power += QChar(raised[static_cast<std::size_t>(digit.digitValue())]);
  return power;
}

namespace {

constexpr double footRoom = 1.3; ///< what a logarithmic axis goes on below the least value for crosses

std::vector<double> valuesOf(const SweepResult& result, SweepMetric metric,
                             const std::vector<std::size_t>& candidates) {
  std::vector<double> values;
  for (const std::size_t c : candidates)
    for (std::size_t row = 0; row < result.plan.rows(); ++row)
      for (std::size_t column = 0; column < result.plan.columns(); ++column)
        if (const auto value = valueAt(result, column, row, c, metric)) values.push_back(*value);
  return values;
}

std::vector<double> valuesOf(const SweepResult& result, SweepMetric metric) {
  std::vector<std::size_t> all(result.plan.candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return valuesOf(result, metric, all);
}

/// ", vector 1" for what candidates of the same variant differ in and this one has as the variant's own.
QString toldApart(const SweepPlan& plan, const Candidate& one) {
  QString text;
  for (const Parameter& own : one.variant->info.parameters) {
    const bool differs = std::ranges::any_of(plan.candidates, [&](const Candidate& other) {
      return other.variant == one.variant && other.tuning.value(own.name) != one.tuning.value(own.name);
    });
    const bool swept = std::ranges::any_of(
        plan.axes, [&](const SweepAxis& axis) { return name(axis.parameter) == own.name; });
    if (differs && !swept && one.tuning.value(own.name) == own.fallback)
      text += QStringLiteral(", %1 %2").arg(qtext(own.name)).arg(own.fallback);
  }
  return text;
}

/// "V3", or the whole id where variants of several families are swept; with tuning parameters that are not
/// the variant's own, but for those that are swept, and those that tell it from others of its variant.
QString lineName(const SweepPlan& plan, Candidate one) {
  const QString apart = toldApart(plan, one);
  for (const SweepAxis& axis : plan.axes)
    if (const Parameter* own = one.variant->parameter(name(axis.parameter)); own)
      one.tuning.set(own->name, own->fallback);
  const bool oneFamily = std::ranges::all_of(plan.candidates, [&](const Candidate& other) {
    return other.variant->info.family == one.variant->info.family;
  });
  const QString whole = tunedName(one) + apart;
  return oneFamily
             ? nameWithin(one.stage, *one.variant) + whole.mid(static_cast<int>(one.variant->id().size()))
             : whole;
}

} // namespace

QString candidateName(const SweepPlan& plan, std::size_t candidate) {
  return lineName(plan, plan.candidates[candidate]);
}

QString cellText(const SweepResult& result, std::size_t column, std::size_t row, std::size_t candidate,
                 SweepMetric metric) {
  const Measurement* one = result.at(column, row, candidate);
  QStringList place;
  for (std::size_t a = 0; a < result.plan.axes.size(); ++a) {
    const SweepAxis& axis = result.plan.axes[a];
    const std::uint64_t value = axis.values[a == 0 ? column : row];
    place << QStringLiteral("%1 = %2").arg(
        qtext(name(axis.parameter)),
        axis.parameter >= SweepParameter::arithmetic ? sweptText(axis.parameter, value) : countText(value));
  }
  const QString who = lineName(result.plan, one ? one->candidate : result.plan.candidates[candidate]);
  const QString where = place.join(QStringLiteral(", "));
  const std::string reason = gapReason(one);
  if (!reason.empty())
    return ReportStrings::tr("%1 at %2: %3").arg(who, where, QString::fromStdString(reason));
  if (!valueOf(one, SweepMetric::median))
    return ReportStrings::tr("%1 at %2: not measured yet").arg(who, where);
  QString text = ReportStrings::tr("%1 at %2: %3 µs, noise %4 %")
                     .arg(who, where, microsecondsText(one->times.median), percentText(one->times.noise));
  const auto value = valueAt(result, column, row, candidate, metric);
  const bool shape = metric == SweepMetric::occupancy || metric == SweepMetric::registers;
  if (value && metric != SweepMetric::median && !shape)
    text += QStringLiteral(", %1 %2").arg(significantText(*value), metricTitle(metric));
  if (const auto& resources = one->resources)
    text += ReportStrings::tr(", occupancy %1 %, %2 registers")
                .arg(significantText(100 * resources->occupancy))
                .arg(resources->registers);
  else if (!value)
    text += ReportStrings::tr("; %1: unknown here").arg(metricTitle(metric));
  return text;
}

namespace {

/// The one axis that lines go along, and what was measured there.
class Along {
public:
  explicit Along(const SweepResult& result)
      : result_(result), rows_(result.plan.columns() == 1 && result.plan.rows() > 1) {}

  [[nodiscard]] const SweepAxis& axis() const { return result_.plan.axes[rows_ ? 1 : 0]; }
  /// The axis with a single value.
  [[nodiscard]] const SweepAxis& other() const { return result_.plan.axes[rows_ ? 0 : 1]; }
  [[nodiscard]] const Measurement* at(std::size_t place, std::size_t candidate) const {
    return result_.at(column(place), row(place), candidate);
  }
  [[nodiscard]] QString text(std::size_t place, std::size_t candidate, SweepMetric metric) const {
    return cellText(result_, column(place), row(place), candidate, metric);
  }
  [[nodiscard]] std::optional<double> value(std::size_t place, std::size_t candidate,
                                            SweepMetric metric) const {
    return valueAt(result_, column(place), row(place), candidate, metric);
  }
  [[nodiscard]] std::optional<std::size_t> bestAt(std::size_t place, SweepMetric metric) const {
    return lloyd::bestAt(result_, column(place), row(place), metric);
  }

private:
  [[nodiscard]] std::size_t column(std::size_t place) const { return rows_ ? 0 : place; }
  [[nodiscard]] std::size_t row(std::size_t place) const { return rows_ ? place : 0; }

  const SweepResult& result_;
  bool rows_;
};

QString countsText(const SweepResult& result) {
  const auto done = static_cast<std::size_t>(
      std::ranges::count_if(result.cells, [](const auto& cell) { return cell != nullptr; }));
  return result.finished ? ReportStrings::tr("%1 measurements").arg(countText(done))
                         : ReportStrings::tr("%1 of %2 measurements")
                               .arg(countText(done), countText(result.cells.size()));
}

/// "d = 2, k = 16": what no axis of the plot has. single: an axis of one value, which is not drawn.
QString fixedText(const SweepPlan& plan, const SweepAxis* single) {
  QStringList fixed;
  const auto add = [&](SweepParameter parameter, std::uint64_t value) {
    fixed << QStringLiteral("%1 = %2").arg(qtext(name(parameter)), sweptText(parameter, value));
  };
  const std::pair<SweepParameter, std::uint64_t> sizes[] = {
      {SweepParameter::n, plan.base.n},
      {SweepParameter::d, static_cast<std::uint64_t>(plan.base.d)},
      {SweepParameter::k, static_cast<std::uint64_t>(plan.base.k)}};
  for (const auto& [parameter, value] : sizes)
    if (!plan.sweeps(parameter)) add(parameter, value);
  if (single) add(single->parameter, single->values.front());
  return fixed.join(QStringLiteral(", "));
}

/// What the axes do not say: they have what is measured and over what.
QString titleOf(const SweepPlan& plan, const QString& who, const SweepAxis* single) {
  const QString fixed = fixedText(plan, single);
  return fixed.isEmpty() ? who : ReportStrings::tr("%1: %2").arg(who, fixed);
}

std::vector<PlotTick> placesOf(const SweepAxis& axis) {
  std::vector<PlotTick> places;
  for (const std::uint64_t value : axis.values)
    places.push_back({static_cast<double>(value), sweptText(axis.parameter, value)});
  return places;
}

/// Why a sweep that has ended has no value of a metric, though it has times; empty where it has one.
QString whyNoValues(const SweepResult& result, SweepMetric metric) {
  if (!result.finished || !valuesOf(result, metric).empty() || valuesOf(result, SweepMetric::median).empty())
    return {};
  if (metric == SweepMetric::relative)
    return ReportStrings::tr(
        "What is relative to one point a thread needs a sweep over items that begins at 1: "
        "choose items for Over or And, and a variant that has them.");
  if (metric == SweepMetric::occupancy || metric == SweepMetric::registers)
    return ReportStrings::tr("Occupancy and registers are those of kernels on a GPU: none ran here.");
  return ReportStrings::tr("%1 is not known of any of these.").arg(metricTitle(metric));
}

/// A cross wherever a variant cannot run, with the reasons of all that cannot.
PlotSeries gapMarks(const SweepResult& result, const Along& along, SweepMetric metric) {
  PlotSeries gaps{.style = PlotSeries::Style::marks,
                  .ink = {PlotInk::Of::dim},
                  .marker = PlotMarker::cross,
                  .size = 7,
                  .atFoot = true};
  for (std::size_t i = 0; i < along.axis().values.size(); ++i) {
    QStringList here;
    for (std::size_t c = 0; c < result.plan.candidates.size(); ++c)
      if (!gapReason(along.at(i, c)).empty()) here << along.text(i, c, metric);
    if (here.isEmpty()) continue;
    gaps.points.emplace_back(static_cast<double>(along.axis().values[i]), 1);
    gaps.readings.push_back(here.join(QStringLiteral("; ")));
  }
  return gaps;
}

} // namespace

QString axisTitle(SweepParameter parameter) {
  const QString titles[] = {ReportStrings::tr("n, points"),
                            ReportStrings::tr("d, dimensions"),
                            ReportStrings::tr("k, clusters"),
                            ReportStrings::tr("threads in a block"),
                            ReportStrings::tr("points a thread"),
                            ReportStrings::tr("floats a load"),
                            ReportStrings::tr("clusters a turn of the loop"),
                            ReportStrings::tr("arithmetic"),
                            ReportStrings::tr("share of shuffled points"),
                            ReportStrings::tr("spread of clusters"),
                            ReportStrings::tr("skew of cluster sizes")}; // as SweepParameter has them
  return titles[static_cast<std::size_t>(parameter)];
}

QString metricTitle(SweepMetric metric) {
  if (metric == SweepMetric::median) return ReportStrings::tr("median µs");
  if (metric == SweepMetric::occupancy) return ReportStrings::tr("occupancy %");
  if (metric == SweepMetric::relative) return ReportStrings::tr("times as fast as with one point a thread");
  return metric == SweepMetric::ofLimit ? ReportStrings::tr("% of the limit") : qtext(unit(metric));
}

bool spansMuch(const SweepResult& result, SweepMetric metric) {
  return metric != SweepMetric::ofLimit && PlotAxis::around({}, valuesOf(result, metric)).log;
}

Figure sweepLines(const SweepResult& result, SweepMetric metric, bool logarithmic) {
  if (const QString why = whyNoValues(result, metric); !why.isEmpty())
    return {.title = metricTitle(metric), .empty = why};
  const Along along(result);
  const std::size_t places = along.axis().values.size();
  PlotPanel panel;
  for (std::size_t c = 0; c < result.plan.candidates.size(); ++c) {
    PlotSeries line{.name = lineName(result.plan, result.plan.candidates[c]),
                    .ink = PlotInk::series(c),
                    .marker = markerOf(c)};
    for (std::size_t i = 0; i < places; ++i) {
      line.points.emplace_back(static_cast<double>(along.axis().values[i]),
                               along.value(i, c, metric).value_or(std::nan("")));
      line.readings.push_back(along.text(i, c, metric));
    }
    panel.series.push_back(std::move(line));
  }
  PlotSeries gaps = gapMarks(result, along, metric);
  const bool some = !gaps.points.empty();
  panel.series.push_back(std::move(gaps));
  panel.x = PlotAxis::through(axisTitle(along.axis().parameter), placesOf(along.axis()));
  const std::vector<double> values = valuesOf(result, metric);
  panel.y = logarithmic ? PlotAxis::around(metricTitle(metric), values, true)
                        : PlotAxis::fromZero(metricTitle(metric), values);
  if (some && panel.y.log) panel.y.low /= footRoom;
  const auto crossings = crossingsOf(result, metric, {.logAlong = panel.x.log, .logUp = panel.y.log});
  std::vector<QString> names;
  for (const Candidate& one : result.plan.candidates)
    names.push_back(lineName(result.plan, one));
  if (!crossings.empty()) panel.series.push_back(crossingMarks(crossings, along.axis(), metric, names));
  const SweepPlan& plan = result.plan;
  Figure figure{.title = titleOf(plan, qtext(name(plan.candidates.front().stage)),
                                 plan.axes.size() == 2 ? &along.other() : nullptr),
                .note = countsText(result)};
  if (some)
    figure.note +=
        ReportStrings::tr("; a cross at the foot: a variant cannot run there, point at it for the reason");
  if (!crossings.empty())
    figure.note += QStringLiteral("; ") + crossingsText(crossings, along.axis(), metric, names);
  figure.summary =
      ReportStrings::tr("%1, %2 over %3. %4.")
          .arg(figure.title, metricTitle(metric), qtext(name(along.axis().parameter)), figure.note);
  if (const auto winner = along.bestAt(places - 1, metric))
    figure.summary +=
        ReportStrings::tr(" At the right end the best is %1.").arg(along.text(places - 1, *winner, metric));
  figure.panels.push_back(std::move(panel));
  return figure;
}

std::optional<std::pair<double, double>> mapRange(const SweepResult& result, SweepMetric metric,
                                                  const std::vector<std::size_t>& candidates) {
  const std::vector<double> values = valuesOf(result, metric, candidates);
  if (values.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(values);
  return std::pair(least, most);
}

namespace {

/// One place of the map of a candidate, or of the best there.
PlotCells::Cell mapCell(const SweepResult& result, std::size_t column, std::size_t row, SweepMetric metric,
                        std::optional<std::size_t> candidate) {
  const SweepPlan& plan = result.plan;
  const auto shown = candidate ? candidate : bestAt(result, column, row, metric);
  const auto value = shown ? valueAt(result, column, row, *shown, metric) : std::nullopt;
  PlotCells::Cell cell;
  cell.value = value.value_or(std::nan(""));
  cell.reading = cellText(result, column, row, shown.value_or(0), metric);
  if (value) {
    cell.text << significantText(cell.value);
    if (!candidate) cell.text << lineName(plan, plan.candidates[*shown]);
    return cell;
  }
  bool gap = true;
  for (std::size_t c = 0; c < plan.candidates.size(); ++c)
    if (!candidate || c == *candidate) gap = gap && !gapReason(result.at(column, row, c)).empty();
  if (gap) cell.text << unknownText();
  return cell;
}

} // namespace

Figure sweepMap(const SweepResult& result, SweepMetric metric, std::optional<std::size_t> candidate) {
  if (const QString why = whyNoValues(result, metric); !why.isEmpty())
    return {.title = metricTitle(metric), .empty = why};
  const SweepPlan& plan = result.plan;
  PlotCells cells{.columns = plan.columns(),
                  .cells = {},
                  .title = metricTitle(metric),
                  .lowIsBright = lessIsBetter(metric)};
  for (std::size_t row = 0; row < plan.rows(); ++row)
    for (std::size_t column = 0; column < plan.columns(); ++column)
      cells.cells.push_back(mapCell(result, column, row, metric, candidate));
  PlotPanel panel;
  const auto axisOf = [](const SweepAxis& axis) {
    std::vector<QString> labels;
    for (const PlotTick& place : placesOf(axis))
      labels.push_back(place.label);
    return PlotAxis::categories(axisTitle(axis.parameter), labels);
  };
  panel.x = axisOf(plan.axes[0]);
  panel.y = axisOf(plan.axes[1]);
  const QString who = candidate
                          ? tunedName(plan.candidates[*candidate])
                          : ReportStrings::tr("Best %1").arg(qtext(name(plan.candidates.front().stage)));
  Figure figure{.title = titleOf(plan, who, nullptr), .note = countsText(result)};
  const bool gaps =
      std::ranges::any_of(result.cells, [](const auto& cell) { return !gapReason(cell.get()).empty(); });
  if (gaps) figure.note += ReportStrings::tr("; a dash: it cannot run there, point at it for the reason");
  figure.summary = ReportStrings::tr("%1, %2 over %3 and %4, %5 by %6 places. %7.")
                       .arg(figure.title, cells.title, qtext(name(plan.axes[0].parameter)),
                            qtext(name(plan.axes[1].parameter)))
                       .arg(plan.columns())
                       .arg(plan.rows())
                       .arg(figure.note);
  panel.cells = std::move(cells);
  figure.panels.push_back(std::move(panel));
  return figure;
}

Figure linkedMap(const SweepResult& result, SweepMetric metric, std::size_t candidate,
                 std::optional<std::pair<double, double>> range) {
  Figure figure = sweepMap(result, metric, candidate);
  if (!figure.empty.isEmpty()) return figure;
  figure.title = ReportStrings::tr("%1: %2").arg(candidateName(result.plan, candidate), metricTitle(metric));
  PlotPanel& panel = figure.panels.front();
  // Beside others there is room for what they differ in.
  const QString name = candidateName(result.plan, candidate);
  const QString apart = name.section(QStringLiteral(", "), 1);
  const QString what = metric == SweepMetric::relative ? ReportStrings::tr("gain") : qtext(unit(metric));
  figure.shortTitle = metric == SweepMetric::occupancy // stands below the same with its time
                          ? metricTitle(metric)
                          : ReportStrings::tr("%1: %2").arg(apart.isEmpty() ? name : apart, what);
  panel.x.title = qtext(lloyd::name(result.plan.axes[0].parameter));
  panel.y.title = qtext(lloyd::name(result.plan.axes[1].parameter));
  PlotCells& cells = *panel.cells;
  cells.scaled = false;
  cells.shared = range;
  return figure;
}

Figure colourScale(const PlotCells& cells) {
  const auto [low, high] = cells.range();
  if (!(high > low)) return {.empty = cells.title};
  constexpr int steps = 64;
  PlotPanel panel;
  panel.x = {.title = cells.title, .log = cells.logarithmic(), .low = low, .high = high, .grid = false};
  panel.y = {.numbered = false, .grid = false};
  const auto valueAt = [&, low = low, high = high](double part) {
    return panel.x.log ? low * std::pow(high / low, part) : low + (high - low) * part;
  };
  for (int i = 0; i < steps; ++i) {
    const double left = valueAt(static_cast<double>(i) / steps);
    const double right = valueAt(std::min(1.0, (i + 1.4) / steps)); // under the next, so that no line shows
    const PlotRgb colour = rampRgb(cells.brightness(valueAt((i + 0.5) / steps)));
    panel.series.push_back(
        {.style = PlotSeries::Style::lying,
         .ink = PlotInk::exact(colour),
         .bar = 1,
         .points = {{left, 0.5}, {right, 0.5}},
         .readings = {ReportStrings::tr("%1: about %2")
                          .arg(cells.title, significantText(valueAt((i + 0.5) / steps)))}});
  }
  Figure figure{.summary = ReportStrings::tr("The colours of %1").arg(cells.title)};
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace lloyd
