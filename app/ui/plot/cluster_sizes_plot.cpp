// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/cluster_sizes_plot.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lloyd {

namespace {

constexpr int narrowestBar = 3;

} // namespace

ClusterSizesPlot::ClusterSizesPlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Cluster sizes"));
  setMouseTracking(true);
}

void ClusterSizesPlot::show(const std::vector<std::uint32_t>& sizes, const std::vector<Rgb>& colours) {
  sizes_ = sizes;
  colours_ = colours;
  setAccessibleDescription(caption(countText));
  update();
}

QRect ClusterSizesPlot::barArea() const {
  const int line = fontMetrics().height();
  return {0, line + 4, width() - 2, std::max(4, height() - 2 * line - 8)};
}

QString ClusterSizesPlot::caption(CountText textOf) const {
  if (sizes_.empty()) return tr("Cluster sizes");
  const auto [low, high] = std::minmax_element(sizes_.begin(), sizes_.end());
  const auto empty = std::count(sizes_.begin(), sizes_.end(), 0U);
  QString text = tr("Sizes %1 to %2").arg(textOf(*low), textOf(*high));
  if (empty > 0) text += tr(", %1 empty").arg(empty);
  return text;
}

int ClusterSizesPlot::barAt(QPoint at) const {
  const QRect area = barArea();
  if (order_.empty() || at.x() < area.left() || at.x() >= area.right()) return -1;
  const auto slot =
      static_cast<std::size_t>((at.x() - area.left()) * static_cast<int>(order_.size()) / area.width());
  return slot < order_.size() ? static_cast<int>(order_[slot]) : -1;
}

bool ClusterSizesPlot::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int cluster = barAt(help->pos());
    if (cluster < 0) {
      QToolTip::showText(help->globalPos(), tr("Points in each cluster") + '\n' + caption(countText));
    } else {
      const double all = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
      const double share = all > 0 ? sizes_[static_cast<std::size_t>(cluster)] / all : 0;
      QToolTip::showText(help->globalPos(),
                         tr("cluster %1: %2, %3 %")
                             .arg(cluster)
                             .arg(pointsText(sizes_[static_cast<std::size_t>(cluster)]), percentText(share)));
    }
    return true;
  }
  return QWidget::event(event);
}

void ClusterSizesPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const UiTheme& theme = UiTheme::current();
  const QRect area = barArea();
  const auto room = static_cast<std::size_t>(std::max(1, area.width() / narrowestBar));
  order_.resize(sizes_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  QString text = caption(countText);
  if (order_.size() > room) {
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::size_t a, std::size_t b) { return sizes_[a] > sizes_[b]; });
    order_.resize(room);
    std::sort(order_.begin(), order_.end());
    text = tr("The %1 largest of %2 clusters").arg(order_.size()).arg(sizes_.size());
  }
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(theme.dim);
  const QRect title(0, 0, width(), painter.fontMetrics().height());
  const bool fits = painter.fontMetrics().horizontalAdvance(text) <= title.width();
  if (!fits)
    text = order_.size() == sizes_.size() ? caption(shortCountText)
                                          : tr("Largest %1 of %2").arg(order_.size()).arg(sizes_.size());
  painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text, Qt::ElideRight, title.width()));
  painter.setFont(font());
  painter.setPen(theme.line);
  painter.drawLine(area.left(), area.bottom() + 1, area.right(), area.bottom() + 1);
  if (order_.empty()) return;
  const double most = std::max(1.0, static_cast<double>(*std::max_element(sizes_.begin(), sizes_.end())));
  const double slot = static_cast<double>(area.width()) / static_cast<double>(order_.size());
  // On whole pixels: bars of one width, and edges that lie on them.
  const int bar = std::clamp(static_cast<int>(slot) - 1, 1, 28);
  const std::size_t every = labelStep(slot);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::size_t cluster = order_[i];
    const int x = area.left() + static_cast<int>((static_cast<double>(i) + 0.5) * slot - 0.5 * bar);
    const int height = std::max(
        sizes_[cluster] > 0 ? 1 : 0,
        static_cast<int>(std::lround(area.height() * (static_cast<double>(sizes_[cluster]) / most))));
    const QColor colour = cluster < colours_.size() ? toQColor(colours_[cluster]) : theme.bar;
    const QRect whole(x, area.bottom() + 1 - height, bar, height);
    // A colour near the panel's own keeps a visible edge.
    const bool edged = bar > 4 && height > 2;
    if (edged) painter.fillRect(whole, theme.line);
    painter.fillRect(edged ? whole.adjusted(1, 1, -1, 0) : whole, colour);
    if (i % every != 0) continue;
    const QString number = QString::number(cluster);
    const int wide = fontMetrics().horizontalAdvance(number);
    painter.setPen(sizes_[cluster] > 0 ? theme.dim : theme.alert);
    painter.drawText(QPoint(std::clamp(x + (bar - wide) / 2, 0, std::max(0, width() - wide)),
                            area.bottom() + 2 + fontMetrics().ascent()),
                     number);
  }
}

/// 1, 2, 5, 10 ...: as many bars from one number to the next as keep a digit's width between them.
std::size_t ClusterSizesPlot::labelStep(double slot) const {
  const int longest = fontMetrics().horizontalAdvance(QString::number(sizes_.size()));
  const double least = longest + 1.5 * fontMetrics().horizontalAdvance(QLatin1Char('0'));
  for (std::size_t ten = 1;; ten *= 10)
    for (const std::size_t step : {ten, 2 * ten, 5 * ten})
      if (static_cast<double>(step) * slot >= least) return step;
}

} // namespace lloyd
