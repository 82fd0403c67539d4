// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/svg_chart.hpp"

#include "app/model/measure/report_strings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lloyd {
namespace {

constexpr int wantedTicks = 8;

constexpr std::size_t seriesCount = 8; ///< of the style sheet
constexpr double lineHeight = 14;

/// Past eight series the colours come again, dashed.
QString classOf(const PlotInk& ink) {
  if (ink.of == PlotInk::Of::series)
    return QStringLiteral("s%1").arg(ink.index % seriesCount) +
           (ink.index / seriesCount % 2 == 1 ? QStringLiteral(" again") : QString());
  if (ink.of == PlotInk::Of::stage) return stageSeries(static_cast<Stage>(ink.index));
  return ink.of == PlotInk::Of::dim ? QStringLiteral("dim") : QStringLiteral("ink");
}

/// Moves texts apart, so that none lies on another and all stay near their places: the middle between pushing
/// them up and pushing them down, each of which keeps them space apart. None goes above the top.
std::vector<double> apart(std::vector<double> places, double top) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return places[a] > places[b]; });
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

SvgChart::SvgChart(const Size& size, const QString& label, const PlotAxis& x, const PlotAxis& y, bool gridY)
    : size_(size), label_(label), x_(x), y_(y) {
  drawAxes(gridY);
}

QString SvgChart::number(double pixels) {
  const double rounded = std::round(pixels * 10) / 10;
  return QString::number(rounded == 0 ? 0 : rounded, 'g', 7);
}

double SvgChart::px(double x) const {
  return size_.left + x_.fraction(x) * (size_.width - size_.left - size_.right);
}

double SvgChart::py(double y) const {
  return size_.height - size_.bottom - y_.fraction(y) * (size_.height - size_.top - size_.bottom);
}

bool SvgChart::placed(std::initializer_list<double> pixels) {
  return std::ranges::all_of(pixels, [](double p) { return std::isfinite(p) && std::abs(p) < 1e6; });
}

void SvgChart::titled(const QString& title) {
  if (!title.isEmpty()) marks_.element("title", title);
}

void SvgChart::path(const QString& classes, const QString& way, const QString& title) {
  marks_.open("path", {{"class", classes}, {"d", way}});
  titled(title);
  marks_.close();
}

void SvgChart::drawAxes(bool gridY) {
  const double right = size_.width - size_.right;
  const double floor = size_.height - size_.bottom;
  marks_.open("g", {{"class", QStringLiteral("axes")}, {"aria-hidden", QStringLiteral("true")}});
  double free = -1; // where the number before ends
  for (const PlotTick& tick : x_.ticksFor(wantedTicks)) {
    const double at = px(tick.value);
    const double half = widthOf(tick.label) / 2 + 6;
    if (!placed({at}) || at < size_.left - 1 || at > right + 1 || at - half < free) continue;
    free = at + half;
    marks_.empty("path",
                 {{"class", QStringLiteral("grid")},
                  {"d", QStringLiteral("M%1 %2V%3").arg(number(at), number(size_.top), number(floor))}});
    marks_.element("text", tick.label,
                   {{"x", number(at)}, {"y", number(floor + 17)}, {"text-anchor", QStringLiteral("middle")}});
  }
  for (const PlotTick& tick : gridY ? y_.ticksFor(wantedTicks) : std::vector<PlotTick>()) {
    const double at = py(tick.value);
    if (!placed({at}) || at < size_.top - 1 || at > floor + 1) continue;
    marks_.empty("path",
                 {{"class", QStringLiteral("grid")},
                  {"d", QStringLiteral("M%1 %2H%3").arg(number(size_.left), number(at), number(right))}});
    marks_.element(
        "text", tick.label,
        {{"x", number(size_.left - 8)}, {"y", number(at + 4)}, {"text-anchor", QStringLiteral("end")}});
  }
  marks_.empty("path",
               {{"class", QStringLiteral("axis")},
                {"d", QStringLiteral("M%1 %2V%3H%4")
                          .arg(number(size_.left), number(size_.top), number(floor), number(right))}});
  if (!x_.title.isEmpty())
    marks_.element("text", x_.title,
                   {{"class", QStringLiteral("title")},
                    {"x", number((size_.left + right) / 2)},
                    {"y", number(size_.height - 8)},
                    {"text-anchor", QStringLiteral("middle")}});
  if (!y_.title.isEmpty())
    marks_.element(
        "text", y_.title,
        {{"class", QStringLiteral("title")},
         {"transform", QStringLiteral("translate(15 %1) rotate(-90)").arg(number((size_.top + floor) / 2))},
         {"text-anchor", QStringLiteral("middle")}});
  marks_.close();
}

void SvgChart::bar(double fromX, double toX, double y, double thick, const QString& marks,
                   const QString& title) {
  const double left = std::min(px(fromX), px(toX));
  const double wide = std::abs(px(toX) - px(fromX));
  if (!placed({px(fromX), px(toX), py(y)})) return;
  marks_.open("rect", {{"class", QStringLiteral("mark bar ") + marks},
                       {"x", number(left)},
                       {"y", number(py(y) - thick / 2)},
                       {"width", number(std::max(1.0, wide))},
                       {"height", number(thick)}});
  titled(title);
  marks_.close();
}

void SvgChart::whisker(double lowX, double highX, double y, double tall, const QString& marks,
                       const QString& title) {
  if (!placed({px(lowX), px(highX), py(y)})) return;
  const QString top = number(py(y) - tall / 2);
  const QString end = number(py(y) + tall / 2);
  const QString low = number(px(lowX));
  const QString high = number(px(highX));
  path(QStringLiteral("mark whisker ") + marks,
       QStringLiteral("M%1 %2V%3M%4 %2V%3M%1 %5H%4").arg(low, top, end, high, number(py(y))), title);
}

void SvgChart::tick(double x, double y, double tall, const QString& marks, const QString& title) {
  if (!placed({px(x), py(y)})) return;
  path(QStringLiteral("mark tick ") + marks,
       QStringLiteral("M%1 %2V%3").arg(number(px(x)), number(py(y) - tall / 2), number(py(y) + tall / 2)),
       title);
}

QRectF SvgChart::area() const {
  return {QPointF(size_.left, size_.top), QPointF(size_.width - size_.right, size_.height - size_.bottom)};
}

void SvgChart::line(std::span<const QPointF> points, const QString& marks, const QString& title) {
  QString way;
  QPointF last;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QLineF step(pixel(points[i - 1]), pixel(points[i]));
    const auto seen = clipped(step, area());
    if (!seen) continue;
    if (way.isEmpty() || seen->p1() != last) way += u'M' + number(seen->x1()) + u' ' + number(seen->y1());
    way += u'L' + number(seen->x2()) + u' ' + number(seen->y2());
    last = seen->p2();
  }
  if (!way.isEmpty()) path(QStringLiteral("mark line ") + marks, way, title);
}

void SvgChart::pointAt(QPointF pixel, int shape, const QString& marks, const QString& title) {
  if (!placed({pixel.x(), pixel.y()})) return;
  constexpr std::array<const char*, 4> outlines{
      "M%1 %2m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", "M%1 %2m-4.2 -4.2h8.4v8.4h-8.4z",
      "M%1 %2m0 -5.8l5.8 5.8l-5.8 5.8l-5.8 -5.8z", "M%1 %2m0 -5.4l5.4 9.4h-10.8z"};
  const QString outline = QString::fromLatin1(outlines[static_cast<std::size_t>(shape) % outlines.size()])
                              .arg(number(pixel.x()), number(pixel.y()));
  path(QStringLiteral("mark point ") + marks, outline, title);
}

void SvgChart::strip(std::span<const double> xs, double y, double tall, const QString& marks,
                     const QString& title) {
  QString way;
  constexpr double goldenTurn = 0.6180339887;
  double turn = 0;
  for (const double x : xs) {
    turn = std::fmod(turn + goldenTurn, 1.0);
    const double cy = py(y) + (turn - 0.5) * tall;
    if (placed({px(x), cy})) way += u'M' + number(px(x)) + u' ' + number(cy) + QStringLiteral("h0");
  }
  if (!way.isEmpty()) path(QStringLiteral("mark strip ") + marks, way, title);
}

void SvgChart::cell(double fromX, double toX, double fromY, double toY, const QString& fill,
                    const QStringList& text, bool darkText, const QString& title) {
  const double left = std::min(px(fromX), px(toX));
  const double top = std::min(py(fromY), py(toY));
  if (!placed({left, top, px(toX), py(toY)})) return;
  const double wide = std::abs(px(toX) - px(fromX));
  const double high = std::abs(py(toY) - py(fromY));
  marks_.open("g", {{"class", QStringLiteral("mark cell")}});
  titled(title);
  marks_.empty("rect", {{"x", number(left + 1)},
                        {"y", number(top + 1)},
                        {"width", number(std::max(1.0, wide - 2))},
                        {"height", number(std::max(1.0, high - 2))},
                        {"fill", fill}});
  const auto lines = static_cast<double>(text.size());
  for (qsizetype i = 0; i < text.size(); ++i)
    marks_.element("text", text[i],
                   {{"x", number(left + wide / 2)},
                    {"y", number(top + high / 2 + 4 + 14 * (static_cast<double>(i) - (lines - 1) / 2))},
                    {"text-anchor", QStringLiteral("middle")},
                    {"style", darkText ? QStringLiteral("fill:#111") : QStringLiteral("fill:#fff")}});
  marks_.close();
}

void SvgChart::textAt(QPointF pixel, const QString& content, const QString& marks, const char* anchor) {
  if (!placed({pixel.x(), pixel.y()})) return;
  marks_.element("text", content,
                 {{"class", marks},
                  {"x", number(pixel.x())},
                  {"y", number(pixel.y())},
                  {"text-anchor", QString::fromLatin1(anchor)}});
}

void SvgChart::placed(const PlacedText& text, const QString& marks) {
  if (text.leader)
    marks_.empty("path", {{"class", QStringLiteral("leader")},
                          {"d", QStringLiteral("M%1 %2L%3 %4")
                                    .arg(number(text.leader->x1()), number(text.leader->y1()),
                                         number(text.leader->x2()), number(text.leader->y2()))}});
  marks_.element("text", text.text,
                 {{"class", marks},
                  {"transform", QStringLiteral("translate(%1 %2) rotate(%3)")
                                    .arg(number(text.at.x()), number(text.at.y()), number(text.degrees))},
                  {"y", number(!text.along  ? 4
                               : text.above ? -4
                                            : 13)},
                  {"text-anchor", text.along ? QStringLiteral("start") : QStringLiteral("middle")}});
}

void SvgChart::rowLabel(double y, const QString& content, const QString& marks) {
  textAt({size_.left - 8, py(y) + 4}, content, marks, "end");
}

QString SvgChart::toSvg(const QString& marks) const {
  Markup picture;
  picture.open("svg",
               {{"class", marks},
                {"viewBox", QStringLiteral("0 0 %1 %2").arg(number(size_.width), number(size_.height))},
                {"role", QStringLiteral("img")},
                {"aria-label", label_}});
  picture.raw(marks_.toString());
  picture.close();
  return picture.toString();
}

RampColour rampColour(double fraction) {
  struct Rgb {
    double r, g, b;
  };
  constexpr std::array<Rgb, 9> stops{{{0, 34, 78},
                                      {26, 56, 111},
                                      {67, 78, 108},
                                      {97, 100, 112},
                                      {125, 124, 120},
                                      {155, 148, 117},
                                      {188, 174, 106},
                                      {222, 202, 85},
                                      {254, 232, 56}}};
  const double at = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0) * (stops.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(from);
  const auto mixed = [&](double a, double b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
  const Rgb& a = stops[from];
  const Rgb& b = stops[from + 1];
  RampColour colour;
  colour.fill = QStringLiteral("#%1").arg(mixed(a.r, b.r) * 65536 + mixed(a.g, b.g) * 256 + mixed(a.b, b.b),
                                          6, 16, QLatin1Char('0'));
  colour.darkText = at > 3.6;
  return colour;
}

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

QString stageSeries(Stage stage) { return QStringLiteral("s%1").arg(ReportOrder::of(stage) % 8); }

} // namespace lloyd
