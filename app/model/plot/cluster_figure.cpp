// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/cluster_figure.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace lloyd {
namespace {

using Sizes = std::vector<std::uint32_t>;

QString rangeText(const Sizes& sizes, QString (*textOf)(std::uint64_t)) {
  const auto [low, high] = std::ranges::minmax_element(sizes);
  const auto empty = std::ranges::count(sizes, 0U);
  QString text = ReportStrings::tr("Sizes %1 to %2").arg(textOf(*low), textOf(*high));
  if (empty > 0) text += ReportStrings::tr(", %1 empty").arg(empty);
  return text;
}

/// The largest so many clusters, in their own order.
std::vector<std::size_t> largest(const Sizes& sizes, std::size_t most) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= most) return order;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

PlotAxis clusterAxis(const std::vector<std::size_t>& order, bool all) {
  std::vector<QString> labels;
  labels.reserve(order.size());
  for (const std::size_t cluster : order)
    labels.push_back(QString::number(cluster));
  PlotAxis axis = PlotAxis::categories({}, labels);
  axis.grid = false;
  axis.whole = true;
  if (all) axis.places.clear(); // the numbers are those of the places
  return axis;
}

} // namespace

Figure clusterSizes(const Sizes& sizes, const std::vector<PlotRgb>& colours, std::size_t most,
                    const std::vector<QString>& titles) {
  if (sizes.empty())
    return {.title = ReportStrings::tr("Cluster sizes"),
            .empty = ReportStrings::tr("How many points each cluster has appears with the first iteration.")};
  const std::vector<std::size_t> order = largest(sizes, most);
  const bool all = order.size() == sizes.size();
  const double points = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  PlotSeries bars{.style = PlotSeries::Style::bars, .ink = {PlotInk::Of::bar}, .bar = 1};
  PlotSeries none{.style = PlotSeries::Style::marks,
                  .ink = {PlotInk::Of::alert},
                  .marker = PlotMarker::cross,
                  .size = 5,
                  .atFoot = true};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t cluster = order[i];
    const double size = sizes[cluster];
    bars.points.emplace_back(static_cast<double>(i), size);
    bars.inks.push_back(cluster < colours.size() ? PlotInk::exact(colours[cluster])
                                                 : PlotInk{PlotInk::Of::bar});
    bars.readings.push_back(
        ReportStrings::tr("%1: %2, %3 %")
            .arg(cluster < titles.size() ? titles[cluster] : ReportStrings::tr("cluster %1").arg(cluster),
                 pointsText(sizes[cluster]), percentText(points > 0 ? size / points : 0)));
    if (size > 0) continue;
    none.points.push_back(bars.points.back());
    none.readings.push_back(bars.readings.back());
  }
  PlotPanel panel{.x = clusterAxis(order, all)};
  const double high = *std::ranges::max_element(sizes);
  panel.y = {.high = std::max(1.0, high), .numbered = false, .grid = false};
  panel.read = [points = bars.points, texts = bars.readings](QPointF at) -> std::optional<PlotReading> {
    const double slot = std::round(at.x());
    if (!(slot >= 0 && slot < static_cast<double>(points.size()))) return std::nullopt;
    const auto i = static_cast<std::size_t>(slot);
    return PlotReading{texts[i], points[i]};
  };
  panel.series = {std::move(bars), std::move(none)};
  const QString exact = rangeText(sizes, countText);
  Figure figure{.title = all ? exact
                             : ReportStrings::tr("The %1 largest of %2 clusters")
                                   .arg(order.size())
                                   .arg(countText(sizes.size())),
                .shortTitle = all ? rangeText(sizes, shortCountText)
                                  : ReportStrings::tr("Largest %1 of %2").arg(order.size()).arg(sizes.size()),
                .toolTip = ReportStrings::tr("Points in each cluster") + u'\n' + exact,
                .summary = exact};
  figure.panels.push_back(std::move(panel));
  return figure;
}

PlotTable clusterSizeTable(const Sizes& sizes) {
  PlotTable table{.headings = {QStringLiteral("cluster"), QStringLiteral("points")}, .rows = {}};
  for (std::size_t cluster = 0; cluster < sizes.size(); ++cluster)
    table.rows.push_back({QString::number(cluster), QString::number(sizes[cluster])});
  return table;
}

} // namespace lloyd
