// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/sweep_heatmap.hpp"

#include "app/model/plot/sweep_figure.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr double clickReach = 4; ///< pixels from press to release: farther it was a drag

bool isArrow(int key) {
  return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

} // namespace

SweepHeatmap::SweepHeatmap(QWidget* parent, Extent extent) : PlotPane(tr("Sweep"), parent), extent_(extent) {
  if (extent == Extent::beside) setSmall({});
  show(nullptr, SweepMetric::median);
}

void SweepHeatmap::take(const SweepResultPtr& result, Figure figure) {
  const bool other = !result || !result_ || !(result->plan == result_->plan);
  result_ = result;
  remark_ = figure.note;
  setFigure(std::move(figure));
  if (!other) return;
  mark(std::nullopt);
  if (result) reset();
}

void SweepHeatmap::show(const SweepResultPtr& result, SweepMetric metric,
                        std::optional<std::size_t> candidate) {
  take(result, result ? sweepMap(*result, metric, candidate)
                      : Figure{.title = tr("Sweep"),
                               .empty = tr("Choose two things to sweep and press Start: each measurement "
                                           "appears here as soon as it is made.")});
}

void SweepHeatmap::showBeside(const SweepResultPtr& result, SweepMetric metric, std::size_t candidate,
                              std::optional<std::pair<double, double>> range) {
  take(result, linkedMap(*result, metric, candidate, range));
}

PlotTable SweepHeatmap::table() const { return result_ ? sweepTable(*result_) : PlotTable{}; }

void SweepHeatmap::mark(std::optional<SweepPlace> place) {
  place_ = place;
  if (!place) return putRing(std::nullopt);
  putRing(QPointF(plot().xAxis->coordToPixel(static_cast<double>(place->column)),
                  plot().yAxis->coordToPixel(static_cast<double>(place->row))));
}

std::optional<SweepPlace> SweepHeatmap::placeAt(QPointF at) const {
  if (!result_ || !plot().axisRect()->rect().contains(at.toPoint())) return std::nullopt;
  const double column = std::round(plot().xAxis->pixelToCoord(at.x()));
  const double row = std::round(plot().yAxis->pixelToCoord(at.y()));
  if (!(column >= 0 && column < static_cast<double>(result_->plan.columns()) && row >= 0 &&
        row < static_cast<double>(result_->plan.rows())))
    return std::nullopt;
  return SweepPlace{static_cast<std::size_t>(column), static_cast<std::size_t>(row)};
}

/// The ring stays around its cell, which is elsewhere once the plot is arranged.
void SweepHeatmap::resizeEvent(QResizeEvent* event) {
  PlotPane::resizeEvent(event);
  if (!place_) return;
  QMetaObject::invokeMethod(
      this, [this] { mark(place_); }, Qt::QueuedConnection);
}

bool SweepHeatmap::released(QPointF at) const {
  return pressed_ && std::hypot(at.x() - pressed_->x(), at.y() - pressed_->y()) <= clickReach;
}

bool SweepHeatmap::movesBetweenCells(int key, Qt::KeyboardModifiers modifiers) const {
  modifiers &= ~Qt::KeypadModifier;
  return isArrow(key) &&
         (modifiers == Qt::ControlModifier || (extent_ == Extent::beside && modifiers == Qt::NoModifier));
}

bool SweepHeatmap::handles(int key, Qt::KeyboardModifiers modifiers) {
  if (!result_) return false;
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    if (place_) Q_EMIT chosen(*place_);
    return place_.has_value();
  }
  if (!movesBetweenCells(key, modifiers)) return false;
  SweepPlace next = place_.value_or(SweepPlace{});
  const std::size_t lastColumn = result_->plan.columns() - 1;
  const std::size_t lastRow = result_->plan.rows() - 1;
  if (place_ && key == Qt::Key_Right) next.column = std::min(lastColumn, next.column + 1);
  if (place_ && key == Qt::Key_Left && next.column > 0) --next.column;
  if (place_ && key == Qt::Key_Up) next.row = std::min(lastRow, next.row + 1);
  if (place_ && key == Qt::Key_Down && next.row > 0) --next.row;
  mark(next);
  Q_EMIT pointed(next);
  return true;
}

bool SweepHeatmap::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &plot()) return PlotPane::eventFilter(watched, event);
  switch (event->type()) {
  case QEvent::MouseButtonPress: {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() == Qt::LeftButton) pressed_ = mouse->position();
    break;
  }
  case QEvent::MouseMove: {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->buttons() != Qt::NoButton) break;
    place_ = placeAt(mouse->position());
    Q_EMIT pointed(place_);
    break;
  }
  case QEvent::MouseButtonRelease: {
    const QPointF at = static_cast<QMouseEvent*>(event)->position();
    const bool click = released(at);
    pressed_.reset();
    if (const auto place = placeAt(at); click && place) Q_EMIT chosen(*place);
    break;
  }
  case QEvent::Leave:
    place_.reset();
    Q_EMIT pointed(std::nullopt);
    break;
  case QEvent::ShortcutOverride: {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enters = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!enters && !movesBetweenCells(key->key(), key->modifiers())) break;
    event->accept();
    return true;
  }
  case QEvent::KeyPress: {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (handles(key->key(), key->modifiers())) return true;
    break;
  }
  default:
    break;
  }
  return PlotPane::eventFilter(watched, event);
}

} // namespace lloyd
