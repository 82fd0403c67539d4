// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/sweep_plot.hpp"

#include "app/model/plot/sweep_figure.hpp"

#include <QCheckBox>
#include <QSignalBlocker>

namespace lloyd {

SweepPlot::SweepPlot(QWidget* parent) : PlotPane(tr("Sweep"), parent) {
  useLegend();
  logarithmic_ = addCheck(tr("log"), tr("Logarithmic upward axis"), [this](bool) {
    scaleChosen_ = true;
    redraw();
  });
  redraw();
}

void SweepPlot::show(const SweepResultPtr& result, SweepMetric metric) {
  const bool other = !result || !result_ || !(result->plan == result_->plan) || metric != metric_;
  result_ = result;
  metric_ = metric;
  if (other) scaleChosen_ = false;
  if (result && !scaleChosen_) {
    const QSignalBlocker quiet(logarithmic_);
    logarithmic_->setChecked(spansMuch(*result, metric));
  }
  redraw();
  if (result && other) reset();
}

void SweepPlot::redraw() {
  setFigure(result_
                ? sweepLines(*result_, metric_, logarithmic_->isChecked())
                : Figure{.title = tr("Sweep"),
                         .empty = tr("Choose what to sweep and press Start: each measurement appears here "
                                     "as soon as it is made.")});
}

PlotTable SweepPlot::table() const { return result_ ? sweepTable(*result_) : PlotTable{}; }

} // namespace lloyd
