// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/sweep_heatmap.hpp"

#include "app/model/plot/sweep_figure.hpp"

#include <QComboBox>
#include <QSignalBlocker>

namespace lloyd {

SweepHeatmap::SweepHeatmap(QWidget* parent) : PlotPane(tr("Sweep"), parent), chooser_(new QComboBox(this)) {
  chooser_->setToolTip(tr("Whose times are shown: those of the best at each place, or of one variant"));
  chooser_->setAccessibleName(tr("Variant of the heat map"));
  connect(chooser_, &QComboBox::currentIndexChanged, this, &SweepHeatmap::redraw);
  addControl(chooser_);
  redraw();
}

void SweepHeatmap::choose(std::optional<std::size_t> candidate) {
  chooser_->setCurrentIndex(candidate ? static_cast<int>(*candidate) + 1 : 0);
}

void SweepHeatmap::fillChooser() {
  const QSignalBlocker quiet(chooser_);
  chooser_->clear();
  chooser_->addItem(tr("best of all"));
  for (const Candidate& candidate : result_->plan.candidates)
    chooser_->addItem(tunedName(candidate));
  if (result_->plan.candidates.size() == 1) chooser_->setCurrentIndex(1);
  chooser_->setVisible(result_->plan.candidates.size() > 1);
}

void SweepHeatmap::show(const SweepResultPtr& result, SweepMetric metric) {
  const bool other = !result || !result_ || !(result->plan == result_->plan);
  result_ = result;
  metric_ = metric;
  if (result && other) fillChooser();
  redraw();
  if (result && other) reset();
}

void SweepHeatmap::redraw() {
  const int chosen = chooser_->currentIndex();
  const auto candidate =
      chosen > 0 ? std::optional(static_cast<std::size_t>(chosen - 1)) : std::optional<std::size_t>();
  setFigure(result_ ? sweepMap(*result_, metric_, candidate)
                    : Figure{.title = tr("Sweep"),
                             .empty = tr("Choose two things to sweep and press Start: each measurement "
                                         "appears here as soon as it is made.")});
}

PlotTable SweepHeatmap::table() const { return result_ ? sweepTable(*result_) : PlotTable{}; }

} // namespace lloyd
