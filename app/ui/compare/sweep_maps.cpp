// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/sweep_maps.hpp"

#include "app/model/plot/plot_table.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/ui/common/collapsible_section.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace lloyd {
namespace {

constexpr std::size_t mostBeside = 6; ///< maps in a row: more are too small to point at

// What the chooser's items stand for; a candidate's is its number.
constexpr int ofTheBest = -1;
constexpr int ofEach = -2;

bool differInTuningAlone(const SweepPlan& plan) {
  return plan.candidates.size() > 1 && std::ranges::all_of(plan.candidates, [&](const Candidate& one) {
           return one.variant == plan.candidates.front().variant;
         });
}

} // namespace

SweepMaps::SweepMaps(QWidget* parent)
    : QWidget(parent), grid_(new QGridLayout), chooser_(new QComboBox(this)), readOut_(quietLabel(this)) {
  chooser_->setToolTip(
      tr("Whose maps are shown: of the best at each place, of one variant, or of each beside "
         "the others in the same colours"));
  chooser_->setAccessibleName(tr("Variant of the heat map"));
  connect(chooser_, &QComboBox::currentIndexChanged, this, &SweepMaps::redraw);
  readOut_->setFixedHeight(3 * readOut_->fontMetrics().lineSpacing() + 2); // what is said moves no map
  readOut_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  chooser_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  chooser_->setMinimumContentsLength(8);
  readOut_->setObjectName(QStringLiteral("mapsReadOut"));
  grid_->setSpacing(2);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(6, 0, 6, 2);
  foot->addWidget(readOut_, 1);
  foot->addWidget(chooser_, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(grid_, 1);
  layout->addLayout(foot);
  show(nullptr, SweepMetric::median);
}

void SweepMaps::choose(std::optional<std::size_t> candidate) {
  chooser_->setCurrentIndex(chooser_->findData(candidate ? static_cast<int>(*candidate) : ofTheBest));
}

void SweepMaps::chooseEach() { chooser_->setCurrentIndex(chooser_->findData(ofEach)); }

QString SweepMaps::readOut() const { return readOut_->text(); }

void SweepMaps::show(const SweepResultPtr& result, SweepMetric metric) {
  const bool other = !result || !result_ || !(result->plan == result_->plan);
  result_ = result;
  metric_ = metric;
  if (other) fillChooser();
  redraw();
}

void SweepMaps::renewColours() {
  for (SweepHeatmap* map : maps_)
    map->renewColours();
}

void SweepMaps::fillChooser() {
  const QSignalBlocker quiet(chooser_);
  chooser_->clear();
  const std::size_t candidates = result_ ? result_->plan.candidates.size() : 0;
  chooser_->addItem(tr("best of all"), ofTheBest);
  if (candidates > 1 && candidates <= mostBeside) chooser_->addItem(tr("each beside the others"), ofEach);
  for (std::size_t c = 0; c < candidates; ++c)
    chooser_->addItem(candidateName(result_->plan, c), static_cast<int>(c));
  chooser_->setVisible(candidates > 1);
  if (candidates == 1) choose(0);
  if (result_ && differInTuningAlone(result_->plan)) chooseEach();
}

/// The candidates with a map of their own; none: one map is of the best at each place.
std::vector<std::size_t> SweepMaps::shown() const {
  const int chosen = chooser_->currentData().toInt();
  if (!result_ || chosen == ofTheBest) return {};
  if (chosen != ofEach) return {static_cast<std::size_t>(chosen)};
  std::vector<std::size_t> all(result_->plan.candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<SweepMetric> SweepMaps::metrics() const {
  std::vector<SweepMetric> all{metric_};
  const bool told = result_ && metric_ != SweepMetric::occupancy && !shown().empty() &&
                    mapRange(*result_, SweepMetric::occupancy, shown());
  if (told) all.push_back(SweepMetric::occupancy);
  return all;
}

void SweepMaps::arrange(std::size_t columns, std::size_t rows) {
  if (columns == columns_ && columns * rows == maps_.size()) return;
  for (SweepHeatmap* map : maps_) {
    grid_->removeWidget(map);
    map->hide();
    map->deleteLater(); // it may be what asked for another choice
  }
  maps_.clear();
  columns_ = columns;
  const auto extent = columns * rows > 1 ? SweepHeatmap::Extent::beside : SweepHeatmap::Extent::alone;
  for (std::size_t i = 0; i < columns * rows; ++i) {
    auto* map = new SweepHeatmap(this, extent);
    map->hideReadOut();
    grid_->addWidget(map, static_cast<int>(i / columns), static_cast<int>(i % columns));
    connect(map, &PlotPane::said, this, &SweepMaps::said);
    connect(map, &SweepHeatmap::pointed, this,
            [this, i](std::optional<SweepPlace> place) { point(i, place); });
    connect(map, &SweepHeatmap::chosen, this, [this, i](SweepPlace place) {
      if (const auto candidate = candidateOf(i, place)) Q_EMIT chosen(place, *candidate);
    });
    maps_.push_back(map);
  }
}

void SweepMaps::redraw() {
  const std::vector<std::size_t> candidates = shown();
  const std::vector<SweepMetric> plotted = metrics();
  arrange(std::max<std::size_t>(1, candidates.size()), plotted.size());
  if (maps_.size() == 1) {
    maps_.front()->show(result_, metric_,
                        candidates.empty() ? std::optional<std::size_t>() : candidates.front());
  } else {
    for (std::size_t row = 0; row < plotted.size(); ++row) {
      const auto range = mapRange(*result_, plotted[row], candidates);
      for (std::size_t c = 0; c < candidates.size(); ++c)
        maps_[row * candidates.size() + c]->showBeside(result_, plotted[row], candidates[c], range);
    }
  }
  point(0, std::nullopt);
}

void SweepMaps::point(std::size_t map, std::optional<SweepPlace> place) {
  for (std::size_t i = 0; i < maps_.size(); ++i)
    if (i != map || !place) maps_[i]->mark(place);
  const auto candidate = place ? candidateOf(map, *place) : std::nullopt;
  if (candidate)
    readOut_->setText(cellText(*result_, place->column, place->row, *candidate, metric_));
  else {
    QStringList words{maps_.front()->remark(),
                      maps_.size() > 1 ? tr("A click, or arrows and Return, goes on with a cell")
                                       : tr("A click, or Ctrl+arrows and Return, goes on with a cell")};
    words.removeAll(QString());
    readOut_->setText(result_ && maps_.front()->emptyText().isEmpty() ? words.join(QStringLiteral(". "))
                                                                      : QString());
  }
  readOut_->setToolTip(readOut_->text());
}

std::optional<std::size_t> SweepMaps::candidateOf(std::size_t map, SweepPlace place) const {
  if (!result_) return std::nullopt;
  const std::vector<std::size_t> candidates = shown();
  return candidates.empty() ? bestAt(*result_, place.column, place.row, metric_)
                            : std::optional(candidates[map % candidates.size()]);
}

} // namespace lloyd
