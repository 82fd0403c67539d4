// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_kinds.hpp"

#include "app/model/plot/race_figures.hpp"
#include "app/model/plot/run_figures.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/text/strings.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
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
  if (other) place_.reset();
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

std::size_t SweepPlot::places() const { return alongRows() ? result_->plan.rows() : result_->plan.columns(); }

std::optional<QPointF> SweepPlot::pixelOf(Place place) const {
  const bool rows = alongRows();
  const auto value =
      valueAt(*result_, rows ? 0 : place.along, rows ? place.along : 0, place.candidate, metric_);
  if (!value) return std::nullopt;
  const double along = static_cast<double>(result_->plan.axes[rows ? 1 : 0].values[place.along]);
  const QPointF at(plot().xAxis->coordToPixel(along), plot().yAxis->coordToPixel(*value));
  return plot().axisRect()->rect().adjusted(-1, -1, 1, 1).contains(at.toPoint()) ? std::optional(at)
                                                                                 : std::nullopt;
}

std::optional<SweepPlot::Place> SweepPlot::nearest(QPointF at) const {
  constexpr double reach = 12; ///< pixels
  std::optional<Place> best;
  double least = reach;
  for (std::size_t c = 0; result_ && c < result_->plan.candidates.size(); ++c)
    for (std::size_t along = 0; along < places(); ++along) {
      const auto pixel = pixelOf({along, c});
      const double away = pixel ? std::hypot(pixel->x() - at.x(), pixel->y() - at.y()) : reach + 1;
      if (!(away <= least)) continue;
      least = away;
      best = {along, c};
    }
  return best;
}

void SweepPlot::choose(Place place) {
  Q_EMIT chosen(alongRows() ? 0 : place.along, alongRows() ? place.along : 0, place.candidate);
}

void SweepPlot::viewMoved() {
  const auto at = place_ && result_ ? pixelOf(*place_) : std::nullopt;
  if (at) return point(*at);
  place_.reset();
  pointNowhere();
}

bool SweepPlot::handles(int key, Qt::KeyboardModifiers modifiers) {
  if (!result_) return false;
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    if (place_) choose(*place_);
    return place_.has_value();
  }
  if ((modifiers & ~Qt::KeypadModifier) != Qt::ControlModifier) return false;
  const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
  if (!sideways && key != Qt::Key_Up && key != Qt::Key_Down) return false;
  const int step = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
  // On to the next that has a value: gaps are gone over.
  const auto count = static_cast<int>(sideways ? places() : result_->plan.candidates.size());
  Place next = place_.value_or(Place{});
  std::size_t& moving = sideways ? next.along : next.candidate;
  const int from = place_ ? static_cast<int>(moving) + step : 0;
  for (int i = from; i >= 0 && i < count; i += place_ ? step : 1) {
    moving = static_cast<std::size_t>(i);
    const auto at = pixelOf(next);
    if (!at) continue;
    place_ = next;
    point(*at);
    break;
  }
  return true;
}

bool SweepPlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &plot()) return PlotPane::eventFilter(watched, event);
  switch (event->type()) {
  case QEvent::MouseButtonPress: {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() == Qt::LeftButton) pressed_ = mouse->position();
    break;
  }
  case QEvent::MouseMove:
    place_.reset();
    break;
  case QEvent::MouseButtonRelease: {
    constexpr double clickReach = 4; ///< pixels from press to release: farther it was a drag
    const QPointF at = static_cast<QMouseEvent*>(event)->position();
    const auto from = std::exchange(pressed_, std::nullopt);
    if (!from || !(std::hypot(at.x() - from->x(), at.y() - from->y()) <= clickReach)) break;
    if (const auto place = nearest(at)) choose(*place);
    break;
  }
  case QEvent::ShortcutOverride: {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enters = (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && place_;
    const bool goes = key->key() >= Qt::Key_Left && key->key() <= Qt::Key_Down &&
                      (key->modifiers() & ~Qt::KeypadModifier) == Qt::ControlModifier;
    if (!enters && !goes) break;
    event->accept();
    return true;
  }
  case QEvent::KeyPress: {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (handles(key->key(), key->modifiers())) return true;
    break;
  }
  default:
    break;
  }
  return PlotPane::eventFilter(watched, event);
}

PlotTable SweepPlot::table() const { return result_ ? sweepTable(*result_) : PlotTable{}; }

} // namespace lloyd
