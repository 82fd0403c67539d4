// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keys do in a plot.
#include "app/ui/elided_label.hpp"
#include "app/ui/plot_pane.hpp"

#include <QKeyEvent>
#include <QMenu>
#include <qcustomplot.h>

#include <cmath>
#include <set>

namespace lloyd {

namespace {

constexpr double keyStep = 0.12; ///< of the visible range
constexpr double keyZoom = 1 / 1.25;
constexpr double ringRadius = 5.5; ///< pixels

} // namespace

std::vector<QCPAxis*> PlotPane::axes() const {
  std::vector<QCPAxis*> all;
  for (QCPAxisRect* rect : plot_->axisRects())
    for (QCPAxis* axis : {rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)})
      if (axis) all.push_back(axis);
  return all;
}

void PlotPane::zoom(double factor) {
  moved_ = true;
  for (QCPAxis* axis : axes())
    axis->scaleRange(factor);
  replot();
}

void PlotPane::pan(double right, double up) {
  moved_ = true;
  for (QCPAxis* axis : axes()) {
    const double part = axis->orientation() == Qt::Horizontal ? right : up;
    const QCPRange range = axis->range();
    axis->moveRange(axis->scaleType() == QCPAxis::stLogarithmic ? std::pow(range.upper / range.lower, part)
                                                                : range.size() * part);
  }
  replot();
}

QString PlotPane::readAt(QPointF at) const {
  const auto found = emptyText_.isEmpty() ? hover(at) : std::nullopt;
  return found ? found->text : QString();
}

void PlotPane::point(QPointF at) {
  const auto found = emptyText_.isEmpty() ? hover(at) : std::nullopt;
  if (!found) return pointNowhere();
  readOut_->setText(found->text);
  readOut_->setToolTip(found->text);
  ring_->topLeft->setPixelPosition(found->at - QPointF(ringRadius, ringRadius));
  ring_->bottomRight->setPixelPosition(found->at + QPointF(ringRadius, ringRadius));
  ring_->setVisible(true);
  plot_->layer(QStringLiteral("overlay"))->replot();
}

void PlotPane::pointNowhere() {
  readOut_->setText(note_);
  readOut_->setToolTip({});
  if (!ring_->visible()) return;
  ring_->setVisible(false);
  plot_->layer(QStringLiteral("overlay"))->replot();
}

void PlotPane::connectMouse() {
  connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
      dragging_ = moved_ = true;
      pointNowhere();
      replot();
    } else {
      point(event->position());
    }
  });
  connect(plot_, &QCustomPlot::mouseRelease, this, [this] { dragging_ = false; });
  connect(plot_, &QCustomPlot::mouseWheel, this, [this] {
    moved_ = true;
    // The plot itself takes the wheel after this signal: what depends on the view follows afterwards.
    QMetaObject::invokeMethod(
        this, [this] { replot(); }, Qt::QueuedConnection);
  });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, &PlotPane::reset);
  plot_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(plot_, &QWidget::customContextMenuRequested, this,
          [this](QPoint at) { menu_->popup(plot_->mapToGlobal(at)); });
}

bool PlotPane::handleKey(int key, Qt::KeyboardModifiers modifiers) {
  if (modifiers & ~(Qt::KeypadModifier | Qt::ShiftModifier)) return false;
  switch (key) {
  case Qt::Key_Left:
    pan(-keyStep, 0);
    return true;
  case Qt::Key_Right:
    pan(keyStep, 0);
    return true;
  case Qt::Key_Up:
    pan(0, keyStep);
    return true;
  case Qt::Key_Down:
    pan(0, -keyStep);
    return true;
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoom(keyZoom);
    return true;
  case Qt::Key_Minus:
    zoom(1 / keyZoom);
    return true;
  case Qt::Key_0:
  case Qt::Key_R:
    reset();
    return true;
  default:
    return false;
  }
}

bool PlotPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched != plot_) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
  case QEvent::ShortcutOverride: { // the window has other uses for these keys
    static const std::set<int> mine{Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Plus,
                                    Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0,  Qt::Key_R};
    const auto* key = static_cast<QKeyEvent*>(event);
    if (mine.count(key->key()) == 0 || (key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))) break;
    event->accept();
    return true;
  }
  case QEvent::KeyPress: {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (handleKey(key->key(), key->modifiers())) return true;
    break;
  }
  case QEvent::Leave:
    pointNowhere();
    break;
  case QEvent::FocusIn:
  case QEvent::FocusOut:
    update();
    break;
  case QEvent::Resize:
    QMetaObject::invokeMethod(
        this, [this] { replot(); }, Qt::QueuedConnection);
    break;
  default:
    break;
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace lloyd
