// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/svg_figure.hpp"

#include "app/model/report/html/html_parts.hpp"
#include "app/plot/placed_texts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lloyd {
namespace {

constexpr std::size_t seriesCount = 8; ///< of the style sheet
constexpr double lineHeight = 14;

/// Past eight series the colours come again, dashed.
QString classOf(const PlotInk& ink) {
  switch (ink.of) {
  case PlotInk::Of::series:
    return QStringLiteral("s%1").arg(ink.index % seriesCount) +
           (ink.index / seriesCount % 2 == 1 ? QStringLiteral(" again") : QString());
  case PlotInk::Of::stage:
    return stageSeries(static_cast<Stage>(ink.index));
  case PlotInk::Of::dim:
    return QStringLiteral("dim");
  default:
    return QStringLiteral("ink");
  }
}

/// Moves texts apart, so that none lies on another and all stay near their places: the middle between pushing
/// them up and pushing them down, each of which keeps them space apart. None goes above the top.
std::vector<double> apart(std::vector<double> places, double top) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] > places[b]; });
  std::vector<double> up = places;
  std::vector<double> down = places;
  for (std::size_t i = 1; i < order.size(); ++i)
    up[order[i]] = std::min(up[order[i]], up[order[i - 1]] - lineHeight);
  for (std::size_t i = order.size(); i-- > 1;)
    down[order[i - 1]] = std::max(down[order[i - 1]], down[order[i]] + lineHeight);
  for (std::size_t i = order.size(); i-- > 0; top = places[order[i]] + lineHeight)
    places[order[i]] = std::max((up[order[i]] + down[order[i]]) / 2, top);
  return places;
}

void nameLines(SvgChart& chart, const PlotPanel& panel) {
  std::vector<const PlotSeries*> named;
  std::vector<double> heights;
  for (const PlotSeries& series : panel.series) {
    if (series.name.isEmpty() || series.style != PlotSeries::Style::line || series.points.empty()) continue;
    named.push_back(&series);
    heights.push_back(chart.pixel(series.points.back()).y());
  }
  heights = apart(heights, chart.area().top());
  for (std::size_t i = 0; i < named.size(); ++i)
    chart.textAt({chart.area().right() + 8, heights[i] + 4}, named[i]->name, classOf(named[i]->ink));
}

void nameMarks(SvgChart& chart, const PlotPanel& panel) {
  double x = chart.area().left() + 10;
  for (const PlotSeries& series : panel.series) {
    if (series.name.isEmpty() || series.style != PlotSeries::Style::marks) continue;
    const double y = chart.area().top() - 12;
    chart.pointAt({x, y}, static_cast<int>(series.marker.value_or(PlotMarker::disc)), classOf(series.ink),
                  series.name);
    chart.textAt({x + 10, y + 4}, series.name, classOf(series.ink));
    x += SvgChart::widthOf(series.name) + 40;
  }
}

void drawCells(SvgChart& chart, const PlotCells& cells) {
  const auto [low, high] = cells.range();
  for (std::size_t i = 0; i < cells.cells.size(); ++i) {
    const PlotCells::Cell& cell = cells.cells[i];
    if (!std::isfinite(cell.value)) continue;
    const double part = high > low ? std::log(cell.value / low) / std::log(high / low) : 0;
    const RampColour colour = rampColour(cells.lowIsBright ? 1 - part : part);
    const auto x = static_cast<double>(i % cells.columns);
    const std::size_t row = i / cells.columns;
    const auto y = static_cast<double>(row);
    chart.cell(x - 0.5, x + 0.5, y - 0.5, y + 0.5, colour.fill, cell.text, colour.darkText, cell.reading);
  }
}

} // namespace

QString svgFigure(const PlotPanel& panel, const SvgChart::Size& size, const QString& label,
                  const QString& classes) {
  SvgChart chart(size, label, panel.x, panel.y);
  if (panel.cells) drawCells(chart, *panel.cells);
  for (const PlotSeries& series : panel.series)
    if (series.style == PlotSeries::Style::line)
      chart.line(series.points, classOf(series.ink), series.along.isEmpty() ? series.name : series.along);
  for (const PlotSeries& series : panel.series)
    for (std::size_t i = 0; series.marker && i < series.points.size(); ++i)
      chart.pointAt(chart.pixel(series.points[i]), static_cast<int>(*series.marker), classOf(series.ink),
                    i < series.readings.size() ? series.readings[i] : series.name);
  nameLines(chart, panel);
  nameMarks(chart, panel);
  const PlotPixels pixels{[&](QPointF value) { return chart.pixel(value); }, chart.area(),
                          [](const QString& text) { return QSizeF(SvgChart::widthOf(text), lineHeight); }};
  for (const PlacedText& text : placedTexts(panel, pixels))
    chart.placed(text, classOf(text.ink));
  return chart.toSvg(classes);
}

} // namespace lloyd
