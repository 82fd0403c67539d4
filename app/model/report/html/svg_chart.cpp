// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/svg_chart.hpp"

#include "app/model/report/html/markup.hpp"
#include "app/plot/placed_texts.hpp"
#include "app/plot/plot_palette.hpp"
#include "app/text/strings.hpp"

#include <QPointF>
#include <QRectF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

using Style = PlotSeries::Style;

constexpr int wantedTicks = 8;
constexpr double lineHeight = 14;
constexpr double footPixels = 7; ///< of marks at the foot above the axis

/// About how wide words are at the pictures' 12 pixels: no font is asked, because bench has none. A wide
/// font's figures, so that nothing is cut in a narrower one.
double widthOf(const QString& text, bool bold = false) {
  return 7.1 * static_cast<double>(text.size()) * (bold ? 1.14 : 1);
}

QString number(double pixels) {
  const double rounded = std::round(pixels * 10) / 10;
  return QString::number(rounded == 0 ? 0 : rounded, 'g', 7);
}

QString at(double x, double y) { return number(x) + u' ' + number(y); }
QString at(QPointF pixel) { return at(pixel.x(), pixel.y()); }

QString hex(PlotRgb colour) { return QStringLiteral("#%1").arg(colour, 6, 16, QLatin1Char('0')); }

QString seriesClass(std::size_t hue) { return QStringLiteral("s%1").arg(hue); }

/// Where the colours of series come again they are dashed.
QString classOf(const PlotInk& ink) {
  switch (ink.of) {
  case PlotInk::Of::series:
    return seriesClass(ink.index % plotHues) +
           (ink.index / plotHues % 2 == 1 ? QStringLiteral(" again") : QString());
  case PlotInk::Of::stage:
    return qtext(name(static_cast<Stage>(ink.index)));
  case PlotInk::Of::dim:
    return QStringLiteral("dim");
  case PlotInk::Of::accent:
    return seriesClass(0);
  case PlotInk::Of::bar:
    return QStringLiteral("plain");
  case PlotInk::Of::alert:
    return QStringLiteral("wrong");
  default:
    return QStringLiteral("ink");
  }
}

QString classOf(const PlotSeries& series) {
  QString classes = classOf(series.ink);
  if (series.hollow) classes += QStringLiteral(" hollow");
  if (series.pale) classes += QStringLiteral(" pale");
  if (series.dashed) classes += QStringLiteral(" dashed");
  return classes;
}

/// Moves words apart, so that none lie on others and all stay near their places: the middle between pushing
/// them up and pushing them down, each of which keeps them space apart. None go above the top.
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

/// With margins for the names of rows and for the words behind marks.
SvgSize withRoom(const PlotPanel& panel, SvgSize size) {
  for (const PlotTick& row : panel.y.grid ? std::vector<PlotTick>() : panel.y.places)
    size.left = std::max(size.left, widthOf(row.label, true) + 18);
  size.right = std::max(size.right, roomBehind(panel, size.width - size.left, widthOf));
  return size;
}

/// One picture while it is drawn.
class Chart {
public:
  Chart(const PlotPanel& panel, const SvgSize& size)
      : panel_(panel), size_(withRoom(panel, size)),
        area_(QPointF(size_.left, size_.top),
              QPointF(size_.width - size_.right, size_.height - size_.bottom)) {}

  [[nodiscard]] QString toSvg(const QString& label, const QString& classes);

private:
  [[nodiscard]] QPointF pixel(QPointF value) const {
    return {area_.left() + panel_.x.fraction(value.x()) * area_.width(),
            area_.bottom() - panel_.y.fraction(value.y()) * area_.height()};
  }
  /// Between the axes, or nearly so.
  [[nodiscard]] bool inside(QPointF pixel) const { return holds(area_.adjusted(-1, -1, 1, 1), pixel); }
  /// The nearest height between the axes; what has none stands at the foot.
  [[nodiscard]] double heightOf(double y) const {
    const double at = pixel({0, y}).y();
    return std::isfinite(at) ? std::clamp(at, area_.top(), area_.bottom()) : area_.bottom();
  }

  void path(const QString& classes, const QString& way, const QString& title);
  void rect(const QString& classes, const QRectF& box, const QString& title);
  void text(QPointF at, const QString& words, const QString& classes, const char* anchor);
  void placed(const PlacedText& words);

  void drawAxes();
  void drawCells(const PlotCells& cells);
  void drawSpan(const PlotSpan& span);
  void drawSeries(const PlotSeries& series, const PlotSeries* below);
  void drawLine(const PlotSeries& series);
  void drawBars(const PlotSeries& series);
  void drawPairs(const PlotSeries& series);
  void drawFilled(const PlotSeries& series, const PlotSeries* below);
  void drawMarks(const PlotSeries& series);
  void mark(const PlotSeries& series, QPointF pixel, const QString& title);
  [[nodiscard]] QString stairs(const PlotSeries& series, bool back) const;
  void nameLines();
  void nameMarks();
  void drawCaptions();

  const PlotPanel& panel_;
  SvgSize size_;
  QRectF area_; ///< between the axes
  Markup marks_;
};

void Chart::path(const QString& classes, const QString& way, const QString& title) {
  if (way.isEmpty()) return;
  marks_.open("path", {{"class", classes}, {"d", way}});
  if (!title.isEmpty()) marks_.element("title", title);
  marks_.close();
}

void Chart::rect(const QString& classes, const QRectF& box, const QString& title) {
  marks_.open("rect", {{"class", classes},
                       {"x", number(box.left())},
                       {"y", number(box.top())},
                       {"width", number(std::max(1.0, box.width()))},
                       {"height", number(std::max(1.0, box.height()))}});
  if (!title.isEmpty()) marks_.element("title", title);
  marks_.close();
}

void Chart::text(QPointF at, const QString& words, const QString& classes, const char* anchor) {
  marks_.element("text", words,
                 {{"class", classes},
                  {"x", number(at.x())},
                  {"y", number(at.y())},
                  {"text-anchor", QString::fromLatin1(anchor)}});
}

void Chart::placed(const PlacedText& words) {
  if (words.leader)
    path(QStringLiteral("leader"), u'M' + at(words.leader->p1()) + u'L' + at(words.leader->p2()), {});
  using Anchor = PlacedText::Anchor;
  marks_.element(
      "text", words.text,
      {{"class", classOf(words.ink) + (words.bold ? QStringLiteral(" bold") : QString())},
       {"transform", QStringLiteral("translate(%1) rotate(%2)").arg(at(words.at), number(words.degrees))},
       {"y", number(words.anchor == Anchor::above   ? -4
                    : words.anchor == Anchor::below ? 13
                                                    : 4)},
       {"text-anchor", words.anchor == Anchor::middle ? QStringLiteral("middle") : QStringLiteral("start")}});
}

void Chart::drawAxes() {
  const auto grid = [&](const QString& way) {
    marks_.empty("path", {{"class", QStringLiteral("grid")}, {"d", way}});
  };
  marks_.open("g", {{"class", QStringLiteral("axes")}, {"aria-hidden", QStringLiteral("true")}});
  double free = -1; // where the number before ends
  for (const PlotTick& tick : panel_.x.ticksFor(wantedTicks)) {
    const double x = pixel({tick.value, 0}).x();
    const double half = widthOf(tick.label) / 2 + 6;
    if (!(x >= area_.left() - 1 && x <= area_.right() + 1) || x - half < free) continue;
    free = x + half;
    if (panel_.x.grid) grid(u'M' + at(x, area_.top()) + u'V' + number(area_.bottom()));
    if (panel_.x.numbered) text({x, area_.bottom() + 17}, tick.label, {}, "middle");
  }
  for (const PlotTick& tick : panel_.y.ticksFor(wantedTicks)) {
    const double y = pixel({0, tick.value}).y();
    if (!(y >= area_.top() - 1 && y <= area_.bottom() + 1)) continue;
    if (panel_.y.grid) grid(u'M' + at(area_.left(), y) + u'H' + number(area_.right()));
    const QString row = tick.bold ? QStringLiteral("name bold") : QStringLiteral("name");
    if (panel_.y.numbered)
      text({area_.left() - 8, y + 4}, tick.label, panel_.y.grid ? QString() : row, "end");
  }
  marks_.empty("path", {{"class", QStringLiteral("axis")},
                        {"d", u'M' + at(area_.topLeft()) + u'V' + number(area_.bottom()) + u'H' +
                                  number(area_.right())}});
  if (panel_.zeroLine && heightOf(0) < area_.bottom())
    marks_.empty("path", {{"class", QStringLiteral("axis")},
                          {"d", u'M' + at(area_.left(), heightOf(0)) + u'H' + number(area_.right())}});
  const QString title = QStringLiteral("title");
  if (!panel_.x.title.isEmpty())
    text({area_.center().x(), size_.height - 8}, panel_.x.title, title, "middle");
  if (!panel_.y.title.isEmpty())
    marks_.element(
        "text", panel_.y.title,
        {{"class", title},
         {"transform", QStringLiteral("translate(15 %1) rotate(-90)").arg(number(area_.center().y()))},
         {"text-anchor", QStringLiteral("middle")}});
  marks_.close();
}

void Chart::drawCells(const PlotCells& cells) {
  for (std::size_t i = 0; i < cells.cells.size(); ++i) {
    const PlotCells::Cell& cell = cells.cells[i];
    const auto x = static_cast<double>(i % cells.columns);
    const std::size_t row = i / cells.columns;
    const auto y = static_cast<double>(row);
    const QRectF box = QRectF(pixel({x - 0.5, y + 0.5}), pixel({x + 0.5, y - 0.5})).adjusted(1, 1, -1, -1);
    const bool known = std::isfinite(cell.value);
    if (!known && cell.text.isEmpty()) continue;
    const PlotRgb fill = known ? rampRgb(cells.brightness(cell.value)) : 0;
    marks_.open("g", {{"class", known ? QStringLiteral("mark cell") : QStringLiteral("mark gap")}});
    marks_.element("title", cell.reading);
    marks_.empty("rect", {{"x", number(box.left())},
                          {"y", number(box.top())},
                          {"width", number(box.width())},
                          {"height", number(box.height())},
                          {"fill", known ? hex(fill) : QStringLiteral("none")}});
    const auto lines = static_cast<double>(cell.text.size());
    for (qsizetype line = 0; line < cell.text.size(); ++line)
      marks_.element(
          "text", cell.text[line],
          {{"x", number(box.center().x())},
           {"y", number(box.center().y() + 4 + lineHeight * (static_cast<double>(line) - (lines - 1) / 2))},
           {"text-anchor", QStringLiteral("middle")},
           {"style", known ? QStringLiteral("fill:") + hex(inkOn(fill)) : QString()}});
    marks_.close();
  }
}

void Chart::drawSpan(const PlotSpan& span) {
  const double top = span.reach == PlotSpan::Reach::down ? heightOf(0) : area_.top();
  const double foot = span.reach == PlotSpan::Reach::up ? heightOf(0) : area_.bottom();
  const QString classes = QStringLiteral("span ") + classOf(span.ink);
  const double from = std::max(area_.left(), pixel({span.from, 0}).x());
  const double to = std::min(area_.right(), pixel({span.to, 0}).x());
  if (!(from <= to)) return;
  if (span.from != span.to) return rect(classes, {QPointF(from, top), QPointF(to, foot)}, {});
  path(classes + (span.dashed ? QStringLiteral(" line dashed") : QStringLiteral(" line")),
       u'M' + at(from, top) + u'V' + number(foot), {});
}

/// The part between the axes; what is not finite is a gap.
void Chart::drawLine(const PlotSeries& series) {
  QString way;
  QPointF last;
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const auto seen = clipped({pixel(series.points[i - 1]), pixel(series.points[i])}, area_);
    if (!seen) continue;
    if (way.isEmpty() || seen->p1() != last) way += u'M' + at(seen->p1());
    way += u'L' + at(seen->p2());
    last = seen->p2();
  }
  path(QStringLiteral("mark line ") + classOf(series), way,
       series.readings.size() == 1 ? series.readings.front()
       : series.along.isEmpty()    ? series.name
                                   : series.along);
}

void Chart::drawBars(const PlotSeries& series) {
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto [x, y] = std::pair(series.points[i].x(), series.points[i].y());
    const QRectF box(QPointF(pixel({x - series.bar / 2, 0}).x(), heightOf(std::max(0.0, y))),
                     QPointF(pixel({x + series.bar / 2, 0}).x(), heightOf(std::min(0.0, y))));
    if (std::isfinite(y) && y != 0 && inside(box.center()))
      rect(QStringLiteral("mark bar ") + classOf(series), box, series.readingAt(i));
  }
}

void Chart::drawPairs(const PlotSeries& series) {
  for (std::size_t i = 0; 2 * i + 1 < series.points.size(); ++i) {
    const QPointF from = pixel(series.points[2 * i]);
    const QPointF to = pixel(series.points[2 * i + 1]);
    if (!inside(from) || !inside(to)) continue;
    const auto [left, right] = std::minmax({from.x(), to.x()});
    if (series.style == Style::lying) {
      const double y = series.points[2 * i].y();
      const double thick = std::abs(pixel({0, y + series.bar}).y() - from.y());
      rect(QStringLiteral("mark bar ") + classOf(series), {left, from.y() - thick / 2, right - left, thick},
           series.readingAt(2 * i));
    } else {
      const QString stroke = QStringLiteral("v%1").arg(number(series.size));
      path(QStringLiteral("mark whisker ") + classOf(series),
           u'M' + at(left, from.y() - series.size / 2) + stroke + u'M' +
               at(right, from.y() - series.size / 2) + stroke + u'M' + at(left, from.y()) + u'H' +
               number(right),
           series.readingAt(2 * i));
    }
  }
}

/// The upper edge of a filled series, from its beginning to its end or back.
QString Chart::stairs(const PlotSeries& series, bool back) const {
  QStringList corners;
  const auto& points = series.points;
  const auto middle = [&](std::size_t a, std::size_t b) { return (points[a].x() + points[b].x()) / 2; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool left = series.style == Style::steps;
    const double from = left || i == 0 ? points[i].x() : middle(i - 1, i);
    const double to = i + 1 == points.size() ? points[i].x() : left ? points[i + 1].x() : middle(i, i + 1);
    for (const double x : {from, to})
      corners << at(std::clamp(pixel({x, 0}).x(), area_.left(), area_.right()), heightOf(points[i].y()));
  }
  if (back) std::ranges::reverse(corners);
  return corners.join(u'L');
}

void Chart::drawFilled(const PlotSeries& series, const PlotSeries* below) {
  if (series.points.empty()) return;
  const auto footAt = [&](double x) {
    return at(std::clamp(pixel({x, 0}).x(), area_.left(), area_.right()), heightOf(0));
  };
  const QString foot = below ? stairs(*below, true)
                             : footAt(series.points.back().x()) + u'L' + footAt(series.points.front().x());
  path(QStringLiteral("mark fill ") + classOf(series), u'M' + stairs(series, false) + u'L' + foot + u'z',
       series.name);
}

void Chart::mark(const PlotSeries& series, QPointF pixel, const QString& title) {
  constexpr std::array<const char*, plotMarkers> outlines{"m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
                                                          "m-4.2 -4.2h8.4v8.4h-8.4z",
                                                          "m0 -5.8l5.8 5.8l-5.8 5.8l-5.8 -5.8z",
                                                          "m0 -5.4l5.4 9.4h-10.8z",
                                                          "m0 5.4l5.4 -9.4h-10.8z",
                                                          "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
                                                          "m-3.5 -3.5l7 7m0 -7l-7 7"};
  const PlotMarker marker = series.marker.value_or(PlotMarker::disc);
  if (marker == PlotMarker::stroke)
    return path(QStringLiteral("mark tick ") + classOf(series),
                u'M' + at(pixel.x(), pixel.y() - series.size / 2) + u'v' + number(series.size), title);
  const bool open = marker == PlotMarker::ring || marker == PlotMarker::cross;
  if (marker == PlotMarker::ring && series.size > 8) { // around other marks
    const QString arc = QStringLiteral("a%1 %1 0 1 0 %2 0").arg(number(series.size / 2));
    return path(QStringLiteral("mark point hollow ") + classOf(series),
                u'M' + at(pixel.x() - series.size / 2, pixel.y()) + arc.arg(number(series.size)) +
                    arc.arg(number(-series.size)) + u'z',
                title);
  }
  path(QStringLiteral("mark point ") + classOf(series) + (open ? QStringLiteral(" hollow") : QString()),
       u'M' + at(pixel) + QLatin1String(outlines[static_cast<std::size_t>(marker)]), title);
}

void Chart::drawMarks(const PlotSeries& series) {
  if (!series.marker) return;
  QString grains;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    QPointF place = pixel(series.points[i]);
    if (series.atFoot) place.setY(area_.bottom() - footPixels);
    if (!inside(place)) continue;
    if (*series.marker == PlotMarker::grain)
      grains += u'M' + at(place) + QStringLiteral("h0");
    else
      mark(series, place, series.readings.empty() ? series.name : series.readingAt(i));
  }
  path(QStringLiteral("mark strip ") + classOf(series), grains, series.readingAt(0));
}

void Chart::drawSeries(const PlotSeries& series, const PlotSeries* below) {
  switch (series.style) {
  case Style::line:
    return drawLine(series); // its marks lie over all lines
  case Style::bars:
    return drawBars(series);
  case Style::lying:
  case Style::whisker:
    return drawPairs(series);
  case Style::steps:
  case Style::stacked:
    return drawFilled(series, below);
  case Style::marks:
    return drawMarks(series);
  }
}

void Chart::nameLines() {
  std::vector<const PlotSeries*> named;
  std::vector<double> heights;
  for (const PlotSeries& series : panel_.series) {
    if (series.name.isEmpty() || series.style != Style::line) continue;
    const auto last = std::find_if(series.points.rbegin(), series.points.rend(),
                                   [&](QPointF point) { return std::isfinite(pixel(point).y()); });
    if (last == series.points.rend()) continue;
    named.push_back(&series);
    heights.push_back(pixel(*last).y());
  }
  heights = apart(heights, area_.top());
  for (std::size_t i = 0; i < named.size(); ++i)
    text({area_.right() + 8, heights[i] + 4}, named[i]->name, classOf(named[i]->ink), "start");
}

void Chart::nameMarks() {
  QPointF place = area_.topLeft() + QPointF(10, -12);
  for (const PlotSeries& series : panel_.series) {
    if (series.name.isEmpty() || series.style == Style::line) continue;
    mark(series, place, series.name);
    text(place + QPointF(10, 4), series.name, classOf(series.ink), "start");
    place.rx() += widthOf(series.name) + 40;
  }
}

/// Those of the same corner stand below one another.
void Chart::drawCaptions() {
  std::array<int, 4> before{};
  for (const PlotCaption& caption : panel_.captions) {
    const int line = before[(caption.right ? 1U : 0U) + (caption.top ? 2U : 0U)]++;
    const double x = caption.right ? area_.right() - 6 : area_.left() + 6;
    const double y =
        caption.top ? area_.top() + lineHeight * (line + 1) : area_.bottom() - 6 - lineHeight * line;
    text({x, y}, caption.text, classOf(caption.ink) + (caption.bold ? QStringLiteral(" bold") : QString()),
         caption.right ? "end" : "start");
  }
}

QString Chart::toSvg(const QString& label, const QString& classes) {
  marks_.open("svg", {{"class", classes},
                      {"viewBox", QStringLiteral("0 0 %1 %2").arg(number(size_.width), number(size_.height))},
                      {"role", QStringLiteral("img")},
                      {"aria-label", label}});
  drawAxes();
  if (panel_.cells) drawCells(*panel_.cells);
  for (const PlotSpan& span : panel_.spans)
    drawSpan(span);
  const PlotSeries* below = nullptr;
  for (const PlotSeries& series : panel_.series) {
    const bool exact = series.ink.of == PlotInk::Of::exact;
    if (exact) marks_.open("g", {{"style", exactStyle(static_cast<PlotRgb>(series.ink.index))}});
    drawSeries(series, below);
    if (exact) marks_.close();
    below = series.style == Style::stacked ? &series : nullptr;
  }
  for (const PlotSeries& series : panel_.series)
    if (series.style == Style::line) drawMarks(series);
  nameLines();
  nameMarks();
  const PlotPixels pixels{[this](QPointF value) { return pixel(value); }, area_,
                          [](const QString& words) { return QSizeF(widthOf(words), lineHeight); }};
  for (const PlacedText& words : placedTexts(panel_, pixels))
    placed(words);
  drawCaptions();
  marks_.close();
  return marks_.toString();
}

/// What the style sheet has a class for, with its colour.
std::vector<std::pair<QString, PlotRgb>> colourClasses(bool dark) {
  std::vector<std::pair<QString, PlotRgb>> classes;
  for (std::size_t hue = 0; hue < plotHues; ++hue)
    classes.emplace_back(seriesClass(hue), seriesRgb(hue, dark));
  for (std::size_t stage = 0; stage < stageCount; ++stage)
    classes.emplace_back(classOf(PlotInk::stage(static_cast<Stage>(stage))),
                         stageRgb(static_cast<Stage>(stage), dark));
  return classes;
}

} // namespace

QString svgFigure(const PlotPanel& panel, const SvgSize& size, const QString& label, const QString& classes) {
  return Chart(panel, size).toSvg(label, classes);
}

QString exactStyle(PlotRgb colour) { return QStringLiteral("--c: ") + hex(colour); }

QString plotColourVariables(bool dark) {
  QString variables;
  for (const auto& [name, colour] : colourClasses(dark))
    variables += QStringLiteral("--%1: %2; ").arg(name, hex(colour));
  return variables;
}

QString plotColourRules() {
  QString rules;
  for (const auto& [name, colour] : colourClasses(false))
    rules += QStringLiteral("svg .%1 { --c: var(--%1); }\n").arg(name);
  return rules;
}

} // namespace lloyd
