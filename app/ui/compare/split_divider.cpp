// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/split_divider.hpp"

#include "app/ui/common/theme.hpp"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lloyd {

namespace {

constexpr int reach = 15; ///< pixels in which it can be grasped
constexpr double keyStep = 0.02;
constexpr double keyLeap = 0.1;

/// Where a key takes it; nothing for a key that does not.
std::optional<double> shareAfter(const QKeyEvent& key, double share) {
  const double by = key.modifiers() & Qt::ShiftModifier ? keyLeap : keyStep;
  if (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) return std::nullopt;
  switch (key.key()) {
  case Qt::Key_Left:
    return share - by;
  case Qt::Key_Right:
    return share + by;
  case Qt::Key_Home:
    return 0;
  case Qt::Key_End:
    return 1;
  default:
    return std::nullopt;
  }
}

} // namespace

SplitDivider::SplitDivider(QWidget* view) : QWidget(view) {
  setObjectName(QStringLiteral("pairDivider"));
  setCursor(Qt::SplitHCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Divider between A and B"));
  setToolTip(tr("A is left of it, B right of it: drag it, or move it with the arrow keys, Home and End"));
}

void SplitDivider::fit() {
  if (!parentWidget()) return;
  const int middle = static_cast<int>(std::lround(share_ * parentWidget()->width()));
  setGeometry(middle - reach / 2, 0, reach, parentWidget()->height());
}

void SplitDivider::setShare(double share) {
  share_ = std::clamp(share, 0.0, 1.0);
  setAccessibleDescription(tr("%1 % of the view are A's").arg(std::lround(100 * share_)));
  fit();
}

void SplitDivider::moveTo(double share) {
  const double before = share_;
  setShare(share);
  if (share_ != before) Q_EMIT moved(share_);
}

bool SplitDivider::event(QEvent* event) {
  // The window has the same keys for steps; whoever has the focus comes first.
  if (event->type() == QEvent::ShortcutOverride &&
      shareAfter(static_cast<QKeyEvent&>(*event), share_).has_value())
    event->accept();
  return QWidget::event(event);
}

void SplitDivider::paintEvent(QPaintEvent*) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double middle = reach / 2.0;
  // Light on dark on light: it is seen over any points.
  painter.fillRect(QRectF(middle - 1.5, 0, 3, height()), theme.view);
  painter.fillRect(QRectF(middle - 0.5, 0, 1, height()), hasFocus() ? theme.accent : theme.text);
  const QRectF grip(middle - 5, height() / 2.0 - 18, 10, 36);
  painter.setPen(QPen(hasFocus() ? theme.accent : theme.text, hasFocus() ? 2 : 1));
  painter.setBrush(theme.control);
  painter.drawRoundedRect(grip, 4, 4);
  painter.drawLine(QPointF(middle - 1.5, grip.top() + 11), QPointF(middle - 1.5, grip.bottom() - 11));
  painter.drawLine(QPointF(middle + 1.5, grip.top() + 11), QPointF(middle + 1.5, grip.bottom() - 11));
}

void SplitDivider::mousePressEvent(QMouseEvent* event) {
  grip_ = event->position().toPoint().x() - reach / 2;
}

void SplitDivider::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || parentWidget()->width() < 1) return;
  const double x = mapToParent(event->position().toPoint()).x() - grip_;
  moveTo(x / parentWidget()->width());
}

void SplitDivider::keyPressEvent(QKeyEvent* event) {
  const auto share = shareAfter(*event, share_);
  share ? moveTo(*share) : QWidget::keyPressEvent(event);
}

void SplitDivider::focusInEvent(QFocusEvent*) { update(); }
void SplitDivider::focusOutEvent(QFocusEvent*) { update(); }

} // namespace lloyd
