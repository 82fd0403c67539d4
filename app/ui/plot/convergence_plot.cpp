// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/convergence_plot.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/elided_label.hpp"
#include "app/ui/common/theme.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

/// Four digits that fit a narrow title: 178,200,000 reads 1.782e8.
QString inertiaText(double inertia) {
  if (inertia < 1e6) return significantText(inertia, 4);
  QString text = QString::number(inertia, 'e', 3);
  return text.replace(QStringLiteral("e+0"), QStringLiteral("e"))
      .replace(QStringLiteral("e+"), QStringLiteral("e"));
}

} // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), logarithmic_(new QCheckBox(tr("log"), this)),
      plot_(new QCustomPlot(this)) {
  title_->setObjectName(QStringLiteral("caption"));
  title_->setToolTip(
      tr("Sum of squared distances of the points to their centroids, in squared units of the data"));
  logarithmic_->setToolTip(tr("Inertia on a logarithmic axis"));
  logarithmic_->setAccessibleName(tr("Logarithmic axis"));
  connect(logarithmic_, &QCheckBox::toggled, this, &ConvergencePlot::setLogarithmic);
  plot_->addGraph();
  plot_->setAccessibleName(tr("Inertia over iterations"));
  // Iterations are whole, and so are their ticks.
  const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
  whole->setTickStep(1);
  whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
  whole->setTickCount(3);
  plot_->xAxis->setTicker(whole);
  plot_->yAxis->ticker()->setTickCount(4);
  plot_->yAxis->setNumberFormat(QStringLiteral("gb"));
  plot_->yAxis->setNumberPrecision(3);
  plot_->axisRect()->setAutoMargins(QCP::msAll);
  plot_->axisRect()->setMinimumMargins(QMargins(2, 4, 8, 2));
  plot_->setMinimumSize(80, 50);
  auto* top = new QHBoxLayout;
  top->addWidget(title_, 1);
  top->addWidget(logarithmic_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(top);
  layout->addWidget(plot_, 1);
  paintTheme();
  show({});
}

void ConvergencePlot::show(const std::deque<IterationStats>& history) {
  QVector<double> x;
  QVector<double> y;
  for (const IterationStats& one : history) {
    x << one.iteration;
    y << one.inertia;
  }
  if (y.isEmpty()) {
    title_->setText(tr("Inertia"));
  } else {
    title_->setText(tr("Inertia %1").arg(inertiaText(y.back())));
  }
  plot_->graph(0)->setScatterStyle(x.size() < 40 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4)
                                                 : QCPScatterStyle::ssNone);
  double low = y.isEmpty() ? 0 : *std::min_element(y.begin(), y.end());
  double high = y.isEmpty() ? 1 : *std::max_element(y.begin(), y.end());
  const double room = high > low ? 0.06 * (high - low) : std::max(std::abs(high) * 0.01, 1e-12);
  if (logarithmic_->isChecked() && low > 0) {
    plot_->yAxis->setRange(low / 1.02, high * 1.02);
  } else {
    plot_->yAxis->setRange(std::max(0.0, low - room), high + room);
  }
  const double from = x.isEmpty() ? 1 : x.front();
  plot_->xAxis->setRange(from, std::max(from + 4, x.isEmpty() ? 1.0 : x.back()));
  plot_->graph(0)->setData(x, y, true);
  plot_->xAxis->setTickLabels(!x.isEmpty());
  plot_->yAxis->setTickLabels(!y.isEmpty());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ConvergencePlot::setLogarithmic(bool on) {
  plot_->yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  const QSharedPointer<QCPAxisTicker> ticker(on ? new QCPAxisTickerLog : new QCPAxisTicker);
  ticker->setTickCount(4);
  plot_->yAxis->setTicker(ticker);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ConvergencePlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) paintTheme();
}

void ConvergencePlot::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  plot_->setBackground(QBrush(theme.panel));
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
    axis->setBasePen(QPen(theme.line));
    axis->setTickPen(QPen(theme.line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(theme.dim);
    axis->setLabelColor(theme.dim);
    axis->setTickLabelFont(font());
    axis->setLabelFont(font());
    axis->grid()->setPen(QPen(theme.line, 0, Qt::DotLine));
    axis->grid()->setZeroLinePen(Qt::NoPen);
  }
  plot_->xAxis->setLabel(tr("iteration"));
  plot_->xAxis->setLabelPadding(0);
  plot_->graph(0)->setPen(QPen(theme.accent, 1.6));
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace lloyd
