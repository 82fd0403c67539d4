// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_kinds.hpp"

#include "app/model/plot/race_figures.hpp"
#include "app/model/plot/run_figures.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/text/strings.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

/// A run grows at its end, and is begun again.
bool sameRun(const std::deque<IterationStats>& a, const std::deque<IterationStats>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || (a.back().iteration == b.back().iteration && a.back().inertia == b.back().inertia &&
                       a.front().inertia == b.front().inertia);
}

constexpr Stage stages[] = {Stage::classify, Stage::reduce, Stage::fused, Stage::update};

} // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent, Extent extent)
    : PlotPane(tr("Convergence"), parent,
               extent == Extent::all ? FigurePainter::Panels::threeBelow : FigurePainter::Panels::one),
      extent_(extent) {
  const bool small = extent == Extent::inertia;
  logarithmic_ =
      addCheck(tr("log"),
               small ? tr("Inertia on a logarithmic axis") : tr("Logarithmic axes; what is 0 is not on them"),
               [this](bool) { redraw(); });
  if (small) setSmall(tr("Inertia %1").arg(QStringLiteral("8,888,000")));
  redraw();
}

void ConvergencePlot::show(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other) {
  if (sameRun(run, runs_->run) && runs_->other.has_value() == (other != nullptr) &&
      (!other || sameRun(*other, *runs_->other)))
    return;
  runs_ =
      std::make_shared<ConvergenceRuns>(ConvergenceRuns{run, other ? std::optional(*other) : std::nullopt});
  redraw();
}

void ConvergencePlot::redraw() {
  const bool logarithmic = logarithmic_->isChecked();
  setFigure(extent_ == Extent::all ? convergence(runs_, logarithmic) : inertiaAlone(runs_, logarithmic));
}

PlotTable ConvergencePlot::table() const {
  return convergenceTable(runs_->run, runs_->other ? &*runs_->other : nullptr);
}

ClusterSizesPlot::ClusterSizesPlot(QWidget* parent) : PlotPane(tr("Cluster sizes"), parent) {
  setSmall(tr("Largest %1 of %2").arg(88).arg(888));
  redraw();
}

void ClusterSizesPlot::show(const std::vector<std::uint32_t>& sizes, const std::vector<Rgb>& colours) {
  std::vector<PlotRgb> shown;
  shown.reserve(colours.size());
  for (const Rgb& colour : colours)
    shown.push_back(static_cast<PlotRgb>(colour.r << 16 | colour.g << 8 | colour.b));
  if (sizes == sizes_ && shown == colours_) return;
  sizes_ = sizes;
  colours_ = std::move(shown);
  redraw();
}

void ClusterSizesPlot::resizeEvent(QResizeEvent* event) {
  PlotPane::resizeEvent(event);
  redraw();
}

void ClusterSizesPlot::redraw() {
  constexpr int edges = 20;    ///< pixels beside the axis
  constexpr int narrowest = 3; ///< a bar and its gap
  setFigure(
      clusterSizes(sizes_, colours_, static_cast<std::size_t>(std::max(1, (width() - edges) / narrowest))));
}

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

FrameTimePlot::FrameTimePlot(QWidget* parent) : PlotPane(tr("Time per stage"), parent) {
  useLegend();
  waiting_ = addCheck(tr("waiting"), tr("Show how long the window waited for the screen as well"),
                      [this](bool) { redraw(); });
  waiting_->hide(); // only whole frames wait
  redraw();
}

void FrameTimePlot::show(const FrameLog& record, bool simulated) {
  const auto& entries = record.entries();
  const auto& before = record_->entries();
  if (entries.size() == before.size() && simulated == simulated_ &&
      record.wholeFrames() == record_->wholeFrames() &&
      (entries.empty() || entries.back().number == before.back().number))
    return;
  record_ = std::make_shared<FrameLog>(record);
  simulated_ = simulated;
  waiting_->setVisible(record.wholeFrames());
  redraw();
}

void FrameTimePlot::redraw() { setFigure(frameTimes(record_, simulated_, waiting_->isChecked())); }

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
