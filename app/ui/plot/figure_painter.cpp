// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/figure_painter.hpp"

#include "app/plot/placed_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/axis_ticker.hpp"
#include "app/ui/plot/inked_bars.hpp"
#include "app/ui/plot/lying_bars.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace lloyd {

namespace {

constexpr double nearPixels = 26; ///< from a mark to a pointer that means it
constexpr double footPixels = 7;  ///< of marks at the foot above the axis
constexpr int edge = 12;          ///< pixels right of the axes, at least
constexpr std::size_t mostCellTexts = 900;

QColor faint(QColor colour, int alpha) {
  colour.setAlpha(alpha);
  return colour;
}

/// Where colours come again the dashes differ.
QPen penOf(const PlotSeries& series) {
  QPen pen(colourOf(series.ink), series.width);
  if (series.ink.of == PlotInk::Of::series)
    pen.setStyle(seriesPen(series.ink.index, UiTheme::current()).style());
  if (series.dashed) pen.setStyle(Qt::DashLine);
  return pen;
}

/// Marks without a line often lie on one another: an edge in the colour of the ground keeps them apart.
QCPScatterStyle scatterOf(const PlotSeries& series) {
  if (!series.marker) return {};
  if (*series.marker == PlotMarker::stroke) {
    constexpr double drawnAsItIs = 6; // the size to which neither a path nor its pen is scaled
    QPainterPath stroke(QPointF(0, -drawnAsItIs / 2));
    stroke.lineTo(0, drawnAsItIs / 2);
    return {stroke, QPen(colourOf(series.ink), 2 * drawnAsItIs / series.size), Qt::NoBrush, series.size};
  }
  if (*series.marker == PlotMarker::grain)
    return {QCPScatterStyle::ssDisc, faint(colourOf(series.ink), 110), 3};
  using Shape = QCPScatterStyle::ScatterShape;
  constexpr std::array<Shape, plotMarkers> shapes{
      QCPScatterStyle::ssCircle,   QCPScatterStyle::ssSquare,           QCPScatterStyle::ssDiamond,
      QCPScatterStyle::ssTriangle, QCPScatterStyle::ssTriangleInverted, QCPScatterStyle::ssCircle,
      QCPScatterStyle::ssCross};
  const QColor colour = colourOf(series.ink);
  const bool hollow =
      series.hollow || *series.marker == PlotMarker::ring || *series.marker == PlotMarker::cross;
  const bool edged = series.style == PlotSeries::Style::marks && !hollow;
  return {shapes[static_cast<std::size_t>(*series.marker)],
          edged ? QPen(UiTheme::current().panel, 1) : QPen(colour, 1.4),
          hollow ? QBrush(Qt::NoBrush) : QBrush(colour), series.size};
}

/// As many columns as fit, at least one: items fill one row after the other, and a column is as wide as its
/// widest item.
int legendColumns(const std::vector<int>& widths, int room) {
  for (std::size_t columns = widths.size(); columns > 1; --columns) {
    std::vector<int> widest(columns, 0);
    for (std::size_t i = 0; i < widths.size(); ++i)
      widest[i % columns] = std::max(widest[i % columns], widths[i]);
    if (std::accumulate(widest.begin(), widest.end(), 0) <= room) return static_cast<int>(columns);
  }
  return 1;
}

void removeAll(QCustomPlot& plot, std::vector<QCPAbstractItem*>& items) {
  for (QCPAbstractItem* item : std::exchange(items, {}))
    plot.removeItem(item);
}

} // namespace

FigurePainter::FigurePainter(QCustomPlot& plot, Panels panels) : plot_(plot) {
  addPanels(panels);
  map_ = std::make_unique<CellMap>(plot_, *rects_.front());
}

void FigurePainter::addPanels(Panels panels) {
  rects_.push_back(plot_.axisRect());
  rects_.front()->setMinimumMargins(QMargins(4, 6, edge, 4));
  QCPLayoutGrid& grid = *plot_.plotLayout();
  const bool below = panels == Panels::threeBelow;
  const int more = below ? 2 : panels == Panels::twoBeside ? 1 : 0;
  for (int i = 1; i <= more; ++i) {
    auto* rect = new QCPAxisRect(&plot_);
    rects_.push_back(rect);
    grid.addElement(below ? i : 0, below ? 0 : i, rect);
    rect->setMinimumMargins(below ? QMargins(4, 3, edge, 3) : QMargins(4, 6, edge, 4));
    for (QCPAxis* axis : rect->axes()) {
      axis->setLayer(QStringLiteral("axes"));
      axis->grid()->setLayer(QStringLiteral("grid"));
    }
  }
  if (panels == Panels::twoBeside) {
    grid.setColumnStretchFactor(0, 1.5);
    grid.setColumnSpacing(4);
  }
  if (!below) return;
  grid.setRowSpacing(0);
  auto* margins = new QCPMarginGroup(&plot_);
  for (QCPAxisRect* rect : rects_)
    rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
  for (const QCPAxisRect* from : rects_)
    for (const QCPAxisRect* to : rects_)
      if (from != to)
        QObject::connect(from->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
                         to->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::setRange));
}

void FigurePainter::paint(Figure figure) {
  figure_ = std::move(figure);
  build();
}

void FigurePainter::renewColours() {
  const UiTheme& theme = UiTheme::current();
  plot_.setBackground(QBrush(theme.panel));
  QFont small = plot_.font();
  small.setPointSizeF(small.pointSizeF() * 0.92);
  for (QCPAxisRect* rect : plot_.axisRects()) {
    for (QCPAxis* axis : rect->axes()) {
      axis->setBasePen(QPen(theme.line));
      axis->setTickPen(QPen(theme.line));
      axis->setSubTickPen(Qt::NoPen);
      axis->setTickLength(0, 4);
      axis->setTickLabelColor(theme.dim);
      axis->setLabelColor(theme.dim);
      axis->setTickLabelFont(small);
      axis->setLabelFont(small);
      axis->setLabelPadding(2);
      axis->setTickLabelPadding(3);
      axis->grid()->setPen(QPen(theme.line, 0, Qt::DotLine));
      axis->grid()->setSubGridVisible(false);
      axis->grid()->setZeroLinePen(Qt::NoPen);
    }
  }
  colourLegend();
  build();
}

void FigurePainter::useLegend() {
  hasLegend_ = true;
  plot_.setAutoAddPlottableToLegend(false);
  auto* below = new QCPLayoutGrid;
  const int row = plot_.plotLayout()->rowCount();
  plot_.plotLayout()->addElement(row, 0, below);
  plot_.plotLayout()->setRowStretchFactor(row, 0.001);
  plot_.plotLayout()->setRowSpacing(2);
  below->setMargins(QMargins(8, 0, 8, 2));
  below->addElement(0, 0, plot_.legend);
  plot_.legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
  plot_.legend->setMargins(QMargins(0, 0, 0, 0));
  plot_.legend->setRowSpacing(1);
  plot_.legend->setColumnSpacing(10);
  plot_.legend->setIconSize(18, 11);
  plot_.legend->setIconTextPadding(8);
  plot_.legend->setVisible(true);
}

void FigurePainter::colourLegend() {
  if (!hasLegend_) return;
  const UiTheme& theme = UiTheme::current();
  QCPLegend& legend = *plot_.legend;
  legend.setFont(plot_.xAxis->tickLabelFont());
  legend.setTextColor(theme.text);
  legend.setBorderPen(Qt::NoPen);
  legend.setBrush(Qt::NoBrush);
  for (int i = 0; i < legend.itemCount(); ++i) {
    QCPAbstractLegendItem* item = legend.item(i);
    if (!item) continue; // a column's last cells may be empty
    item->setFont(legend.font());
    item->setTextColor(theme.text);
  }
}

void FigurePainter::arrangeLegend() {
  if (!hasLegend_) return;
  QCPLegend& legend = *plot_.legend;
  const QFontMetrics metrics(legend.font());
  std::vector<int> widths;
  for (int i = 0; i < legend.itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i)))
      widths.push_back(metrics.horizontalAdvance(item->plottable()->name()) + legend.iconSize().width() +
                       legend.iconTextPadding() + legend.columnSpacing() + 4);
  const int columns = legendColumns(widths, plot_.width() - 16);
  if (columns == legend.wrap() && legend.columnCount() <= columns) return;
  legend.setWrap(columns);
  legend.setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
}

/// As many numbers as there is room for.
void FigurePainter::arrangeTicks() {
  for (QCPAxisRect* rect : plot_.axisRects())
    for (QCPAxis* axis : rect->axes())
      if (const auto ticker = axis->ticker().dynamicCast<AxisTicker>()) ticker->fit(*axis);
}

/// Words behind marks have room.
void FigurePainter::arrangeMargins() {
  const auto widthOf = [&](const QString& text, bool bold) {
    QFont font = plot_.xAxis->tickLabelFont();
    font.setBold(bold);
    return QFontMetricsF(font).horizontalAdvance(text) + edge; // with the item's padding
  };
  for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
    QMargins margins = rects_[i]->minimumMargins();
    const double width = rects_[i]->outerRect().right() - rects_[i]->left();
    margins.setRight(std::max(edge, static_cast<int>(roomBehind(figure_.panels[i], width, widthOf))));
    rects_[i]->setMinimumMargins(margins);
  }
}

/// A title longer than its axis would lose letters at both ends.
void FigurePainter::arrangeTitles() {
  if (!plot_.isVisible()) return; // it has no size yet
  const auto fit = [](QCPAxis& axis, const QString& title) {
    const QSize room = axis.axisRect()->size();
    axis.setLabel(QFontMetrics(axis.labelFont())
                      .elidedText(title, Qt::ElideRight,
                                  axis.orientation() == Qt::Horizontal ? room.width() : room.height()));
  };
  for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
    fit(*rects_[i]->axis(QCPAxis::atBottom), figure_.panels[i].x.title);
    fit(*rects_[i]->axis(QCPAxis::atLeft), figure_.panels[i].y.title);
  }
  map_->arrangeTitle();
}

void FigurePainter::build() {
  removeAll(plot_, texts_);
  removeAll(plot_, items_);
  plot_.clearPlottables();
  drawn_.clear();
  for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
    const PlotPanel& panel = figure_.panels[i];
    QCPAxis& y = *rects_[i]->axis(QCPAxis::atLeft);
    describeAxis(*rects_[i]->axis(QCPAxis::atBottom), panel.x);
    describeAxis(y, panel.y);
    y.grid()->setZeroLinePen(panel.zeroLine ? QPen(UiTheme::current().dim) : QPen(Qt::NoPen));
    rects_[i]->axis(QCPAxis::atBottom)->grid()->setVisible(panel.x.grid && !panel.cells);
    y.grid()->setVisible(panel.y.grid && !panel.cells);
    const auto moved = panel.y.still ? Qt::Orientations(Qt::Horizontal) : Qt::Horizontal | Qt::Vertical;
    rects_[i]->setRangeDrag(moved);
    rects_[i]->setRangeZoom(moved);
    for (const PlotSeries& series : panel.series)
      addSeries(i, series);
    for (const PlotSpan& span : panel.spans)
      addSpan(i, span);
    addCaptions(i);
  }
  const bool cells = !figure_.panels.empty() && figure_.panels.front().cells;
  map_->build(cells ? &*figure_.panels.front().cells : nullptr);
  plot_.legend->clearItems();
  plot_.legend->simplify();
  for (int i = 0; i < plot_.plottableCount(); ++i)
    if (!plot_.plottable(i)->name().isEmpty()) plot_.plottable(i)->addToLegend();
  plot_.legend->setWrap(0); // as many columns as fit are found before the next drawing
  colourLegend();
}

void FigurePainter::addSeries(std::size_t panel, const PlotSeries& series) {
  QCPAxis* x = rects_[panel]->axis(QCPAxis::atBottom);
  QCPAxis* y = rects_[panel]->axis(QCPAxis::atLeft);
  QVector<double> keys;
  QVector<double> values;
  for (const QPointF& point : series.points) {
    keys << point.x();
    values << (y->scaleType() == QCPAxis::stLogarithmic && !(point.y() > 0) ? qQNaN() : point.y());
  }
  const QColor colour = colourOf(series.ink);
  if (series.style == PlotSeries::Style::bars) {
    auto* bars = series.inks.empty() ? new QCPBars(x, y) : new InkedBars(x, y, series.inks);
    bars->setName(series.name);
    bars->setWidth(series.bar);
    bars->setPen(QPen(colour, 0.8));
    bars->setBrush(faint(colour, 150));
    bars->setData(keys, values, true);
    drawn_.push_back({panel, &series, nullptr});
    return;
  }
  if (series.style == PlotSeries::Style::lying) {
    new LyingBars(x, y, series); // the plot owns it
    drawn_.push_back({panel, &series, nullptr});
    return;
  }
  if (series.inPairs()) {
    for (std::size_t i = 0; i + 1 < series.points.size(); i += 2)
      addPair(panel, series, series.points[i], series.points[i + 1]);
    drawn_.push_back({panel, &series, nullptr});
    return;
  }
  QCPGraph* graph = plot_.addGraph(x, y);
  graph->setName(series.name);
  graph->setPen(penOf(series));
  graph->setScatterStyle(scatterOf(series));
  switch (series.style) {
  case PlotSeries::Style::marks:
    graph->setLineStyle(QCPGraph::lsNone);
    break;
  case PlotSeries::Style::steps:
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setBrush(faint(colour, 90));
    break;
  case PlotSeries::Style::stacked:
    graph->setLineStyle(QCPGraph::lsStepCenter);
    graph->setBrush(faint(colour, 190));
    if (!drawn_.empty() && drawn_.back().series->style == PlotSeries::Style::stacked)
      graph->setChannelFillGraph(drawn_.back().graph);
    break;
  default:
    graph->setLineStyle(QCPGraph::lsLine);
  }
  graph->setData(keys, values, series.style != PlotSeries::Style::marks);
  drawn_.push_back({panel, &series, graph});
}

/// A whisker.
void FigurePainter::addPair(std::size_t panel, const PlotSeries& series, QPointF from, QPointF to) {
  if (!std::isfinite(from.x()) || !std::isfinite(to.x())) return;
  const auto place = [&](QCPItemPosition* position, QPointF at) {
    position->setAxisRect(rects_[panel]);
    position->setAxes(rects_[panel]->axis(QCPAxis::atBottom), rects_[panel]->axis(QCPAxis::atLeft));
    position->setCoords(at);
  };
  auto* whisker = new QCPItemLine(&plot_);
  place(whisker->start, from);
  place(whisker->end, to);
  whisker->setPen(QPen(colourOf(series.ink), 1.2));
  whisker->setHead({QCPLineEnding::esBar, series.size});
  whisker->setTail({QCPLineEnding::esBar, series.size});
  whisker->setClipAxisRect(rects_[panel]);
  whisker->setSelectable(false);
  items_.push_back(whisker);
}

void FigurePainter::addSpan(std::size_t panel, const PlotSpan& span) {
  QCPAxisRect* rect = rects_[panel];
  const auto place = [&](QCPItemPosition* position, double x, double part) {
    position->setAxisRect(rect);
    position->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
    position->setTypeX(QCPItemPosition::ptPlotCoords);
    const bool zero = span.reach != PlotSpan::Reach::whole && part == 1;
    position->setTypeY(zero ? QCPItemPosition::ptPlotCoords : QCPItemPosition::ptAxisRectRatio);
    position->setCoords(x, zero ? 0 : span.reach == PlotSpan::Reach::down ? 1 : part);
  };
  const QColor colour = colourOf(span.ink);
  if (span.from != span.to) {
    auto* band = new QCPItemRect(&plot_);
    place(band->topLeft, span.from, 0);
    place(band->bottomRight, span.to, 1);
    band->setClipAxisRect(rect);
    band->setLayer(QStringLiteral("grid"));
    band->setPen(Qt::NoPen);
    band->setBrush(faint(colour, 48));
    items_.push_back(band);
    return;
  }
  auto* line = new QCPItemLine(&plot_);
  place(line->start, span.from, 1);
  place(line->end, span.from, 0);
  line->setClipAxisRect(rect);
  line->setPen(QPen(colour, span.dashed ? 1 : 1.4, span.dashed ? Qt::DashLine : Qt::SolidLine));
  items_.push_back(line);
}

QCPItemText* FigurePainter::addText(std::size_t panel, const QString& text, const QColor& colour) {
  auto* item = new QCPItemText(&plot_);
  item->setText(text);
  item->setColor(colour);
  item->setFont(plot_.xAxis->tickLabelFont());
  item->setClipAxisRect(rects_[panel]);
  item->position->setAxisRect(rects_[panel]);
  item->position->setAxes(rects_[panel]->axis(QCPAxis::atBottom), rects_[panel]->axis(QCPAxis::atLeft));
  item->setSelectable(false);
  return item;
}

/// Captions of the same corner stand below one another.
void FigurePainter::addCaptions(std::size_t panel) {
  std::array<int, 4> before{};
  for (const PlotCaption& caption : figure_.panels[panel].captions) {
    const int line = before[(caption.right ? 1U : 0U) + (caption.top ? 2U : 0U)]++;
    QCPItemText* item = addText(panel, caption.text, colourOf(caption.ink));
    QFont font = caption.bold ? item->font() : plot_.font();
    font.setBold(caption.bold);
    item->setFont(font);
    item->setPadding(QMargins(4, 1, 4, 1));
    item->setBrush(faint(UiTheme::current().panel, 205));
    item->position->setType(QCPItemPosition::ptAxisRectRatio);
    item->position->setCoords(caption.right ? 1 : 0, caption.top ? 0.09 * line : 1 - 0.09 * line);
    item->setPositionAlignment((caption.right ? Qt::AlignRight : Qt::AlignLeft) |
                               (caption.top ? Qt::AlignTop : Qt::AlignBottom));
    items_.push_back(item);
  }
}

QPointF FigurePainter::pixelOf(std::size_t panel, QPointF value) const {
  const QCPAxis* y = rects_[panel]->axis(QCPAxis::atLeft);
  const bool below = y->scaleType() == QCPAxis::stLogarithmic && !(value.y() > 0);
  return {rects_[panel]->axis(QCPAxis::atBottom)->coordToPixel(value.x()),
          y->coordToPixel(below ? y->range().lower : value.y())};
}

QPointF FigurePainter::pixelOf(const Drawn& drawn, std::size_t point) const {
  QPointF pixel = pixelOf(drawn.panel, drawn.series->points[point]);
  if (drawn.series->atFoot) pixel.setY(rects_[drawn.panel]->rect().bottom() - footPixels);
  return pixel;
}

void FigurePainter::fit() {
  for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
    rects_[i]->axis(QCPAxis::atBottom)->setRange(figure_.panels[i].x.low, figure_.panels[i].x.high);
    rects_[i]->axis(QCPAxis::atLeft)->setRange(figure_.panels[i].y.low, figure_.panels[i].y.high);
  }
}

void FigurePainter::arrange() {
  arrangeLegend();
  arrangeTicks();
  arrangeMargins();
  plot_.plotLayout()->update(QCPLayoutElement::upPreparation);
  plot_.plotLayout()->update(QCPLayoutElement::upMargins);
  plot_.plotLayout()->update(QCPLayoutElement::upLayout);
  arrangeTitles();
  removeAll(plot_, texts_);
  for (const Drawn& drawn : drawn_) {
    if (!drawn.series->atFoot) continue;
    QVector<double> x;
    QVector<double> y;
    for (std::size_t i = 0; i < drawn.series->points.size(); ++i) {
      x << drawn.series->points[i].x();
      y << rects_[drawn.panel]->axis(QCPAxis::atLeft)->pixelToCoord(pixelOf(drawn, i).y());
    }
    drawn.graph->setData(x, y);
  }
  for (std::size_t i = 0; i < figure_.panels.size(); ++i)
    addTexts(i);
  if (map_->drawn()) addCellTexts();
}

void FigurePainter::addTexts(std::size_t panel) {
  const QFontMetricsF metrics(plot_.xAxis->tickLabelFont());
  const PlotPixels pixels{
      [&](QPointF value) { return pixelOf(panel, value); }, rects_[panel]->rect(),
      [&](const QString& text) { return QSizeF(metrics.horizontalAdvance(text) + 2, metrics.height() - 2); }};
  for (const PlacedText& text : placedTexts(figure_.panels[panel], pixels)) {
    QCPItemText* item = addText(panel, text.text, colourOf(text.ink));
    item->setPadding(QMargins(2, 1, 2, 1));
    using Anchor = PlacedText::Anchor;
    item->setPositionAlignment(text.anchor == Anchor::middle  ? Qt::AlignCenter
                               : text.anchor == Anchor::begin ? Qt::AlignLeft | Qt::AlignVCenter
                               : text.anchor == Anchor::above ? Qt::AlignLeft | Qt::AlignBottom
                                                              : Qt::AlignLeft | Qt::AlignTop);
    item->setClipToAxisRect(text.anchor != Anchor::begin);
    QFont font = item->font();
    font.setBold(text.bold);
    item->setFont(font);
    item->position->setPixelPosition(text.at);
    item->setRotation(text.degrees);
    texts_.push_back(item);
    if (!text.leader) continue;
    auto* leader = new QCPItemLine(&plot_);
    leader->start->setPixelPosition(text.leader->p1());
    leader->end->setPixelPosition(text.leader->p2());
    leader->setPen(QPen(UiTheme::current().dim, 0.7));
    leader->setSelectable(false);
    texts_.push_back(leader);
  }
}

void FigurePainter::addCellTexts() {
  const PlotCells& cells = *figure_.panels.front().cells;
  const QFontMetrics metrics(plot_.xAxis->tickLabelFont());
  const QPointF cell = pixelOf(0, {1, 1}) - pixelOf(0, {0, 0});
  const double height = std::abs(cell.y());
  if (cells.cells.size() > mostCellTexts || height < metrics.height()) return;
  for (std::size_t i = 0; i < cells.cells.size(); ++i) {
    const auto& [value, lines, reading] = cells.cells[i];
    if (lines.isEmpty()) continue;
    const bool all = height >= static_cast<double>(lines.size()) * metrics.height() + 4;
    const QString text = all ? lines.join(QLatin1Char('\n')) : lines.last();
    if (metrics.size(0, text).width() + 4 > std::abs(cell.x())) continue;
    QCPItemText* item =
        addText(0, text, std::isfinite(value) ? inkOn(map_->colourOf(value)) : UiTheme::current().dim);
    item->setPositionAlignment(Qt::AlignCenter);
    item->setTextAlignment(Qt::AlignCenter);
    const std::size_t row = i / cells.columns;
    item->position->setCoords(static_cast<double>(i % cells.columns), static_cast<double>(row));
    texts_.push_back(item);
  }
}

std::optional<PlotHover> FigurePainter::hover(QPointF at) const {
  const auto rect = std::find_if(rects_.begin(), rects_.end(),
                                 [&](const QCPAxisRect* one) { return one->rect().contains(at.toPoint()); });
  const auto panel = static_cast<std::size_t>(rect - rects_.begin());
  if (panel >= figure_.panels.size()) return std::nullopt;
  const PlotPanel& described = figure_.panels[panel];
  const QPointF value((*rect)->axis(QCPAxis::atBottom)->pixelToCoord(at.x()),
                      (*rect)->axis(QCPAxis::atLeft)->pixelToCoord(at.y()));
  if (described.read) {
    const auto reading = described.read(value);
    if (!reading) return std::nullopt;
    const QPointF there = pixelOf(panel, reading->at);
    if (std::hypot(there.x() - at.x(), there.y() - at.y()) > reading->reach) return std::nullopt;
    return PlotHover{reading->text, there};
  }
  if (described.cells) {
    const double x = std::round(value.x());
    const double y = std::round(value.y());
    const auto columns = static_cast<double>(described.cells->columns);
    const double index = y * columns + x;
    if (!(x >= 0 && x < columns && y >= 0 && index < static_cast<double>(described.cells->cells.size())))
      return std::nullopt;
    return PlotHover{described.cells->cells[static_cast<std::size_t>(index)].reading, pixelOf(panel, {x, y})};
  }
  double nearest = nearPixels;
  std::optional<PlotHover> found;
  for (const Drawn& drawn : drawn_)
    for (std::size_t i = 0; drawn.panel == panel && i < drawn.series->points.size(); ++i) {
      const QString text = drawn.series->readingAt(i);
      const QPointF mark = pixelOf(drawn, i);
      const double far = std::hypot(mark.x() - at.x(), mark.y() - at.y());
      if (text.isEmpty() || !(far < nearest)) continue; // so does a gap, which is nowhere
      nearest = far;
      found = PlotHover{text, mark};
    }
  return found;
}

std::vector<QCPAxis*> FigurePainter::axes() const {
  std::vector<QCPAxis*> all;
  for (std::size_t i = 0; i < rects_.size(); ++i) {
    // Panels below one another share what is level.
    if (i == 0 || rects_[i]->rect().top() == rects_.front()->rect().top())
      all.push_back(rects_[i]->axis(QCPAxis::atBottom));
    if (i >= figure_.panels.size() || !figure_.panels[i].y.still)
      all.push_back(rects_[i]->axis(QCPAxis::atLeft));
  }
  return all;
}

} // namespace lloyd
