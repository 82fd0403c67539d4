// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/roofline_plot.hpp"

#include "app/model/plot/race_figures.hpp"
#include "app/text/strings.hpp"

#include <QComboBox>

namespace lloyd {

namespace {

constexpr Stage stages[] = {Stage::classify, Stage::reduce, Stage::fused, Stage::update};

} // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : PlotPane(tr("Roofline"), parent), stages_(new QComboBox(this)) {
  stages_->addItem(tr("stages over points"));
  for (const Stage stage : stages)
    stages_->addItem(qtext(name(stage)));
  stages_->setToolTip(tr("Update handles clusters, not points: so little work that it stands far below"));
  stages_->setAccessibleName(tr("Stages on the roofline"));
  connect(stages_, &QComboBox::currentIndexChanged, this, [this] {
    redraw();
    reset();
  });
  addControl(stages_);
  useLegend();
  redraw();
}

void RooflinePlot::show(const RaceResultPtr& race) {
  race_ = race;
  roofline_ = race ? rooflineOf(*race) : Roofline{};
  redraw();
}

void RooflinePlot::redraw() {
  if (!race_)
    return setFigure(
        {.title = tr("Roofline"),
         .empty =
             tr("Race variants: how near each comes to what memory and arithmetic allow appears here.")});
  const int chosen = stages_->currentIndex();
  setFigure(rooflineFigure(*race_, roofline_,
                           chosen > 0 ? std::vector<Stage>{stages[chosen - 1]}
                                      : std::vector<Stage>{Stage::classify, Stage::reduce, Stage::fused}));
}

PlotTable RooflinePlot::table() const { return race_ ? rooflineTable(roofline_, *race_) : PlotTable{}; }

} // namespace lloyd
