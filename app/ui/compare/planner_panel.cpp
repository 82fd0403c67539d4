// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/planner_panel.hpp"

#include "app/model/launch/paper_constraints.hpp"
#include "app/model/report/plan_report.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/share_bars.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <set>
#include <utility>

namespace lloyd {
namespace {

constexpr int ownCard = 0;
constexpr int cardWithoutGpu = 90;
constexpr std::array<int, 6> blockSizes{32, 64, 128, 256, 512, 1024};
constexpr int shippedClusters = 16;

/// As wide as the panel and as high as its rows, in which long texts go on in the next line: the page
/// scrolls, never the table.
class WrappedTable : public QTableWidget {
public:
  using QTableWidget::QTableWidget;

  void fitHeight() {
    resizeRowsToContents();
    int height = horizontalHeader()->sizeHint().height() + 4;
    for (int row = 0; row < rowCount(); ++row)
      height += rowHeight(row);
    if (height != minimumHeight()) setFixedHeight(height);
  }

protected:
  void resizeEvent(QResizeEvent* event) override {
    QTableWidget::resizeEvent(event);
    fitHeight();
  }
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

/// narrow: the columns of short texts; the others share what is left.
WrappedTable* makeTable(const QStringList& headings, const std::set<int>& narrow,
                        const QString& accessibleName, QWidget* parent) {
  auto* table = new WrappedTable(0, static_cast<int>(headings.size()), parent);
  table->setHorizontalHeaderLabels(headings);
  table->setAccessibleName(accessibleName);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setWordWrap(true);
  table->setAlternatingRowColors(true);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setHighlightSections(false);
  for (int column = 0; column < table->columnCount(); ++column)
    table->horizontalHeader()->setSectionResizeMode(
        column, narrow.contains(column) ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
  offerCopy(*table);
  return table;
}

void fill(WrappedTable& table, const std::vector<QStringList>& rows) {
  table.setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < table.rowCount(); ++row)
    for (int column = 0; column < table.columnCount(); ++column) {
      auto* item = new QTableWidgetItem(rows[static_cast<std::size_t>(row)].value(column));
      item->setToolTip(item->text());
      table.setItem(row, column, item);
    }
  table.fitHeight();
}

} // namespace

PlannerPanel::PlannerPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), variant_(new QComboBox(this)), card_(new QComboBox(this)),
      source_(new QLabel(this)), bars_(new ShareBars(this)), sentence_(new QLabel(this)),
      blocks_(makeTable({tr("threads a block"), tr("blocks"), tr("occupancy %"), tr("what binds")}, {0, 1, 2},
                        tr("Occupancy by threads a block"), this)),
      constraints_(makeTable({tr("the paper's constraint"), tr("here"), tr("binds"), tr("remark")}, {2},
                             tr("Constraints of the Multi-level parallelism paper"), this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  variant_->setObjectName(QStringLiteral("plannedVariant"));
  variant_->setAccessibleName(tr("Variant to plan"));
  variant_->setToolTip(tr("The kernel whose launch is planned"));
  card_->setObjectName(QStringLiteral("plannedCard"));
  card_->setAccessibleName(tr("Card to plan for"));
  card_->setToolTip(tr("The multiprocessors that blocks are to live on: this card's, or those of a compute "
                       "capability. Registers stay those of the kernel as it was compiled here."));
  bars_->setObjectName(QStringLiteral("plannerBars"));
  bars_->setAccessibleName(tr("What the blocks that live on a multiprocessor take of it"));
  blocks_->setObjectName(QStringLiteral("plannerBlocks"));
  constraints_->setObjectName(QStringLiteral("plannerConstraints"));
  sentence_->setObjectName(QStringLiteral("plannerSentence"));
  for (QLabel* label : {sentence_, source_})
    label->setWordWrap(true);
  source_->setProperty("dim", true);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(6);
  form->setVerticalSpacing(4);
  form->addRow(tr("Variant"), variant_);
  for (std::size_t i = 0; i < kernelParameterCount; ++i) {
    parameters_[i] = new QComboBox(this);
    parameters_[i]->setAccessibleName(qtext(tuningParameters[i]));
    captions_[i] = new QLabel(qtext(tuningParameters[i]), this);
    captions_[i]->setBuddy(parameters_[i]);
    form->addRow(captions_[i], parameters_[i]);
    connect(parameters_[i], &QComboBox::activated, this, &PlannerPanel::ask);
  }
  form->addRow(tr("Card"), card_);
  auto* body = new QWidget(this);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(6);
  column->addLayout(form);
  for (QWidget* part : std::initializer_list<QWidget*>{bars_, sentence_, blocks_, constraints_, source_})
    column->addWidget(part);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(body);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
  // From field to field as they stand, though the layout has brought them here in another order.
  QWidget* before = variant_;
  const auto then = [&before](QWidget* next) { setTabOrder(std::exchange(before, next), next); };
  for (QComboBox* parameter : parameters_)
    then(parameter);
  for (QWidget* next : std::initializer_list<QWidget*>{card_, blocks_, constraints_})
    then(next);
  addVariants();
  offerParameters();
  connect(variant_, &QComboBox::activated, this, [this] {
    offerParameters();
    ask();
  });
  connect(card_, &QComboBox::activated, this, [this] {
    if (shown_) showLaunch(*shown_);
  });
  connect(&planner_, &LaunchPlanner::planned, this, &PlannerPanel::show);
  connect(&planner_, &LaunchPlanner::failed, this, &PlannerPanel::showNothing);
}

void PlannerPanel::addVariants() {
  for (const Variant* variant : Registry::instance().all())
    for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout}) {
      if (!variant->has(stage, Backend::simt)) continue;
      variants_.push_back({variant, stage, variant->complete({})});
      variant_->addItem(qtext(variant->id()));
      variant_->setItemData(variant_->count() - 1, qtext(variant->info.idea), Qt::ToolTipRole);
    }
}

bool PlannerPanel::choose(const std::string& id) {
  const int at = variant_->findText(QString::fromStdString(id));
  if (at < 0) return false;
  variant_->setCurrentIndex(at);
  offerParameters();
  ask();
  return true;
}

void PlannerPanel::offerParameters() {
  const Candidate& chosen = variants_[static_cast<std::size_t>(std::max(0, variant_->currentIndex()))];
  for (std::size_t i = 0; i < kernelParameterCount; ++i) {
    const Parameter* parameter = chosen.variant->parameter(tuningParameters[i]);
    QComboBox* box = parameters_[i];
    const QSignalBlocker quiet(box);
    box->clear();
    box->setVisible(parameter != nullptr);
    captions_[i]->setVisible(parameter != nullptr);
    if (!parameter) continue;
    for (const int value : parameter->values)
      box->addItem(tuningParameters[i] == "arithmetic" ? qtext(name(static_cast<Arithmetic>(value)))
                                                       : countText(static_cast<std::uint64_t>(value)),
                   value);
    box->setCurrentIndex(box->findData(parameter->fallback));
  }
}

void PlannerPanel::offerCards() {
  const int before = card_->count() > 0 ? card_->currentData().toInt() : ownCard;
  const QSignalBlocker quiet(card_);
  card_->clear();
  if (hasDriver() && cardOf(session_.device())) card_->addItem(tr("this one"), ownCard);
  for (const CardLimits& known : knownCards())
    card_->addItem(tr("compute capability %1").arg(capabilityText(known.computeCapability)),
                   known.computeCapability);
  const int wanted = card_->findData(before);
  card_->setCurrentIndex(std::max(
      0, wanted >= 0 && (before != ownCard || hasDriver()) ? wanted : card_->findData(cardWithoutGpu)));
}

bool PlannerPanel::hasDriver() const { return session_.device().backend == Backend::cuda; }

CardLimits PlannerPanel::card() const {
  const int chosen = card_->currentData().toInt();
  return chosen == ownCard ? *cardOf(session_.device()) : *cardLimits(chosen);
}

Candidate PlannerPanel::candidate() const {
  Candidate chosen = variants_[static_cast<std::size_t>(std::max(0, variant_->currentIndex()))];
  for (std::size_t i = 0; i < kernelParameterCount; ++i)
    if (!parameters_[i]->isHidden() && parameters_[i]->currentIndex() >= 0)
      chosen.tuning.set(tuningParameters[i], parameters_[i]->currentData().toInt());
  return chosen;
}

void PlannerPanel::refresh() {
  const int d = session_.data() ? session_.data()->d : 2;
  const std::string now =
      session_.device().name + ' ' + std::to_string(d) + ' ' + std::to_string(session_.settings().k);
  if (now == askedFor_) return;
  askedFor_ = now;
  offerCards();
  ask();
}

void PlannerPanel::ask() {
  const int d = session_.data() ? session_.data()->d : 2;
  // What is shipped knows the benchmark's number of clusters.
  const int k = hasDriver() ? session_.settings().k : shippedClusters;
  // The chosen shape first, and then the table's: a kernel for another block may have other registers.
  std::vector<Candidate> asked{candidate()};
  if (asked.front().variant->parameter("block"))
    for (const int threads : blockSizes)
      if (threads != asked.front().tuning.block) {
        asked.push_back(asked.front());
        asked.back().tuning.block = threads;
      }
  planner_.ask(asked, {.n = 0, .d = d, .k = k}, hasDriver());
}

void PlannerPanel::show(const LaunchPlans& plans) {
  plans_ = plans;
  const int block = candidate().tuning.block;
  const auto chosen = std::ranges::find(plans.launches, block,
                                        [](const PlannedLaunch& one) { return one.candidate.tuning.block; });
  if (chosen == plans.launches.end())
    return showNothing(plans.unplanned.empty() ? tr("There is no kernel to plan")
                                               : QString::fromStdString(plans.unplanned.front().reason));
  shown_ = *chosen;
  source_->setText(tr("Registers and shared memory for D = %1, k = %2, from: %3")
                       .arg(shown_->problem.d)
                       .arg(shown_->problem.k)
                       .arg(plans.source));
  showLaunch(*shown_);
}

void PlannerPanel::showNothing(const QString& why) {
  shown_.reset();
  bars_->setBars({}, 1);
  sentence_->setText(why);
  for (QWidget* part : std::initializer_list<QWidget*>{blocks_, constraints_, source_})
    part->hide();
}

void PlannerPanel::showLaunch(const PlannedLaunch& launch) {
  const CardLimits limits = card();
  const Occupancy found = occupancy(limits, launch.needs);
  const bool refused = whyNoLaunch(limits, launch.needs).has_value();
  std::vector<ShareBar> bars;
  for (const Resource resource : resources) {
    const double used = found.usedOf(resource);
    const bool binds = !refused && found.roomOf(resource) == found.blocks;
    bars.push_back(
        {.name = qtext(name(resource)),
         .total = tr("room for %1").arg(countText(static_cast<std::uint64_t>(found.roomOf(resource)))),
         .parts = {{.length = used,
                    .colour = seriesColour(binds ? 4 : 0, UiTheme::current()),
                    .text = percentText(used) + u'%',
                    .tip = tr("%1: %2 % of a multiprocessor's is taken; there is room for %3 blocks%4")
                               .arg(qtext(name(resource)), percentText(used))
                               .arg(found.roomOf(resource))
                               .arg(binds ? tr(". It binds") : QString())},
                   {.length = 1 - used,
                    .colour = UiTheme::current().control,
                    .text = {},
                    .tip = tr("%1: free").arg(qtext(name(resource)))}}});
  }
  bars_->setBars(std::move(bars), 1);
  QString binding = QString::fromStdString(bindingText(limits, launch.needs));
  binding.front() = binding.front().toUpper();
  sentence_->setText(refused
                         ? binding
                         : tr("%1: occupancy %2 %. %3 registers a thread, %4 bytes of shared memory a block")
                               .arg(binding, percentText(found.share),
                                    countText(static_cast<std::uint64_t>(launch.needs.registers)),
                                    countText(launch.needs.sharedBytes)));
  if (launch.problem.k != session_.settings().k)
    sentence_->setText(
        sentence_->text() +
        tr(". That is the kernel for k = %1: of other k none is known here").arg(launch.problem.k));
  bars_->setAccessibleDescription(sentence_->text());
  for (QWidget* part : std::initializer_list<QWidget*>{blocks_, constraints_, source_})
    part->show();
  showBlocks(launch);
  showConstraints(launch);
}

void PlannerPanel::showBlocks(const PlannedLaunch& launch) {
  const CardLimits limits = card();
  std::vector<QStringList> rows;
  for (const int threads : blockSizes) {
    LaunchNeeds needs = launch.needs;
    needs.threads = threads;
    Candidate candidate = launch.candidate;
    std::optional<std::string> why;
    if (candidate.variant->parameter("block")) {
      candidate.tuning.block = threads;
      const auto known = std::ranges::find(
          plans_.launches, threads, [](const PlannedLaunch& one) { return one.candidate.tuning.block; });
      if (known != plans_.launches.end())
        needs = known->needs;
      else
        why = whyNoKernel(candidate, launch.problem);
    }
    const bool refused = why || whyNoLaunch(limits, needs);
    const Occupancy found = occupancy(limits, needs);
    rows.push_back({countText(static_cast<std::uint64_t>(threads)),
                    refused ? unknownText() : QString::number(found.blocks),
                    refused ? unknownText() : percentText(found.share),
                    QString::fromStdString(why ? *why : bindingText(limits, needs))});
  }
  fill(static_cast<WrappedTable&>(*blocks_), rows);
}

void PlannerPanel::showConstraints(const PlannedLaunch& launch) {
  const bool own = card_->currentData().toInt() == ownCard;
  const int items = launch.candidate.variant->parameter("items") ? launch.candidate.tuning.items : 1;
  std::vector<QStringList> rows;
  for (const PaperConstraint& one :
       paperConstraints(card(), launch.needs, session_.data() ? session_.data()->n : 1, items,
                        own ? session_.device().multiprocessors : 0))
    rows.push_back({one.formula, one.here, one.binds ? tr("binds") : tr("does not bind"), one.remark});
  fill(static_cast<WrappedTable&>(*constraints_), rows);
}

void PlannerPanel::renewColours() {
  if (shown_) showLaunch(*shown_);
}

QString PlannerPanel::sentence() const { return sentence_->text(); }

} // namespace lloyd
