// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/scrolled_panel.hpp"

#include <QEvent>
#include <QLayout>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

// What a panel asks for at most, of the window's sides: there are two beside each other, and bars above
// three.
constexpr double mostOfWidth = 0.5;
constexpr double mostOfHeight = 0.4;

} // namespace

ScrolledPanel::ScrolledPanel(QWidget* panel, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setWidget(panel);
  viewport()->setAutoFillBackground(false);
  panel->installEventFilter(this);
}

QSize ScrolledPanel::sizeHint() const { return widget()->sizeHint(); }

/// Panels beside and above each other, each with its own wish, would reach beyond a small window.
QSize ScrolledPanel::minimumSizeHint() const {
  const QSize most(static_cast<int>(window()->width() * mostOfWidth),
                   static_cast<int>(window()->height() * mostOfHeight));
  return widget()->minimumSizeHint().boundedTo(most).expandedTo({1, 1});
}

void ScrolledPanel::showEvent(QShowEvent* event) {
  window()->installEventFilter(this);
  QScrollArea::showEvent(event);
}

void ScrolledPanel::resizeEvent(QResizeEvent* event) {
  fit();
  QScrollArea::resizeEvent(event);
}

bool ScrolledPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool handled = QScrollArea::eventFilter(watched, event);
  if (watched == widget() && event->type() == QEvent::LayoutRequest) {
    fit();
    updateGeometry();
  }
  if (watched == window() && event->type() == QEvent::Resize) updateGeometry(); // its wish is a part of that
  return handled;
}

void ScrolledPanel::fit() {
  const QLayout* layout = widget()->layout();
  if (!layout || std::exchange(fitting_, true)) return;
  QSize least = layout->totalMinimumSize();
  if (layout->hasHeightForWidth())
    least.setHeight(layout->totalMinimumHeightForWidth(std::max(least.width(), viewport()->width())));
  widget()->resize(viewport()->size().expandedTo(least));
  fitting_ = false;
}

} // namespace lloyd
