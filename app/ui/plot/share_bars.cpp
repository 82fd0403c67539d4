// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/share_bars.hpp"

#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr int gap = 6; ///< pixels between the bars, and beside them

} // namespace

ShareBars::ShareBars(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ShareBars::setBars(std::vector<ShareBar> bars, double longest) {
  bars_ = std::move(bars);
  longest_ = longest;
  updateGeometry();
  update();
}

QSize ShareBars::sizeHint() const {
  const int rows = static_cast<int>(bars_.size());
  return {240, rows * (fontMetrics().height() + 4) + std::max(0, rows - 1) * gap};
}

QSize ShareBars::minimumSizeHint() const { return {160, sizeHint().height()}; }

/// Between the name and the total.
QRect ShareBars::barAt(std::size_t row) const {
  int names = 0, totals = 0;
  for (const ShareBar& bar : bars_) {
    names = std::max(names, fontMetrics().horizontalAdvance(bar.name));
    totals = std::max(totals, fontMetrics().horizontalAdvance(bar.total));
  }
  const int height = fontMetrics().height() + 4;
  return {names + gap, static_cast<int>(row) * (height + gap), width() - names - totals - 2 * gap, height};
}

std::vector<ShareBars::Placed> ShareBars::placed() const {
  std::vector<Placed> all;
  for (std::size_t row = 0; row < bars_.size(); ++row) {
    const QRect bar = barAt(row);
    double before = 0;
    for (const ShareBar::Part& part : bars_[row].parts) {
      // Each begins where the one before ends, whatever was rounded.
      const auto at = [&](double sum) { return bar.left() + static_cast<int>(bar.width() * sum / longest_); };
      const QRect place(QPoint(at(before), bar.top()), QPoint(at(before + part.length) - 1, bar.bottom()));
      if (place.width() > 0) all.push_back({place, &part});
      before += part.length;
    }
  }
  return all;
}

void ShareBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  for (std::size_t row = 0; row < bars_.size(); ++row) {
    const QRect bar = barAt(row);
    painter.setPen(UiTheme::current().text);
    painter.drawText(QRect(0, bar.top(), bar.left() - gap, bar.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     bars_[row].name);
    painter.drawText(QRect(bar.right() + gap, bar.top(), width() - bar.right() - gap, bar.height()),
                     Qt::AlignRight | Qt::AlignVCenter, bars_[row].total);
  }
  for (const Placed& one : placed()) {
    // A hairline of the panel between neighbours, where there is room for one.
    painter.fillRect(one.place.adjusted(0, 0, one.place.width() > 3 ? -1 : 0, 0), one.part->colour);
    if (fontMetrics().horizontalAdvance(one.part->text) + 4 > one.place.width()) continue;
    painter.setPen(inkOn(one.part->colour));
    painter.drawText(one.place, Qt::AlignCenter, one.part->text);
  }
}

QString ShareBars::wordsAt(const QPoint& place) const {
  for (const Placed& one : placed())
    if (one.place.contains(place)) return one.part->tip;
  return {};
}

bool ShareBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), wordsAt(help->pos()), this);
  return true;
}

} // namespace lloyd
