// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/cell_map.hpp"

#include "app/ui/common/theme.hpp"
#include "app/ui/plot/axis_ticker.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lloyd {

void CellMap::build(const PlotCells* cells) {
  map_ = nullptr;
  cells_ = cells;
  if (!cells || cells->columns == 0) return;
  map_ = new QCPColorMap(rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft));
  map_->setInterpolate(false);
  map_->setTightBoundary(false);
  const auto columns = static_cast<int>(cells->columns);
  const auto rows = static_cast<int>(cells->cells.size()) / columns;
  map_->data()->setSize(columns, rows);
  map_->data()->setRange(QCPRange(0, columns - 1), QCPRange(0, rows - 1));
  for (std::size_t i = 0; i < cells->cells.size(); ++i)
    map_->data()->setCell(static_cast<int>(i % cells->columns), static_cast<int>(i / cells->columns),
                          cells->cells[i].value);
  const auto [low, high] = cells->range();
  const double room = high > low ? 0 : 0.01;
  map_->setDataScaleType(cells->logarithmic() ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  map_->setDataRange(QCPRange(low * (1 - room), high * (1 + room)));
  map_->setGradient(cells->lowIsBright ? evenGradient().inverted() : evenGradient());
  if (cells->scaled && std::ranges::any_of(cells->cells, [](const PlotCells::Cell& cell) {
        return std::isfinite(cell.value);
      }))
    showScale();
  else
    removeScale();
}

void CellMap::addScale() {
  scale_ = new QCPColorScale(&plot_);
  plot_.plotLayout()->addElement(0, 1, scale_);
  plot_.plotLayout()->setColumnSpacing(2);
  scale_->setType(QCPAxis::atRight);
  scale_->setBarWidth(12);
  scale_->setRangeDrag(false);
  scale_->setRangeZoom(false);
  auto* margins = new QCPMarginGroup(&plot_);
  rect_.setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  scale_->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
}

void CellMap::removeScale() {
  if (!scale_) return;
  plot_.plotLayout()->remove(scale_);
  plot_.plotLayout()->simplify();
  scale_ = nullptr;
}

void CellMap::showScale() {
  if (!scale_) addScale();
  scale_->setDataScaleType(map_->dataScaleType());
  scale_->setDataRange(map_->dataRange());
  scale_->setGradient(map_->gradient());
  map_->setColorScale(scale_);
  QCPAxis& axis = *scale_->axis();
  describeAxis(axis, {.title = cells_->title, .log = cells_->logarithmic()});
  const UiTheme& theme = UiTheme::current();
  axis.setBasePen(QPen(theme.line));
  axis.setTickPen(QPen(theme.line));
  axis.setSubTickPen(Qt::NoPen);
  axis.setTickLabelColor(theme.dim);
  axis.setLabelColor(theme.dim);
  axis.setTickLabelFont(plot_.xAxis->tickLabelFont());
  axis.setLabelFont(plot_.xAxis->labelFont());
}

void CellMap::arrangeTitle() const {
  if (!map_ || !scale_ || !cells_->scaled) return;
  QCPAxis& axis = *scale_->axis();
  axis.setLabel(
      QFontMetrics(axis.labelFont()).elidedText(cells_->title, Qt::ElideRight, axis.axisRect()->height()));
}

QColor CellMap::colourOf(double value) const {
  return QColor::fromRgb(map_->gradient().color(value, map_->dataRange(), cells_->logarithmic()));
}

} // namespace lloyd
