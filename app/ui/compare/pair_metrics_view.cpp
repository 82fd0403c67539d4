// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_metrics_view.hpp"

#include "app/text/strings.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/box_plot_strip.hpp"

#include <QBoxLayout>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>

namespace lloyd {

namespace {

constexpr int wideFrom = 560;
constexpr int stripFrom = 700; ///< below, the table needs all of the width
constexpr int widestTable = 640;

/// Headings stand out by weight and colour of the surface's own text.
class PairDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(PairMetricsModel::headingRole).toBool()) {
      option->font.setBold(true);
      option->palette.setColor(QPalette::Text, UiTheme::current().dim);
    }
  }
};

} // namespace

PairMetricsView::PairMetricsView(QWidget* parent)
    : QWidget(parent), strip_(new BoxPlotStrip(this)), table_(new QTableView(this)),
      layout_(new QBoxLayout(QBoxLayout::TopToBottom, this)) {
  setObjectName(QStringLiteral("pairFigures"));
  table_->setObjectName(QStringLiteral("pairTable"));
  table_->setAccessibleName(tr("Figures of A and B"));
  table_->setModel(&model_);
  offerCopy(*table_);
  table_->setItemDelegate(new PairDelegate(table_));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setMinimumSectionSize(1);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(PairMetricsModel::nameColumn, QHeaderView::Stretch);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  layout_->addWidget(table_, 3);
  layout_->addWidget(strip_, 2);
  connect(&model_, &QAbstractItemModel::modelReset, this, &PairMetricsView::spanHeadings);
}

/// Beside each other where there is room: numbers that belong together must not stand far apart.
void PairMetricsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool wide = width() >= wideFrom;
  strip_->setVisible(!wide || width() >= stripFrom);
  layout_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::BottomToTop);
  table_->setMaximumWidth(wide ? widestTable : QWIDGETSIZE_MAX);
}

void PairMetricsView::spanHeadings() {
  table_->clearSpans();
  for (int row = 0; row < model_.rowCount(); ++row)
    if (model_.index(row, 0).data(PairMetricsModel::headingRole).toBool())
      table_->setSpan(row, 0, 1, PairMetricsModel::columnCount_);
}

void PairMetricsView::showSpread(const PairMetrics& figures) {
  // Raced samples say more than live ones, of a stage in which the sides differ.
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused}) {
    if (figures.a.plan.of(stage) == figures.b.plan.of(stage)) continue;
    const Measurement* a = figures.raced(figures.a, stage);
    const Measurement* b = figures.raced(figures.b, stage);
    if (!a || !b || a->us.empty() || b->us.empty()) continue;
    strip_->show(tr("%1, raced, µs").arg(qtext(name(stage))), a->us, b->us);
    return;
  }
  const auto live = [](const PairMetrics::Side& side) {
    return side.timings ? side.timings->iteration().samples() : std::vector<double>();
  };
  const bool simulated = figures.a.simulated || figures.b.simulated;
  strip_->show(simulated ? tr("Iteration, live, µs; a simulator's time is no GPU's")
                         : tr("Iteration, live, µs"),
               live(figures.a), live(figures.b));
}

void PairMetricsView::show(const PairMetrics& figures) {
  model_.show(figures);
  showSpread(figures);
}

} // namespace lloyd
