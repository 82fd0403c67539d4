// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/apart_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

using Style = PlotSeries::Style;

constexpr double thickness = 0.62; ///< of a bar, of its row
constexpr double versionSize = 9;  ///< of a version's mark, pixels

/// "9.87 µs"
QString timeText(double us) { return ReportStrings::tr("%1 µs").arg(microsecondsText(us)); }

/// Whether a gain can be told from none.
bool isTold(const Microseconds& gain) { return !gain.holds(0); }

/// "saves 1.23 µs, 12.5 %", or "costs".
QString gainText(const StepApart& apart, const Microseconds& gain) {
  const QString text = !isTold(gain) ? ReportStrings::tr("no gain that could be told: %1 µs, %2 %")
                       : gain.us < 0 ? ReportStrings::tr("costs %1 µs, %2 %")
                                     : ReportStrings::tr("saves %1 µs, %2 %");
  const QString sign = !isTold(gain) && gain.us < 0 ? QStringLiteral("\u2212") : QString();
  return text.arg(sign + microsecondsText(std::abs(gain.us)),
                  sign + percentText(std::abs(apart.partOf(gain.us))));
}

/// " (interval 1.2 to 1.3 µs)"; empty where none is known.
QString intervalText(const Microseconds& number) {
  if (!number.known()) return {};
  return ReportStrings::tr(", interval %1 to %2 µs")
      .arg(significantText(number.low), significantText(number.high));
}

void addPair(PlotSeries& series, double from, double to, double y, const QString& reading) {
  series.points.emplace_back(from, y);
  series.points.emplace_back(to, y);
  series.readings.push_back(reading);
}

/// From the least to the largest of values, with a little room: what a step gains may be a hundredth of what
/// it takes.
PlotAxis axisAround(const QString& title, const std::vector<double>& values) {
  constexpr double room = 0.05;
  if (values.empty()) return {.title = title};
  const auto [low, high] = std::ranges::minmax(values);
  const double space = high > low ? (high - low) * room : std::max(std::abs(high) * room, 1e-3);
  // No time is below nought, though an interval may reach there.
  return {.title = title, .low = low < 0 ? low - space : std::max(0.0, low - space), .high = high + space};
}

/// The rows of the waterfall while they are laid from the top.
class Rows {
public:
  Rows() {
    axis_ = {.high = 0, .grid = false};
    versions_ = {.style = Style::marks,
                 .ink = {PlotInk::Of::text},
                 .marker = PlotMarker::diamond,
                 .size = versionSize};
    gains_ = {.style = Style::lying, .ink = PlotInk::series(2), .bar = thickness};
    losses_ = {.style = Style::lying, .ink = {PlotInk::Of::alert}, .bar = thickness};
    untold_ = {.style = Style::lying, .ink = {PlotInk::Of::dim}, .bar = thickness};
    whiskers_ = {.style = Style::whisker, .size = 9};
    words_ = {.style = Style::marks, .labelsBehind = true};
  }

  void version(const QString& name, const Microseconds& time, const QString& words) {
    const double y = row(name, true);
    // A bar would begin at nought, which is out of sight.
    versions_.points.emplace_back(time.us, y);
    versions_.readings.push_back(
        ReportStrings::tr("%1: %2%3").arg(name, timeText(time.us), intervalText(time)));
    see(time.us);
    behind(y, std::max(time.us, whisker(time.low, time.high, time, y)), words);
    now_ = time.us;
  }
  void gain(const QString& name, const Microseconds& gain, const QString& words) {
    const double y = row(name, false);
    const double next = now_ - gain.us;
    addPair(!isTold(gain) ? untold_
            : gain.us < 0 ? losses_
                          : gains_,
            std::min(now_, next), std::max(now_, next), y,
            name + QStringLiteral(": ") + words + intervalText(gain));
    see(next);
    behind(y, std::max({now_, next, whisker(now_ - gain.high, now_ - gain.low, gain, y)}), words);
    now_ = next;
  }

  [[nodiscard]] PlotPanel panel() && {
    PlotPanel panel;
    panel.x = axisAround(ReportStrings::tr("time of one launch, µs"), seen_);
    panel.y = axis_;
    panel.series = std::move(ways_);
    for (PlotSeries* one : {&gains_, &losses_, &untold_, &whiskers_, &versions_, &words_})
      if (!one->points.empty()) panel.series.push_back(std::move(*one));
    return panel;
  }

private:
  double row(const QString& name, bool bold) {
    const double y = axis_.low++ + 0.5;
    if (!axis_.places.empty())
      ways_.push_back({.style = Style::line,
                       .ink = {PlotInk::Of::dim},
                       .dashed = true,
                       .width = 1,
                       .points = {{now_, y - 1}, {now_, y}}});
    axis_.places.push_back({y, name, bold});
    return y;
  }
  /// The right end of the interval, where one is known.
  double whisker(double low, double high, const Microseconds& number, double y) {
    if (!number.known()) return -std::numeric_limits<double>::infinity();
    addPair(whiskers_, low, high, y, QString());
    see(low);
    see(high);
    return high;
  }
  void see(double value) {
    if (std::isfinite(value)) seen_.push_back(value);
  }
  void behind(double y, double x, const QString& words) {
    words_.points.emplace_back(x, y);
    words_.labels.push_back(words);
    see(x);
  }

  PlotAxis axis_;
  PlotSeries versions_, gains_, losses_, untold_, whiskers_, words_;
  std::vector<PlotSeries> ways_; ///< from row to row
  std::vector<double> seen_;     ///< ends of bars and intervals
  double now_ = 0;               ///< the time that the rows so far come to
};

} // namespace

Figure apartFigure(const StepApart* apart, const QString& whyNone) {
  Figure figure;
  figure.title = ReportStrings::tr("A step apart");
  if (!apart) {
    figure.empty = whyNone;
    return figure;
  }
  figure.title = ReportStrings::tr("%1 to %2, change by change").arg(qtext(apart->from), qtext(apart->to));
  figure.shortTitle = ReportStrings::tr("%1 to %2").arg(qtext(apart->from), qtext(apart->to));
  Rows rows;
  const Microseconds& before = apart->combinations.front();
  rows.version(qtext(apart->from), before, timeText(before.us));
  QStringList told;
  for (const std::size_t one : apart->byGain()) {
    const QString words = gainText(*apart, apart->shares[one]);
    rows.gain(qtext(apart->switches[one]), apart->shares[one], words);
    told << qtext(apart->switches[one]) + u' ' + words;
  }
  const Microseconds& after = apart->combinations.back();
  rows.version(qtext(apart->to), after, timeText(after.us));
  figure.panels.push_back(std::move(rows).panel());
  figure.toolTip = ReportStrings::tr(
      "Each bar is what one change saves on average over all orders in which the changes can be made "
      "(Shapley). Diamonds: the versions' own times. Whiskers: the intervals that hold gains and times in 19 "
      "of 20 cases. The axis shows what there is to see, and need not begin at zero.");
  figure.note = ReportStrings::tr("%1; %2").arg(qtext(apart->device), problemText(apart->problem));
  figure.summary = ReportStrings::tr("%1 takes %2, %3 takes %4: %5.")
                       .arg(qtext(apart->from), timeText(before.us), qtext(apart->to), timeText(after.us),
                            told.join(QStringLiteral("; ")));
  return figure;
}

PlotTable combinationTable(const StepApart& apart) {
  PlotTable table;
  for (const std::string& one : apart.switches)
    table.headings << qtext(one);
  table.headings << QStringLiteral("median_us") << QStringLiteral("low_us") << QStringLiteral("high_us");
  for (std::size_t i = 0; i < apart.combinations.size(); ++i) {
    QStringList row;
    for (std::size_t s = 0; s < apart.switches.size(); ++s)
      row << ((i >> s & 1U) != 0 ? QStringLiteral("on") : QStringLiteral("off"));
    row << exactText(apart.combinations[i].us) << exactText(apart.combinations[i].low)
        << exactText(apart.combinations[i].high);
    table.rows.push_back(row);
  }
  return table;
}

} // namespace lloyd
