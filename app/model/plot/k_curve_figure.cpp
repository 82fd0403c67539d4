// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/k_curve_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

QString titleOf(Score score) {
  QString text = qtext(title(score));
  text[0] = text[0].toUpper();
  return text;
}

/// Where the whole title would lose the k behind it.
QString shortTitleOf(Score score) {
  return score == Score::daviesBouldin      ? ReportStrings::tr("Davies-B.")
         : score == Score::calinskiHarabasz ? ReportStrings::tr("Calinski-H.")
                                            : titleOf(score);
}

QString hintOf(Score score) {
  switch (score) {
  case Score::inertia:
    return ReportStrings::tr(
        "Sum of squared distances to the centroids; falls with k whatever the points are: "
        "look where it is farthest below the straight line between its ends");
  case Score::silhouette:
    return ReportStrings::tr(
        "How much nearer points are to their own cluster than to the next, -1 to 1; high is better");
  case Score::daviesBouldin:
    return ReportStrings::tr("Widths of neighbouring clusters over how far they are apart; low is better");
  case Score::calinskiHarabasz:
    break;
  }
  return ReportStrings::tr("Squared distances between clusters over those within; high is better");
}

QString valueText(double value) {
  constexpr int digits = 4;
  return significantText(value, digits);
}

QString readingOf(const KPoint& point, Score score) {
  const auto value = point.best().of(score);
  if (!value) return ReportStrings::tr("k = %1: no score").arg(point.k);
  QString text = QStringLiteral("k = %1: %2 %3").arg(point.k).arg(qtext(title(score)), valueText(*value));
  const auto spread = point.spread(score);
  if (point.runs.size() < 2 || !spread) return text;
  return ReportStrings::tr("%1; %2 to %3 over %4 runs")
      .arg(text, valueText(spread->first), valueText(spread->second))
      .arg(point.runs.size());
}

/// Around all values with a little room; inertia from 0, which it could reach.
PlotAxis upAxis(const std::vector<KPoint>& points, Score score) {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (const KPoint& point : points)
    if (const auto spread = point.spread(score)) {
      low = std::min(low, spread->first);
      high = std::max(high, spread->second);
    }
  if (!(low <= high)) return {};
  if (score == Score::inertia) low = 0;
  const double room = 0.08 * std::max(high - low, 1e-3 * std::max(std::abs(high), 1e-9));
  return {.low = score == Score::inertia ? 0 : low - room, .high = high + room};
}

} // namespace

Figure kCurveFigure(const std::vector<KPoint>& points, Score score, int shownK) {
  Figure figure{.title = titleOf(score), .shortTitle = shortTitleOf(score), .toolTip = hintOf(score)};
  if (points.empty()) {
    figure.empty = ReportStrings::tr("%1 over k appears here.").arg(titleOf(score));
    return figure;
  }
  PlotSeries spread{.style = PlotSeries::Style::whisker, .ink = {PlotInk::Of::dim}, .width = 1, .size = 5};
  PlotSeries line{.ink = PlotInk::series(0), .marker = PlotMarker::disc, .size = 5};
  PlotSeries choice{.style = PlotSeries::Style::marks,
                    .ink = {PlotInk::Of::accent},
                    .marker = PlotMarker::ring,
                    .size = 12};
  const auto suggested = suggestedK(points, score);
  std::vector<QString> readings;
  for (const KPoint& point : points) {
    const auto value = point.best().of(score);
    const QPointF at(point.k, value.value_or(std::nan("")));
    line.points.push_back(at);
    readings.push_back(readingOf(point, score));
    if (suggested == point.k) choice.points.push_back(at);
    const auto range = point.spread(score);
    if (!range || !(range->second > range->first)) continue;
    spread.points.emplace_back(point.k, range->first);
    spread.points.emplace_back(point.k, range->second);
  }
  PlotPanel panel;
  const int low = points.front().k;
  const int high = std::max(points.back().k, low + 2);
  panel.x = {.title = QStringLiteral("k"), .low = low - 0.6, .high = high + 0.6, .whole = true};
  panel.y = upAxis(points, score);
  panel.read = [at = line.points, readings, low](QPointF where) -> std::optional<PlotReading> {
    const auto i = std::lround(where.x()) - low;
    if (i < 0 || i >= std::ssize(at)) return std::nullopt;
    const QPointF place = at[static_cast<std::size_t>(i)];
    return PlotReading{readings[static_cast<std::size_t>(i)],
                       {place.x(), std::isfinite(place.y()) ? place.y() : where.y()}};
  };
  if (shownK >= low && shownK <= high)
    panel.spans.push_back({.from = static_cast<double>(shownK),
                           .to = static_cast<double>(shownK),
                           .ink = {PlotInk::Of::accent},
                           .dashed = true});
  panel.series = {std::move(spread), std::move(line), std::move(choice)};
  if (suggested)
    for (QString* each : {&figure.title, &figure.shortTitle})
      *each += QStringLiteral(": k = %1").arg(*suggested);
  const QString said = suggestionText(points, score);
  figure.summary =
      ReportStrings::tr("%1 over k from %2 to %3.").arg(titleOf(score)).arg(low).arg(points.back().k);
  if (!said.isEmpty()) figure.summary += QStringLiteral(" %1.").arg(said);
  if (!said.isEmpty()) figure.toolTip += QLatin1Char('\n') + said;
  figure.panels.push_back(std::move(panel));
  return figure;
}

PlotTable kCurveTable(const std::vector<KPoint>& points) {
  PlotTable table{.headings = {QStringLiteral("k"), QStringLiteral("seed")}, .rows = {}};
  for (const Score score : allScores)
    table.headings << qtext(name(score));
  for (const KPoint& point : points)
    for (const ScoredRun& run : point.runs) {
      QStringList row{QString::number(point.k), QString::number(run.seed)};
      for (const Score score : allScores) {
        const auto value = run.of(score);
        row << (value ? exactText(*value) : QString());
      }
      table.rows.push_back(row);
    }
  return table;
}

} // namespace lloyd
