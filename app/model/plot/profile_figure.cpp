// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/profile_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t mostClusters = 64; ///< lines
constexpr std::size_t mostColumns = 64;  ///< places
constexpr std::size_t mostLined = 24;    ///< columns; of more a map is easier to read than lines
constexpr std::size_t mostWhiskered = 4; ///< clusters whose quartiles are all shown
constexpr double whiskersApart = 0.07;   ///< of the way to the next column
constexpr qsizetype longestName = 16;    ///< characters of a column's name on the axis
constexpr int digits = 4;

QString columnName(const PointSet& points, std::size_t column) {
  return column < points.columns.size() ? withShortWords(qtext(points.columns[column]), longestName)
                                        : ReportStrings::tr("column %1").arg(column + 1);
}

std::vector<QString> columnNames(const PointSet& points, std::size_t columns) {
  std::vector<QString> names;
  names.reserve(columns);
  for (std::size_t j = 0; j < columns; ++j)
    names.push_back(columnName(points, j));
  return names;
}

/// Where a value stands between the least and the largest of its column.
double standing(const ClusterNumbers& numbers, std::size_t column, double value) {
  const double low = numbers.low[column];
  const double range = numbers.high[column] - low;
  return range > 0 ? (value - low) / range : std::isnan(value) ? value : 0.5;
}

QString readingOf(const ProfileSubject& subject, std::size_t cluster, std::size_t column) {
  const Quartiles& quartiles = subject.numbers->quartiles[cluster * subject.numbers->d + column];
  return ReportStrings::tr("%1, %2: median %3, quartiles %4 and %5")
      .arg(subject.title(cluster), columnName(*subject.points, column), significantText(quartiles[1], digits),
           significantText(quartiles[0], digits), significantText(quartiles[2], digits));
}

/// The reading nearest to a place among the medians of its column.
std::function<std::optional<PlotReading>(QPointF)> reader(std::vector<PlotSeries> lines) {
  return [lines = std::move(lines)](QPointF at) -> std::optional<PlotReading> {
    std::optional<PlotReading> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (const PlotSeries& line : lines) {
      const auto place = std::lround(at.x());
      if (place < 0 || place >= std::ssize(line.points)) continue;
      const auto column = static_cast<std::size_t>(place);
      const double off = std::abs(line.points[column].y() - at.y());
      if (!(off < least)) continue;
      least = off;
      nearest = PlotReading{line.readings[column], line.points[column]};
    }
    return nearest;
  };
}

PlotPanel profileLines(const ProfileSubject& subject, const std::vector<std::size_t>& shown,
                       std::size_t columns) {
  const ClusterNumbers& numbers = *subject.numbers;
  const auto focus = static_cast<std::size_t>(subject.focus);
  const bool focused = subject.focus >= 0 && focus < numbers.k();
  PlotPanel panel;
  std::vector<PlotSeries> lines;
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const std::size_t c = shown[at];
    const bool mine = focused && c == focus;
    const PlotInk ink = focused && !mine             ? PlotInk{PlotInk::Of::dim}
                        : c < subject.colours.size() ? PlotInk::exact(subject.colours[c])
                                                     : PlotInk{PlotInk::Of::bar};
    PlotSeries line{.ink = ink,
                    .width = mine      ? 2.4
                             : focused ? 0.8
                                       : 1.6,
                    .marker = markerOf(c),
                    .size = mine      ? 7.0
                            : focused ? 3.0
                                      : 5.0};
    PlotSeries whiskers{.style = PlotSeries::Style::whisker, .ink = ink, .size = 4};
    const double aside =
        focused ? 0 : whiskersApart * (static_cast<double>(at) - static_cast<double>(shown.size() - 1) / 2);
    for (std::size_t j = 0; j < columns; ++j) {
      const Quartiles& quartiles = numbers.quartiles[c * numbers.d + j];
      const auto x = static_cast<double>(j);
      line.points.emplace_back(x, standing(numbers, j, quartiles[1]));
      line.readings.push_back(readingOf(subject, c, j));
      whiskers.points.emplace_back(x + aside, standing(numbers, j, quartiles[0]));
      whiskers.points.emplace_back(x + aside, standing(numbers, j, quartiles[2]));
    }
    if (mine || (!focused && shown.size() <= mostWhiskered)) panel.series.push_back(std::move(whiskers));
    lines.push_back(line);
    panel.series.push_back(std::move(line));
  }
  panel.x = PlotAxis::categories({}, columnNames(*subject.points, columns));
  panel.x.everyPlace = true;
  panel.y = {.low = -0.04, .high = 1.04, .numbered = false};
  panel.y.places = {{.value = 0, .label = ReportStrings::tr("least")},
                    {.value = 1, .label = ReportStrings::tr("largest")}};
  panel.y.numbered = true;
  panel.read = reader(lines);
  return panel;
}

/// A row a cluster and a column a column: how bright says where the median is. A line would cross too many
/// others.
PlotPanel profileMap(const ProfileSubject& subject, std::vector<std::size_t> shown, std::size_t columns) {
  const ClusterNumbers& numbers = *subject.numbers;
  std::ranges::sort(shown, std::greater()); // the first cluster is on top
  PlotCells cells{.columns = columns,
                  .cells = {},
                  .title = ReportStrings::tr("0 least, 1 largest"),
                  .shared = std::pair(0.0, 1.0)};
  std::vector<QString> rows;
  for (const std::size_t c : shown) {
    rows.push_back(subject.title(c));
    for (std::size_t j = 0; j < columns; ++j)
      cells.cells.push_back({.value = standing(numbers, j, numbers.quartiles[c * numbers.d + j][1]),
                             .text = {},
                             .reading = readingOf(subject, c, j)});
  }
  PlotPanel panel;
  panel.x = PlotAxis::categories({}, columnNames(*subject.points, columns));
  panel.y = PlotAxis::categories({}, rows);
  for (std::size_t row = 0; row < shown.size(); ++row)
    panel.y.places[row].bold = subject.focus >= 0 && shown[row] == static_cast<std::size_t>(subject.focus);
  panel.cells = std::move(cells);
  return panel;
}

} // namespace

Figure profileFigure(const ProfileSubject& subject) {
  Figure figure{.title = ReportStrings::tr("Profiles: medians by column, each from least to largest"),
                .shortTitle = ReportStrings::tr("Profiles"),
                .toolTip = ReportStrings::tr("A line a cluster through the medians of its points; whiskers "
                                             "are quartiles. Every column has an axis of its own, from its "
                                             "least value to its largest")};
  if (!subject.numbers || !subject.points) {
    figure.empty = ReportStrings::tr("How clusters differ in each column appears with the first iteration.");
    return figure;
  }
  const ClusterNumbers& numbers = *subject.numbers;
  const std::size_t clusters = std::min(numbers.k(), mostClusters);
  const std::size_t columns = std::min(numbers.d, mostColumns);
  const auto focus = static_cast<std::size_t>(subject.focus);
  const bool focused = subject.focus >= 0 && focus < numbers.k();
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < clusters; ++c)
    if (numbers.sizes[c] > 0 && !(focused && c == focus)) shown.push_back(c);
  if (focused && numbers.sizes[focus] > 0) shown.push_back(focus); // on top of the others

  PlotPanel panel =
      columns > mostLined ? profileMap(subject, shown, columns) : profileLines(subject, shown, columns);
  if (panel.cells)
    figure.toolTip =
        ReportStrings::tr("The medians of every cluster's points: the brighter, the nearer to the "
                          "column's largest value. With up to %1 columns they are lines")
            .arg(mostLined);
  if (clusters < numbers.k() || columns < numbers.d)
    figure.title = ReportStrings::tr("Profiles of %1 of %2 clusters, %3 of %4 columns")
                       .arg(clusters)
                       .arg(numbers.k())
                       .arg(columns)
                       .arg(numbers.d);
  figure.summary =
      ReportStrings::tr("Medians and quartiles of %1 clusters in %2 columns.").arg(shown.size()).arg(columns);
  figure.panels.push_back(std::move(panel));
  return figure;
}

PlotTable profileTable(const ProfileSubject& subject) {
  PlotTable table{.headings = {QStringLiteral("cluster"), QStringLiteral("name"), QStringLiteral("points"),
                               QStringLiteral("column"), QStringLiteral("centroid"),
                               QStringLiteral("lower quartile"), QStringLiteral("median"),
                               QStringLiteral("upper quartile")},
                  .rows = {}};
  if (!subject.numbers || !subject.points) return table;
  const ClusterNumbers& numbers = *subject.numbers;
  // Points are single precision, and so are what lies between two of them and their means.
  const auto field = [&subject](std::size_t column, double value) {
    const bool single = subject.points->scaleOf(column).shift == 0;
    return single ? exactText(static_cast<float>(value)) : exactText(value);
  };
  for (std::size_t c = 0; c < numbers.k(); ++c)
    for (std::size_t j = 0; j < numbers.d; ++j) {
      const Quartiles& quartiles = numbers.quartiles[c * numbers.d + j];
      const QString name =
          j < subject.points->columns.size() ? qtext(subject.points->columns[j]) : QString::number(j);
      table.rows.push_back({QString::number(c), subject.title(c), QString::number(numbers.sizes[c]), name,
                            field(j, numbers.centres[c * numbers.d + j]), field(j, quartiles[0]),
                            field(j, quartiles[1]), field(j, quartiles[2])});
    }
  return table;
}

} // namespace lloyd
