// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/frame_time_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

namespace {

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
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const FrameTimes& frame) {
    return static_cast<double>(frame.number) == std::round(x);
  });
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
  return (record.wholeFrames()
              ? ReportStrings::tr("Last %1 frames, medians in microseconds: %2; together %3.%4")
              : ReportStrings::tr("Last %1 iterations, medians in microseconds: %2; together %3.%4"))
      .arg(countText(record.entries().size()), parts.join(QStringLiteral(", ")), microsecondsText(whole),
           simulated ? ReportStrings::tr(" These are times of the SIMT simulator, not of a GPU.")
                     : QString());
}

} // namespace

Figure frameTimes(const std::shared_ptr<const FrameLog>& record, bool simulated, bool waiting) {
  const auto& entries = record->entries();
  if (entries.empty())
    return {.title = ReportStrings::tr("Time per stage"),
            .empty = ReportStrings::tr("Press play: the time of each frame, stage by stage, appears here.")};
  const bool frames = record->wholeFrames();
  // One late frame must not flatten three hundred: the axis ends a little above nearly all of them, and the
  // note counts those that are higher.
  std::vector<double> sums;
  sums.reserve(entries.size());
  for (const FrameTimes& frame : entries)
    sums.push_back(shownUs(frame, waiting));
  std::sort(sums.begin(), sums.end());
  const double most = sums.back();
  const double nearly = sums[static_cast<std::size_t>(0.96 * static_cast<double>(sums.size() - 1))];
  const double top = 1.06 * (most > 2 * nearly && nearly > 0 ? 1.25 * nearly : most);
  const auto higher = sums.end() - std::upper_bound(sums.begin(), sums.end(), top);

  const auto first = static_cast<double>(entries.front().number);
  const auto last = static_cast<double>(entries.back().number);
  PlotPanel panel;
  panel.x = {.title = frames ? ReportStrings::tr("frame") : ReportStrings::tr("iteration"),
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
