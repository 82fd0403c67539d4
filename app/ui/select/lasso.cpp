// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/select/lasso.hpp"

#include "app/ui/common/theme.hpp"
#include "app/ui/view/viewport.hpp"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr double leastStep = 1; ///< logical pixels between two places of a path

/// Ctrl adds, Alt takes away.
Combine combineOf(Qt::KeyboardModifiers modifiers) {
  if (modifiers & Qt::ControlModifier) return Combine::add;
  return modifiers & Qt::AltModifier ? Combine::takeAway : Combine::replace;
}

} // namespace

std::optional<DrawnRows> drawnRowsOf(const Viewport& view, std::shared_ptr<const void>& owner) {
  const PickSource source = view.drawnOnHost();
  if (!source.values) return std::nullopt;
  owner = source.owner;
  const CameraView camera = view.camera().view();
  DrawnRows rows{.values = source.values, .n = source.n, .d = source.d, .stride = source.stride};
  std::size_t at = 0;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      rows.clipFromOffset[at++] = camera.clipFromOffset[column][row];
  for (int axis = 0; axis < 3; ++axis)
    rows.origin[static_cast<std::size_t>(axis)] = camera.origin[axis];
  rows.width = camera.viewport.x;
  rows.height = camera.viewport.y;
  return rows;
}

Lasso::Lasso(Viewport& view) : QWidget(&view), view_(view) {
  setObjectName(QStringLiteral("lasso"));
  setAccessibleName(tr("Sheet to draw a selection on"));
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  setCursor(Qt::CrossCursor);
  view.installEventFilter(this);
  hide();
}

void Lasso::setShape(Shape shape) {
  if (shape == shape_) return;
  shape_ = shape;
  forget();
  setGeometry(view_.rect());
  setVisible(shape != Shape::none);
  if (shape != Shape::none) raise();
  Q_EMIT shapeChanged();
}

void Lasso::forget() {
  drawing_ = false;
  places_.clear();
  update();
}

bool Lasso::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) setGeometry(view_.rect());
  return QWidget::eventFilter(watched, event);
}

QPolygonF Lasso::path() const {
  if (shape_ != Shape::box || places_.size() < 2) return places_;
  QPolygonF box(QRectF(places_.front(), places_.back()).normalized());
  box.pop_back(); // which is the first again
  return box;
}

void Lasso::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  drawing_ = true;
  combine_ = combineOf(event->modifiers());
  places_ = QPolygonF({event->position()});
  update();
}

void Lasso::mouseMoveEvent(QMouseEvent* event) {
  if (!drawing_) return event->ignore();
  // What lies beyond the edge of the view is not seen, and cannot be meant.
  const QPointF at(std::clamp(event->position().x(), 0.0, double(width())),
                   std::clamp(event->position().y(), 0.0, double(height())));
  if ((at - places_.back()).manhattanLength() < leastStep) return;
  if (shape_ == Shape::box && places_.size() > 1)
    places_.back() = at;
  else
    places_ << at;
  update();
}

void Lasso::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !drawing_) return event->ignore();
  const double ratio = devicePixelRatioF();
  std::vector<ScreenPlace> places;
  for (const QPointF at : path())
    places.push_back({at.x() * ratio, at.y() * ratio});
  forget();
  // A click, or a line, means nothing at all: what is selected goes, unless something was to be added.
  Q_EMIT drawn(places, combine_);
}

void Lasso::paintEvent(QPaintEvent*) {
  const QPolygonF shape = path();
  if (shape.size() < 2) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor line = UiTheme::current().accent;
  QColor inside = line;
  inside.setAlphaF(0.14F);
  painter.setBrush(inside);
  painter.setPen(QPen(line, 1.5, combine_ == Combine::takeAway ? Qt::DashLine : Qt::SolidLine));
  painter.drawPolygon(shape);
}

} // namespace lloyd
