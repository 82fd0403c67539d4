// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/run_figures.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <array>
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
  if (high == 0 && foot == 0) return {.low = 0, .high = 1}; // nothing is left, or nothing ever was
  const double size = std::max(high - foot, std::abs(high) * 1e-3);
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
    figure.empty = ReportStrings::tr("How fast the run converges appears here, from its first iteration on.");
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

/// From the axis upwards: what computes first, because that is what is compared; waiting last, because it is
/// as long as one likes.
constexpr std::array stack{Stage::classify, Stage::reduce, Stage::fused,       Stage::labels, Stage::update,
                           Stage::inertia,  Stage::order,  Stage::advance,     Stage::map,    Stage::unmap,
                           Stage::upload,   Stage::draw,   Stage::unaccounted, Stage::wait};

double shownUs(const FrameTimes& frame, bool waiting) {
  double sum = 0;
  for (const Stage stage : stack)
    if (waiting || stage != Stage::wait) sum += frame.us[stage].value_or(0);
  return sum;
}

/// The stages that took place, each on top of those before.
std::vector<PlotSeries> stackOf(const FrameLog& record, bool waiting) {
  std::vector<PlotSeries> areas;
  std::vector<double> height(record.entries().size(), 0.0);
  for (const Stage stage : stack) {
    if (!waiting && stage == Stage::wait) continue;
    PlotSeries area{.name = qtext(name(stage)),
                    .style = PlotSeries::Style::stacked,
                    .ink = PlotInk::stage(stage),
                    .width = 1};
    bool takesPlace = false;
    for (std::size_t f = 0; f < height.size(); ++f) {
      const FrameTimes& frame = record.entries()[f];
      takesPlace = takesPlace || frame.us[stage];
      height[f] += frame.us[stage].value_or(0);
      area.points.emplace_back(static_cast<double>(frame.number), height[f]);
    }
    if (takesPlace) areas.push_back(std::move(area));
  }
  return areas;
}

std::optional<PlotReading> readFrame(const FrameLog& record, bool waiting, double x) {
  const auto& entries = record.entries();
  const auto found = std::ranges::find_if(
      entries, [&](const FrameTimes& frame) { return static_cast<double>(frame.number) == std::round(x); });
  if (found == entries.end()) return std::nullopt;
  QString text;
  for (const Stage stage : stack)
    if (found->us[stage])
      text += QStringLiteral("%1 %2, ").arg(qtext(name(stage)), microsecondsText(*found->us[stage]));
  const QString what =
      record.wholeFrames() ? ReportStrings::tr("Frame %1") : ReportStrings::tr("Iteration %1");
  return PlotReading{QStringLiteral("%1: %2 %3")
                         .arg(what.arg(countText(found->number)), text + ReportStrings::tr("together"),
                              ReportStrings::tr("%1 µs").arg(microsecondsText(found->us.sumUs()))),
                     {std::round(x), shownUs(*found, waiting)}};
}

QString summaryOf(const FrameLog& record, bool simulated) {
  QStringList parts;
  double whole = 0;
  for (const Stage stage : stack) {
    std::vector<double> us;
    for (const FrameTimes& frame : record.entries())
      if (frame.us[stage]) us.push_back(*frame.us[stage]);
    if (us.empty()) continue;
    const double median = summarise(us).median;
    whole += median;
    parts << QStringLiteral("%1 %2").arg(qtext(name(stage)), microsecondsText(median));
  }
  const std::size_t count = record.entries().size();
  const QString last = record.wholeFrames() ? countedText(count, ReportStrings::tr("Last %1 frame"),
                                                          ReportStrings::tr("Last %1 frames"))
                                            : countedText(count, ReportStrings::tr("Last %1 iteration"),
                                                          ReportStrings::tr("Last %1 iterations"));
  return ReportStrings::tr("%1, medians in microseconds: %2; together %3.%4")
      .arg(last, parts.join(QStringLiteral(", ")), microsecondsText(whole),
           simulated ? ReportStrings::tr(" These are times of the SIMT simulator, not of a GPU.")
                     : QString());
}

} // namespace

Figure convergence(const std::shared_ptr<const ConvergenceRuns>& runs, bool logarithmic) {
  Figure figure = figureOf(runs, logarithmic, 3);
  figure.title = runs->other ? ReportStrings::tr("Convergence of A (solid) and B (dashed)")
                             : ReportStrings::tr("Convergence");
  const QString own = lastText(runs->run);
  const QString others = runs->other ? lastText(*runs->other) : QString();
  const auto sideText = [](const QString& side, const Run& run) {
    return run.empty() ? ReportStrings::tr("%1 has not begun").arg(side)
                       : ReportStrings::tr("%1 at %2").arg(side, lastText(run));
  };
  QString text = own;
  if (runs->other && own != others)
    text = sideText(QStringLiteral("A"), runs->run) + QStringLiteral("; ") +
           sideText(QStringLiteral("B"), *runs->other);
  else if (runs->other)
    text = runs->run.empty() ? ReportStrings::tr("A and B have not begun")
                             : ReportStrings::tr("A and B at %1").arg(own);
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

Figure frameTimes(const std::shared_ptr<const FrameLog>& record, bool simulated, bool waiting) {
  const auto& entries = record->entries();
  if (entries.empty())
    return {.title = ReportStrings::tr("Time per stage"),
            .empty = ReportStrings::tr(
                "The time of each frame, stage by stage, appears here while iterations go on.")};
  const bool frames = record->wholeFrames();
  // One late frame must not flatten three hundred: the axis ends a little above nearly all of them, and the
  // note counts those that are higher.
  std::vector<double> sums;
  sums.reserve(entries.size());
  for (const FrameTimes& frame : entries)
    sums.push_back(shownUs(frame, waiting));
  std::ranges::sort(sums);
  const double most = sums.back();
  const double nearly = sums[static_cast<std::size_t>(0.96 * static_cast<double>(sums.size() - 1))];
  const double top = 1.06 * (most > 2 * nearly && nearly > 0 ? 1.25 * nearly : most);
  const auto higher = sums.end() - std::upper_bound(sums.begin(), sums.end(), top);

  const auto first = static_cast<double>(entries.front().number);
  const auto last = static_cast<double>(entries.back().number);
  PlotPanel panel;
  panel.x = {.title = frames ? ReportStrings::tr("frames timed") : ReportStrings::tr("iterations timed"),
             .low = first - 0.5,
             .high = std::max(last, first + 4) + 0.5,
             .whole = true};
  const QString unit = frames ? ReportStrings::tr("µs a frame") : ReportStrings::tr("µs an iteration");
  panel.y = {.title = simulated ? ReportStrings::tr("simulated %1").arg(unit) : unit,
             .high = top > 0 ? top : 1};
  panel.series = stackOf(*record, waiting);
  panel.read = [record, waiting](QPointF at) { return readFrame(*record, waiting, at.x()); };

  Figure figure;
  const QString what = frames ? ReportStrings::tr("Time per stage, each frame with one iteration")
                              : ReportStrings::tr("Time per stage of each iteration");
  figure.title = simulated ? ReportStrings::tr("%1: simulated").arg(what) : what;
  figure.toolTip =
      frames ? ReportStrings::tr(
                   "Microseconds. Drawing and iterating take turns, so the stages of a frame add up to it.")
             : ReportStrings::tr("Microseconds. Iterations run on a thread beside the frames, so drawing "
                                 "and waiting are no part of them.");
  if (higher > 0)
    figure.note = (higher == 1 ? ReportStrings::tr("%1 of %2 is higher, at %3 µs")
                               : ReportStrings::tr("%1 of %2 are higher, the highest %3 µs"))
                      .arg(higher)
                      .arg(sums.size())
                      .arg(microsecondsText(most));
  else
    figure.note =
        frames ? ReportStrings::tr("Iteration and frame take turns: the stages add up to the frame")
               : ReportStrings::tr("Iterations run beside the frames: drawing and waiting are not in them");
  figure.summary = summaryOf(*record, simulated);
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace lloyd
