// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/convergence_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

using Run = std::deque<IterationStats>;

constexpr std::size_t fewMarked = 40; ///< iterations that each get a mark

std::optional<double> valueOf(const IterationStats& entry, std::size_t quantity) {
  if (quantity == 0) return entry.inertia;
  if (quantity == 2) return entry.shift;
  if (entry.changed) return static_cast<double>(*entry.changed);
  return std::nullopt;
}

QString nameOf(std::size_t quantity) {
  return quantity == 0   ? ReportStrings::tr("inertia (squared units of the data)")
         : quantity == 1 ? ReportStrings::tr("points that changed")
                         : ReportStrings::tr("largest shift of a centroid (units of the data)");
}

/// Four digits that fit a line: 178,200,000 reads 1.782e8.
QString inertiaText(double inertia) {
  return inertia < 1e7 ? significantText(inertia, 4) : tickText(inertia);
}

QString entryText(const IterationStats& entry) {
  return ReportStrings::tr("inertia %1, %2 changed, shift %3")
      .arg(inertiaText(entry.inertia), entry.changed ? countText(*entry.changed) : unknownText(),
           significantText(entry.shift));
}

QString lastText(const Run& run) {
  return run.empty()
             ? ReportStrings::tr("not begun")
             : ReportStrings::tr("iteration %1: %2").arg(run.back().iteration).arg(entryText(run.back()));
}

PlotSeries lineOf(const Run& run, std::size_t quantity, std::size_t side, bool few) {
  PlotSeries line{.ink = PlotInk::series(side), .dashed = side > 0, .hollow = side > 0, .size = 4};
  if (few) line.marker = markerOf(side);
  for (const IterationStats& entry : run)
    line.points.emplace_back(entry.iteration, valueOf(entry, quantity).value_or(std::nan("")));
  return line;
}

/// Around all values that have a place on the axis, with room for the caption above.
PlotAxis upAxis(const std::vector<PlotSeries>& lines, std::size_t quantity, bool logarithmic) {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (const PlotSeries& line : lines)
    for (const QPointF& point : line.points)
      if (std::isfinite(point.y()) && (!logarithmic || point.y() > 0)) {
        low = std::min(low, point.y());
        high = std::max(high, point.y());
      }
  if (!(low <= high))
    return {.log = logarithmic, .low = logarithmic ? 1.0 : 0, .high = logarithmic ? 10.0 : 1};
  if (logarithmic) {
    const double part = std::pow(std::max(high / low, 1.02), 0.12);
    return {.log = true, .low = low / part, .high = high * part * part};
  }
  // What counts how much is left has its zero at the foot; inertia is far from its own.
  const double foot = quantity == 0 ? low : 0.0;
  const double size = std::max(high - foot, std::max(std::abs(high) * 1e-3, 1e-9));
  return {.low = foot - (quantity == 0 ? 0.06 : 0.0) * size, .high = high + 0.3 * size};
}

PlotAxis acrossAxis(const ConvergenceRuns& runs) {
  double first = std::numeric_limits<double>::max();
  double last = 0;
  for (const Run* run : {&runs.run, runs.other ? &*runs.other : nullptr}) {
    if (!run || run->empty()) continue;
    first = std::min(first, static_cast<double>(run->front().iteration));
    last = std::max(last, static_cast<double>(run->back().iteration));
  }
  const double room = std::max(last - first, 4.0) * 0.02;
  return {.low = first - room, .high = std::max(last, first + 4) + room, .whole = true};
}

std::optional<PlotReading> readIteration(const ConvergenceRuns& runs, std::size_t quantity, double x) {
  const int iteration = static_cast<int>(std::lround(x));
  const auto entryOf = [&](const Run& run) {
    const auto found = std::find_if(
        run.begin(), run.end(), [&](const IterationStats& entry) { return entry.iteration == iteration; });
    return found == run.end() ? nullptr : &*found;
  };
  const IterationStats* a = entryOf(runs.run);
  const IterationStats* b = runs.other ? entryOf(*runs.other) : nullptr;
  if (!a && !b) return std::nullopt;
  QString text = ReportStrings::tr("Iteration %1").arg(iteration);
  if (a) text += (runs.other ? ReportStrings::tr("; A: %1") : QStringLiteral(": %1")).arg(entryText(*a));
  if (b) text += ReportStrings::tr("; B: %1").arg(entryText(*b));
  return PlotReading{text, QPointF(iteration, valueOf(a ? *a : *b, quantity).value_or(0))};
}

Figure figureOf(const std::shared_ptr<const ConvergenceRuns>& runs, bool logarithmic,
                std::size_t quantities) {
  const auto& [run, other] = *runs;
  Figure figure;
  if (run.empty() && (!other || other->empty())) {
    figure.empty = ReportStrings::tr("Press play: how fast the run converges appears here.");
    return figure;
  }
  const bool few = std::max(run.size(), other ? other->size() : 0) < fewMarked;
  for (std::size_t i = 0; i < quantities; ++i) {
    PlotPanel& panel = figure.panels.emplace_back();
    panel.series.push_back(lineOf(run, i, 0, few));
    if (other) panel.series.push_back(lineOf(*other, i, 1, few));
    panel.x = acrossAxis(*runs);
    panel.x.numbered = i + 1 == quantities;
    if (panel.x.numbered) panel.x.title = ReportStrings::tr("iteration");
    panel.y = upAxis(panel.series, i, logarithmic);
    if (quantities > 1) panel.captions.push_back({nameOf(i)}); // else the title names it
    panel.read = [runs, i](QPointF at) { return readIteration(*runs, i, at.x()); };
  }
  return figure;
}

} // namespace

Figure convergence(const std::shared_ptr<const ConvergenceRuns>& runs, bool logarithmic) {
  Figure figure = figureOf(runs, logarithmic, 3);
  figure.title = runs->other ? ReportStrings::tr("Convergence of A (solid) and B (dashed)")
                             : ReportStrings::tr("Convergence");
  const QString own = lastText(runs->run);
  const QString others = runs->other ? lastText(*runs->other) : QString();
  const QString text = !runs->other    ? own
                       : own == others ? ReportStrings::tr("A and B at %1").arg(own)
                                       : ReportStrings::tr("A at %1; B at %2").arg(own, others);
  figure.note = text.left(1).toUpper() + text.mid(1);
  figure.summary = ReportStrings::tr("Convergence. %1.").arg(text);
  return figure;
}

Figure inertiaAlone(const std::shared_ptr<const ConvergenceRuns>& runs, bool logarithmic) {
  Figure figure = figureOf(runs, logarithmic, 1);
  figure.title = runs->run.empty()
                     ? ReportStrings::tr("Inertia")
                     : ReportStrings::tr("Inertia %1").arg(inertiaText(runs->run.back().inertia));
  figure.toolTip = ReportStrings::tr(
      "Sum of squared distances of the points to their centroids, in squared units of the data");
  figure.summary = ReportStrings::tr("%1 over iterations.").arg(figure.title);
  return figure;
}

} // namespace lloyd
