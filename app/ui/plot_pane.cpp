// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot_pane.hpp"

#include "app/ui/elided_label.hpp"
#include "app/ui/plot_ticks.hpp"
#include "app/ui/theme.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>

namespace lloyd {

namespace {

constexpr int tickWidth = 66; ///< pixels from one number on an axis to the next
constexpr int tickHeight = 32;

} // namespace

PlotPane::PlotPane(const QString& name, QWidget* parent)
    : QWidget(parent), name_(name), title_(new ElidedLabel(this)), readOut_(new ElidedLabel(this)),
      header_(new QHBoxLayout), pages_(new QStackedWidget(this)), empty_(new QLabel(this)),
      plot_(new QCustomPlot(this)), menu_(new QMenu(this)), ring_(new QCPItemEllipse(plot_)) {
  title_->setObjectName(QStringLiteral("caption"));
  title_->setText(name);
  readOut_->setProperty("dim", true);
  readOut_->setObjectName(QStringLiteral("readOut"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setProperty("dim", true);
  empty_->setMargin(24);
  empty_->setAccessibleName(name);

  plot_->setAccessibleName(name);
  plot_->setFocusPolicy(Qt::StrongFocus);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot_->setMinimumSize(120, 80);
  plot_->installEventFilter(this);
  plot_->axisRect()->setMinimumMargins(QMargins(4, 6, 12, 4));
  ring_->setLayer(QStringLiteral("overlay"));
  ring_->setClipToAxisRect(false);
  ring_->setSelectable(false);
  ring_->setVisible(false);
  for (QCPItemPosition* corner : {ring_->topLeft, ring_->bottomRight})
    corner->setType(QCPItemPosition::ptAbsolute);

  auto* menuButton = new QToolButton(this);
  menuButton->setText(QStringLiteral("⋯"));
  menuButton->setAutoRaise(true);
  menuButton->setFocusPolicy(Qt::TabFocus);
  menuButton->setPopupMode(QToolButton::InstantPopup);
  menuButton->setToolTip(tr("Copy or save this plot and its numbers"));
  menuButton->setAccessibleName(tr("%1: copy or save").arg(name));
  menuButton->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
  menuButton->setMenu(menu_);
  fillMenu(menu_);

  header_->setContentsMargins(6, 0, 0, 0);
  header_->setSpacing(8);
  header_->addWidget(title_, 1);
  header_->addWidget(menuButton);
  pages_->addWidget(plot_);
  pages_->addWidget(empty_);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(6, 0, 6, 2);
  foot->addWidget(readOut_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2, 2, 2, 2);
  layout->setSpacing(2);
  layout->addLayout(header_);
  layout->addWidget(pages_, 1);
  layout->addLayout(foot);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  connectMouse();
}

PlotPane::~PlotPane() { plot_->removeEventFilter(this); }

QString PlotPane::title() const { return title_->text(); }

QString PlotPane::summary() const { return plot_->accessibleDescription(); }

void PlotPane::setTitle(const QString& title, const QString& toolTip) {
  title_->setText(title);
  title_->setToolTip(toolTip);
}

void PlotPane::setEmpty(const QString& sentence) {
  emptyText_ = sentence;
  empty_->setText(sentence);
  pages_->setCurrentWidget(sentence.isEmpty() ? static_cast<QWidget*>(plot_) : empty_);
  readOut_->setVisible(sentence.isEmpty());
  if (!sentence.isEmpty()) setSummary(sentence);
}

void PlotPane::setSummary(const QString& summary) { plot_->setAccessibleDescription(summary); }

void PlotPane::setNote(const QString& note) {
  note_ = note;
  if (!ring_->visible()) readOut_->setText(note_);
}

void PlotPane::addControl(QWidget* control) { header_->insertWidget(header_->count() - 1, control); }

QCheckBox* PlotPane::addCheck(const QString& text, const QString& toolTip,
                              const std::function<void(bool)>& toggled) {
  auto* check = new QCheckBox(text, this);
  check->setToolTip(toolTip);
  check->setAccessibleDescription(toolTip);
  connect(check, &QCheckBox::toggled, this, [this, toggled](bool on) {
    toggled(on);
    moved_ = false;
    dataChanged();
  });
  addControl(check);
  return check;
}

void PlotPane::useLegend() {
  hasLegend_ = true;
  plot_->setAutoAddPlottableToLegend(false);
  auto* below = new QCPLayoutGrid;
  const int row = plot_->plotLayout()->rowCount();
  plot_->plotLayout()->addElement(row, 0, below);
  plot_->plotLayout()->setRowStretchFactor(row, 0.001);
  plot_->plotLayout()->setRowSpacing(2);
  below->setMargins(QMargins(8, 0, 8, 2));
  below->addElement(0, 0, plot_->legend);
  plot_->legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
  plot_->legend->setMargins(QMargins(0, 0, 0, 0));
  plot_->legend->setRowSpacing(1);
  plot_->legend->setColumnSpacing(10);
  plot_->legend->setIconSize(18, 11);
  plot_->legend->setIconTextPadding(8);
  plot_->legend->setVisible(true);
}

void PlotPane::setLegend(const std::vector<QCPAbstractPlottable*>& plottables) {
  plot_->legend->clearItems();
  plot_->legend->simplify();
  for (QCPAbstractPlottable* plottable : plottables)
    plottable->addToLegend();
  plot_->legend->setWrap(0); // as many columns as fit are found before the next drawing
  colourLegend();
}

void PlotPane::colourLegend() {
  if (!hasLegend_) return;
  const UiTheme& theme = UiTheme::current();
  QCPLegend& legend = *plot_->legend;
  legend.setFont(plot_->xAxis->tickLabelFont());
  legend.setTextColor(theme.text);
  legend.setBorderPen(Qt::NoPen);
  legend.setBrush(Qt::NoBrush);
  for (int i = 0; i < legend.itemCount(); ++i) {
    QCPAbstractLegendItem* item = legend.item(i);
    if (!item) continue; // a column's last cells may be empty
    item->setFont(legend.font());
    item->setTextColor(theme.text);
  }
}

void PlotPane::arrangeLegend() {
  if (!hasLegend_) return;
  QCPLegend& legend = *plot_->legend;
  int widest = 1;
  const QFontMetrics metrics(legend.font());
  for (int i = 0; i < legend.itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i)))
      widest = std::max(widest, metrics.horizontalAdvance(item->plottable()->name()));
  widest += legend.iconSize().width() + legend.iconTextPadding() + legend.columnSpacing() + 4;
  const int columns = std::max(1, (plot_->width() - 16) / widest);
  if (columns == legend.wrap() && legend.columnCount() <= columns) return;
  legend.setWrap(columns);
  legend.setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
}

/// As many numbers as there is room for.
void PlotPane::arrangeTicks() {
  for (QCPAxisRect* rect : plot_->axisRects())
    for (QCPAxis* axis : rect->axes()) {
      const bool level = axis->orientation() == Qt::Horizontal;
      const QSharedPointer<QCPAxisTicker> ticker = axis->ticker();
      if (!ticker.dynamicCast<NumberTicker>() && !ticker.dynamicCast<LogTicker>()) continue;
      ticker->setTickCount(
          std::clamp((level ? rect->width() : rect->height()) / (level ? tickWidth : tickHeight), 2, 8));
    }
}

void PlotPane::dataChanged() {
  if (!moved_ && !dragging_) fit();
  replot();
}

void PlotPane::replot() {
  if (!emptyText_.isEmpty()) return;
  arrangeLegend();
  arrangeTicks();
  plot_->plotLayout()->update(QCPLayoutElement::upPreparation);
  plot_->plotLayout()->update(QCPLayoutElement::upMargins);
  plot_->plotLayout()->update(QCPLayoutElement::upLayout);
  arrange();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotPane::reset() {
  moved_ = false;
  fit();
  replot();
}

void PlotPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  pointNowhere();
}

void PlotPane::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!plot_->hasFocus()) return;
  QPainter painter(this);
  painter.setPen(UiTheme::current().accent);
  painter.drawRect(pages_->geometry().adjusted(-1, -1, 0, 0));
}

void PlotPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && complete_) renewColours();
}

void PlotPane::renewColours() {
  complete_ = true;
  const UiTheme& theme = UiTheme::current();
  plot_->setBackground(QBrush(theme.panel));
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.92);
  for (QCPAxisRect* rect : plot_->axisRects()) {
    for (QCPAxis* axis : rect->axes()) {
      axis->setBasePen(QPen(theme.line));
      axis->setTickPen(QPen(theme.line));
      axis->setSubTickPen(Qt::NoPen);
      axis->setTickLength(0, 4);
      axis->setTickLabelColor(theme.dim);
      axis->setLabelColor(theme.dim);
      axis->setTickLabelFont(small);
      axis->setLabelFont(small);
      axis->setLabelPadding(2);
      axis->setTickLabelPadding(3);
      axis->grid()->setPen(QPen(theme.line, 0, Qt::DotLine));
      axis->grid()->setSubGridVisible(false);
      axis->grid()->setZeroLinePen(Qt::NoPen);
    }
  }
  colourLegend();
  ring_->setPen(QPen(theme.text, 1.6));
  ring_->setBrush(Qt::NoBrush);
  paintTheme();
  replot();
}

} // namespace lloyd
