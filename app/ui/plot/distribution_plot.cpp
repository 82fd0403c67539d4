// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/distribution_plot.hpp"

#include <QComboBox>

namespace lloyd {

DistributionPlot::DistributionPlot(QWidget* parent)
    : PlotPane(tr("B over A"), parent, FigurePainter::Panels::twoBeside), kind_(new QComboBox(this)) {
  kind_->addItems({tr("histogram"), tr("sorted")});
  kind_->setToolTip(tr("How often each time occurred, or all times from the fastest to the slowest"));
  kind_->setAccessibleName(tr("Way of showing the times"));
  connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
    redraw();
    reset();
  });
  addControl(kind_);
  duel_.why =
      tr("Race two variants and choose them as A and B: their samples appear here, one over the other.");
  redraw();
}

void DistributionPlot::show(const RaceResultPtr& race, const Candidate& a, const Candidate& b) {
  race_ = race;
  duel_ = duelOf(race.get(), a, b);
  redraw();
}

void DistributionPlot::redraw() {
  setFigure(distribution(duel_, race_ ? race_->conditions.rules.sameWithin : 0, kind_->currentIndex() == 1));
}

PlotTable DistributionPlot::table() const {
  return duel_.a ? distributionTable(*duel_.a, *duel_.b) : PlotTable{};
}

} // namespace lloyd
