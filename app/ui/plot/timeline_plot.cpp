// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/timeline_plot.hpp"

#include "app/model/plot/timeline_figure.hpp"
#include "app/model/timeline/trace_events.hpp"
#include "app/ui/common/theme.hpp"

#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <qcustomplot.h>

#include <algorithm>

namespace lloyd {

namespace {

constexpr int brushAlpha = 46;
constexpr double leastBrush = 2; ///< pixels; a shorter drag marks nothing

} // namespace

TimelinePlot::TimelinePlot(QWidget* parent)
    : PlotPane(tr("Timeline"), parent), upper_(new QComboBox(this)), lower_(new QComboBox(this)) {
  useLegend();
  useToolTips();
  upper_->setToolTip(tr("The schedule whose run is seen above"));
  upper_->setAccessibleName(tr("Upper run"));
  lower_->setToolTip(tr("The schedule whose run is seen below, on the same axis"));
  lower_->setAccessibleName(tr("Lower run"));
  for (QComboBox* chooser : {upper_, lower_}) {
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(chooser, &QComboBox::activated, this, [this] {
      byHand_ = true;
      chosen();
    });
    addControl(chooser);
    chooser->hide(); // until there is something to choose
  }
  addFormat(tr("Trace events (*.json)"), QStringLiteral("json"), [this] { return traceEvents(seen_); });
  brush_ = new QCPItemRect(&plot());
  brush_->setLayer(QStringLiteral("overlay"));
  brush_->setSelectable(false);
  brush_->setVisible(false);
  brush_->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
  brush_->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
  redraw();
}

void TimelinePlot::show(const NamedTimelines& timelines, std::size_t upper, std::size_t lower) {
  const QString above = upper_->currentText();
  const QString below = lower_->currentText();
  all_ = timelines;
  {
    const QSignalBlocker quietUpper(upper_);
    const QSignalBlocker quietLower(lower_);
    upper_->clear();
    lower_->clear();
    lower_->addItem(tr("no second run"));
    for (const NamedTimeline& one : timelines) {
      upper_->addItem(one.name);
      lower_->addItem(one.name);
    }
    const int keptUpper = upper_->findText(above);
    const int keptLower = lower_->findText(below);
    byHand_ = byHand_ && keptUpper >= 0 && keptLower >= 0;
    const auto at = [&](std::size_t place) {
      return place < timelines.size() ? static_cast<int>(place) : -1;
    };
    upper_->setCurrentIndex(byHand_ ? keptUpper : std::max(0, at(upper)));
    lower_->setCurrentIndex(byHand_ ? keptLower : at(lower) + 1);
  }
  upper_->setVisible(timelines.size() > 1);
  lower_->setVisible(timelines.size() > 1);
  chosen();
}

/// Another run is another axis: a person's view and mark were of the one before.
void TimelinePlot::chosen() {
  seen_.clear();
  const auto take = [&](int place) {
    if (place >= 0 && place < static_cast<int>(all_.size()))
      seen_.push_back(all_[static_cast<std::size_t>(place)]);
  };
  take(upper_->currentIndex());
  if (lower_->currentIndex() - 1 != upper_->currentIndex()) take(lower_->currentIndex() - 1);
  redraw();
  reset();
  mark(std::nullopt);
}

void TimelinePlot::redraw() { setFigure(timelineFigure(seen_)); }

PlotTable TimelinePlot::table() const { return timelineTable(seen_); }

void TimelinePlot::mark(std::optional<std::pair<double, double>> marked) {
  marked_ = marked;
  brush_->setVisible(marked_.has_value());
  if (marked_) {
    QColor fill = UiTheme::current().accent;
    brush_->setPen(QPen(fill, 1));
    fill.setAlpha(brushAlpha);
    brush_->setBrush(fill);
    brush_->topLeft->setCoords(marked_->first, 0);
    brush_->bottomRight->setCoords(marked_->second, 1);
  }
  if (plot().isVisible()) plot().layer(QStringLiteral("overlay"))->replot();
  Q_EMIT changed();
}

double TimelinePlot::momentAt(double pixel) const {
  const QCPAxisRect& rect = *plot().axisRect();
  return plot().xAxis->pixelToCoord(
      std::clamp(pixel, static_cast<double>(rect.left()), static_cast<double>(rect.right())));
}

/// Whether the drag is one that marks: the plot then knows nothing of it.
bool TimelinePlot::brushes(QEvent* event) {
  if (seen_.empty()) return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const double moment = momentAt(mouse->position().x());
  switch (event->type()) {
  case QEvent::MouseButtonPress:
    if (mouse->button() != Qt::LeftButton || !(mouse->modifiers() & Qt::ShiftModifier)) return false;
    plot().setFocus(Qt::MouseFocusReason);
    from_ = moment;
    return true;
  case QEvent::MouseMove:
    if (!from_) return false;
    mark(std::minmax({*from_, moment}));
    return true;
  case QEvent::MouseButtonRelease: {
    if (!from_) return false;
    const auto [low, high] = std::minmax({*from_, moment});
    from_.reset();
    const double pixels = plot().xAxis->coordToPixel(high) - plot().xAxis->coordToPixel(low);
    mark(pixels < leastBrush ? std::nullopt : std::optional(std::pair(low, high)));
    return true;
  }
  default:
    return false;
  }
}

bool TimelinePlot::handles(int key) {
  if (seen_.empty()) return false;
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    const QCPRange range = plot().xAxis->range();
    mark(std::pair(range.lower, range.upper));
    return true;
  }
  if (key != Qt::Key_Escape || !marked_) return false; // the window has uses of its own for Escape
  mark(std::nullopt);
  return true;
}

bool TimelinePlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &plot()) return PlotPane::eventFilter(watched, event);
  switch (event->type()) {
  case QEvent::MouseButtonPress:
  case QEvent::MouseMove:
  case QEvent::MouseButtonRelease:
    if (brushes(event)) return true;
    break;
  case QEvent::ShortcutOverride: {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter || (key == Qt::Key_Escape && marked_)) {
      event->accept();
      return true;
    }
    break;
  }
  case QEvent::KeyPress:
    if (handles(static_cast<QKeyEvent*>(event)->key())) return true;
    break;
  default:
    break;
  }
  return PlotPane::eventFilter(watched, event);
}

} // namespace lloyd
