// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/timeline_panel.hpp"

#include "app/model/report/html/html_timelines.hpp"
#include "app/model/timeline/timeline_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/plot/timeline_plot.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <optional>

namespace lloyd {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// Where a candidate's run stands among those that were recorded.
std::optional<std::size_t> placeOf(const RaceResult& race, const Candidate& candidate) {
  std::size_t place = 0;
  for (const RecordedRun& run : race.recorded) {
    if (!run.timeline) continue;
    if (sameCandidate(run.candidate, candidate)) return place;
    ++place;
  }
  return std::nullopt;
}

/// The fastest schedule's; of equal ones the first.
std::optional<std::size_t> fastestOf(const RaceResult& race) {
  const Measurement* best = nullptr;
  for (const Measurement& row : race.rows)
    if (row.candidate.stage == Stage::sets && row.rank > 0 &&
        (!best || row.times.median < best->times.median))
      best = &row;
  return best ? placeOf(race, best->candidate) : std::nullopt;
}

} // namespace

TimelinePanel::TimelinePanel(QWidget* parent)
    : QWidget(parent), plot_(new TimelinePlot(this)), numbers_(new QLabel(this)), caption_(new QLabel(this)),
      table_(new QTableView(this)) {
  numbers_->setWordWrap(true);
  numbers_->setMargin(4);
  numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  numbers_->setAccessibleName(tr("Timeline in numbers"));
  caption_->setProperty("dim", true);
  caption_->setMargin(2);
  caption_->setWordWrap(true);
  table_->setModel(&model_);
  table_->setAccessibleName(tr("Bars of the timeline"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setMinimumHeight(4 * fontMetrics().height());

  auto* below = new QWidget(this);
  below->setBackgroundRole(QPalette::Base);
  below->setAutoFillBackground(true);
  auto* rows = new QVBoxLayout(below);
  rows->setContentsMargins(4, 0, 4, 0);
  rows->setSpacing(0);
  rows->addWidget(numbers_);
  rows->addWidget(caption_);
  rows->addWidget(table_, 1);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->addWidget(plot_);
  parts->addWidget(below);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 1);
  parts->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(parts);
  connect(plot_, &TimelinePlot::changed, this, &TimelinePanel::showBars);
  showBars();
}

void TimelinePanel::showRuns(const RaceResultPtr& race, const Candidate& a, const Candidate& b) {
  race_ = race;
  if (!race) return plot_->show({});
  const auto ofA = placeOf(*race, a);
  const auto ofB = placeOf(*race, b);
  if (ofA && ofB && *ofA != *ofB) return plot_->show(recordedTimelines(*race), *ofA, *ofB);
  const std::size_t fastest = fastestOf(*race).value_or(1);
  plot_->show(recordedTimelines(*race), 0, fastest == 0 ? 1 : fastest);
}

QString TimelinePanel::numbers() const {
  QStringList lines;
  for (const auto& [name, timeline] : plot_->seen())
    lines << QStringLiteral("%1: %2").arg(name, timelineNumbersLine(*timeline));
  return lines.join(u'\n');
}

void TimelinePanel::showBars() {
  const auto& marked = plot_->marked();
  model_.show(plot_->seen(), marked ? marked->first : -endless, marked ? marked->second : endless);
  QStringList whole;
  for (const auto& [name, timeline] : plot_->seen())
    whole << QStringLiteral("%1: %2").arg(name, timelineNumbersText(*timeline));
  numbers_->setText(numbers());
  numbers_->setToolTip(whole.join(u'\n'));
  const auto count = static_cast<std::uint64_t>(model_.rowCount());
  caption_->setText(tr("%1 of %2 bars are in the marked part; Escape takes the mark away")
                        .arg(countText(count), countText(model_.all())));
  // Until something is marked the rows of the plot have the height.
  caption_->setVisible(marked.has_value());
  table_->setVisible(marked.has_value());
  numbers_->parentWidget()->setVisible(!plot_->seen().empty());
  fitHeight();
  table_->resizeColumnsToContents();
}

/// Numbers alone are as high as their lines.
void TimelinePanel::fitHeight() {
  QWidget& below = *numbers_->parentWidget();
  // -1 where the layout says that its height does not depend on its width.
  const int height = below.layout()->totalHeightForWidth(width());
  below.setMaximumHeight(plot_->marked() || height < 0 ? QWIDGETSIZE_MAX : height);
}

void TimelinePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHeight();
}

void TimelinePanel::renewColours() {
  plot_->renewColours();
  plot_->mark(plot_->marked());
}

} // namespace lloyd
