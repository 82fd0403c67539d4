// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/sweep_panel.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/plot/sweep_heatmap.hpp"
#include "app/ui/plot/sweep_plot.hpp"
#include "gpu/core/contract/request_error.hpp"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace lloyd {

namespace {

QString secondsText(double seconds) {
  if (seconds >= 90) return SweepPanel::tr("%1 min").arg(static_cast<int>(std::ceil(seconds / 60)));
  return SweepPanel::tr("%1 s").arg(static_cast<int>(std::ceil(seconds)));
}

} // namespace

SweepPanel::SweepPanel(Session& session, SweepRunner& sweeps, QWidget* parent)
    : QWidget(parent), session_(session), sweeps_(sweeps), progress_(new QProgressBar(this)),
      plots_(new QStackedWidget(this)), lines_(new SweepPlot(this)), map_(new SweepHeatmap(this)) {
  for (PlotPane* pane : {static_cast<PlotPane*>(lines_), static_cast<PlotPane*>(map_)}) {
    plots_->addWidget(pane);
    connect(pane, &PlotPane::said, this, &SweepPanel::said);
  }
  progress_->setAccessibleName(tr("Progress of the sweep"));
  progress_->setMaximumHeight(progress_->fontMetrics().height() + 4);
  progress_->hide();
  auto* right = new QWidget(this);
  auto* rightLayout = new QVBoxLayout(right);
  rightLayout->setContentsMargins(0, 0, 0, 0);
  rightLayout->setSpacing(2);
  rightLayout->addWidget(plots_, 1);
  rightLayout->addWidget(progress_);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setHandleWidth(5);
  splitter->addWidget(makeSetUp());
  splitter->addWidget(right);
  splitter->setStretchFactor(1, 1);
  splitter->setCollapsible(1, false);
  splitter->setSizes({190, 430});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);

  connect(&sweeps_, &SweepRunner::updated, this, &SweepPanel::show);
  connect(&sweeps_, &SweepRunner::progressed, this, &SweepPanel::showProgress);
  connect(&sweeps_, &SweepRunner::started, this, &SweepPanel::showRunning);
  connect(&sweeps_, &SweepRunner::ended, this, &SweepPanel::showRunning);
  connect(&session_, &Session::pathChanged, this, &SweepPanel::renewVariants);
  connect(&session_, &Session::dataChanged, this, &SweepPanel::offerParameters);
  offerParameters();
  renewVariants();
  showRunning();
}

PlotPane& SweepPanel::plot() const {
  return plots_->currentWidget() == map_ ? static_cast<PlotPane&>(*map_) : *lines_;
}

void SweepPanel::show(const SweepResultPtr& result) {
  result_ = result;
  const bool plane = result && result->plan.columns() > 1 && result->plan.rows() > 1;
  plots_->setCurrentWidget(plane ? static_cast<QWidget*>(map_) : lines_);
  if (plane) {
    map_->show(result, plotted());
  } else {
    lines_->show(result, plotted());
  }
}

tl::expected<SweepRequest, QString> SweepPanel::wish() const {
  SweepRequest wish;
  wish.plan.base = problem();
  wish.cellSeconds = budget_->value();
  try {
    for (const AxisFields& axis : axes_)
      if (const auto parameter = parameterOf(axis))
        wish.plan.axes.push_back(parseSweepAxis(*parameter, axis.values->text().trimmed().toStdString()));
  } catch (const RequestError& wrong) {
    return tl::unexpected(QString::fromUtf8(wrong.what()));
  }
  for (int i = 0; i < variants_->count(); ++i)
    if (variants_->item(i)->checkState() == Qt::Checked)
      wish.plan.candidates.push_back(candidates_[static_cast<std::size_t>(i)]);
  if (const QString why = sweeps_.whyNot(wish.plan); !why.isEmpty()) return tl::unexpected(why);
  return wish;
}

void SweepPanel::startOrCancel() {
  if (sweeps_.running()) return sweeps_.cancel();
  if (const auto wished = wish()) sweeps_.start(*wished);
  refresh();
}

void SweepPanel::showProgress(const SweepProgress& progress) {
  progress_->setMaximum(static_cast<int>(progress.total));
  progress_->setValue(static_cast<int>(progress.done));
  progress_->setFormat(
      tr("%1 of %2, about %3 left")
          .arg(countText(progress.done), countText(progress.total), secondsText(progress.secondsLeft)));
  progress_->setToolTip(tr("Measuring %1 points, %2 dimensions, %3 clusters")
                            .arg(countText(progress.problem.n))
                            .arg(progress.problem.d)
                            .arg(progress.problem.k));
}

void SweepPanel::showRunning() {
  const bool running = sweeps_.running();
  start_->setText(running ? tr("Cancel") : tr("S&tart"));
  start_->setToolTip(running ? tr("What was measured stays") : tr("Measure every variant at every value"));
  progress_->setVisible(running);
  if (running) progress_->setValue(0);
  refresh();
}

void SweepPanel::refresh() {
  if (sweeps_.running()) {
    state_->setText(tr("Playing pauses meanwhile"));
    start_->setEnabled(true);
    return;
  }
  QString text = sweeps_.whyNot();
  const bool able = text.isEmpty();
  const auto wished = wish();
  if (able && !wished) text = wished.error();
  if (able && wished) {
    const std::size_t cells = wished->plan.cells();
    text = tr("%1 measurements, about %2")
               .arg(countText(cells), secondsText(static_cast<double>(cells) * wished->cellSeconds));
  }
  start_->setEnabled(able && wished.has_value());
  if (state_->text() != text) state_->setText(text);
}

void SweepPanel::renewColours() {
  lines_->renewColours();
  map_->renewColours();
}

std::optional<SweepParameter> SweepPanel::parameterOf(const AxisFields& axis) const {
  const QVariant chosen = axis.parameter->currentData();
  return chosen.isValid() ? std::optional(static_cast<SweepParameter>(chosen.toInt())) : std::nullopt;
}

Stage SweepPanel::stage() const { return static_cast<Stage>(stage_->currentData().toInt()); }

SweepMetric SweepPanel::plotted() const { return static_cast<SweepMetric>(metric_->currentData().toInt()); }

Problem SweepPanel::problem() const {
  const SharedPointSet points = session_.data();
  return {points ? points->n : 0, points ? points->d : 1, session_.settings().k};
}

} // namespace lloyd
