// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/block/step_slider.hpp"

#include "app/ui/common/theme.hpp"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>

#include <utility>

namespace lloyd {
namespace {

constexpr int markHeight = 7; ///< pixels above the slider proper

} // namespace

StepSlider::StepSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {}

void StepSlider::setMarks(std::vector<int> barriers, std::vector<int> races) {
  barriers_ = std::move(barriers);
  races_ = std::move(races);
  update();
}

QSize StepSlider::sizeHint() const { return QSlider::sizeHint() + QSize(0, 2 * markHeight); }
QSize StepSlider::minimumSizeHint() const { return QSlider::minimumSizeHint() + QSize(0, 2 * markHeight); }

/// Where the handle's middle is when it stands at a step.
int StepSlider::middleOf(int step) const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  const int handle = style()->pixelMetric(QStyle::PM_SliderLength, &option, this);
  const QRect groove = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderGroove, this);
  return groove.left() + handle / 2 +
         QStyle::sliderPositionFromValue(minimum(), maximum(), step, groove.width() - handle);
}

void StepSlider::paintEvent(QPaintEvent* event) {
  QSlider::paintEvent(event);
  const UiTheme& theme = UiTheme::current();
  QPainter painter(this);
  painter.setPen(theme.dim);
  int before = -1; // one line for all barriers of a column of pixels
  for (const int barrier : barriers_) {
    const int at = middleOf(barrier);
    if (std::exchange(before, at) != at) painter.drawLine(at, 1, at, markHeight);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.alert);
  before = -1;
  for (const int race : races_) {
    const int at = middleOf(race);
    if (std::exchange(before, at) == at) continue;
    const QPointF corners[] = {QPointF(at - 4, 1), QPointF(at + 4, 1), QPointF(at, markHeight + 1)};
    painter.drawPolygon(corners, 3);
  }
}

} // namespace lloyd
