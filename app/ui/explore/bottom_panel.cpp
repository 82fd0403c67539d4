// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/bottom_panel.hpp"

#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/class_panel.hpp"
#include "app/ui/explore/k_curve_panel.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/plot/plot_kinds.hpp"
#include "app/ui/select/clusters_panel.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {

namespace {

constexpr int compactBelow = 1000; ///< pixels of width

class TimingDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (!index.data(TimingTableModel::sumRole).toBool()) return;
    painter->setPen(UiTheme::current().line);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(TimingTableModel::sumRole).toBool()) option->font.setBold(true);
    if (!index.data(TimingTableModel::currentRole).toBool()) {
      option->palette.setColor(QPalette::Text, UiTheme::current().dim);
    }
  }
};

/// Pages need no height for a width of theirs: texts that wrap would ask for as much as all of a page likes
/// to have, and push its end out of sight.
class Pages : public QTabWidget {
public:
  using QTabWidget::QTabWidget;
  [[nodiscard]] bool hasHeightForWidth() const override { return false; }
};

} // namespace

BottomPanel::BottomPanel(Session& session, DeviceLease& lease, VariantListModel& ladder, QAction* measure,
                         QWidget* parent)
    : QWidget(parent), session_(session), ladder_(ladder), headlineLabel_(new ElidedLabel(this)),
      ladderView_(new VariantListView(ladder, this)),
      convergence_(new ConvergencePlot(this, ConvergencePlot::Extent::inertia)),
      sizes_(new ClusterSizesPlot(this)), table_(new TimingTable(timings_, this)), plots_(new QWidget(this)),
      tabs_(new QTabWidget(this)), splitter_(new QSplitter(Qt::Horizontal, this)),
      kCurve_(new KCurvePanel(session, lease, this)), classes_(new ClassPanel(session, this)),
      clusters_(new ClustersPanel(session, lease, this)), pages_(new Pages(this)) {
  headlineLabel_->setHeadline();
  headlineLabel_->setMostLines(2);
  headlineLabel_->setObjectName(QStringLiteral("headline"));
  headlineLabel_->setToolTip(
      tr("Medians measured live on these data; a race tells whether to believe a difference"));
  auto* measureButton = new QToolButton(this);
  measureButton->setDefaultAction(measure);
  measureButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  measureButton->setFocusPolicy(Qt::TabFocus);
  auto* ladderPane = new QWidget(this);
  unit_ = new ElidedLabel(this);
  unit_->setProperty("dim", true);
  unit_->setAlignment(Qt::AlignRight | Qt::AlignBottom);
  auto* ladderLayout = new QVBoxLayout(ladderPane);
  ladderLayout->setContentsMargins(8, 4, 4, 2);
  ladderLayout->setSpacing(2);
  ladderLayout->addWidget(headlineLabel_);
  auto* below = new QHBoxLayout;
  below->addWidget(measureButton);
  below->addWidget(unit_, 1);
  ladderLayout->addLayout(below);
  ladderLayout->addWidget(ladderView_, 1);
  ladderPane->setMinimumWidth(240);

  auto* plotsLayout = new QVBoxLayout(plots_);
  plotsLayout->setContentsMargins(6, 4, 6, 4);
  plotsLayout->addWidget(convergence_, 3);
  plotsLayout->addWidget(sizes_, 2);
  plots_->setMinimumWidth(convergence_->minimumSizeHint().width() + 12);
  table_->setMinimumWidth(160);
  tabs_->setDocumentMode(true);

  splitter_->setObjectName(QStringLiteral("run"));
  splitter_->setHandleWidth(5);
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(ladderPane);
  splitter_->addWidget(plots_);
  splitter_->addWidget(table_);
  splitter_->addWidget(tabs_);
  tabs_->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  pages_->setDocumentMode(true);
  pages_->setObjectName(QStringLiteral("explorePages"));
  pages_->setAccessibleName(tr("Beneath the points"));
  pages_->setTabToolTip(pages_->addTab(splitter_, tr("Ru&n")),
                        tr("How fast each variant is, how the run converges, and where its time goes"));
  pages_->setTabToolTip(pages_->addTab(clusters_, tr("Cl&usters")),
                        tr("How many points each cluster has, how wide it is, where its centre is, and in "
                           "which columns clusters differ"));
  pages_->setTabToolTip(pages_->addTab(kCurve_, tr("Choose &k")),
                        tr("Into how many clusters: runs in several numbers of them, and what each scores"));
  const int classes = pages_->addTab(classes_, tr("Cl&asses"));
  pages_->setTabToolTip(classes, tr("How clusters agree with the class that a column has"));
  pages_->setTabVisible(classes, classes_->watch().hasClass());
  // Other pages may come before it.
  connect(classes_, &ClassPanel::hasClassChanged, this, [this](bool has) {
    pages_->setTabVisible(pages_->indexOf(classes_), has);
    showWaitingPage();
  });
  connect(pages_, &QTabWidget::tabBarClicked, this, [this] { waiting_.clear(); });
  layout->addWidget(pages_);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  arrange(false);
}

void BottomPanel::arrange(bool compact) {
  compact_ = compact;
  if (compact) {
    tabs_->addTab(table_, tr("Times"));
    tabs_->addTab(plots_, tr("Convergence and sizes"));
    tabs_->show();
    splitter_->setSizes({width() * 2 / 5, width() * 3 / 5});
  } else {
    splitter_->insertWidget(1, plots_);
    splitter_->insertWidget(2, table_);
    plots_->show();
    table_->show();
    tabs_->hide();
    tableHint_ = table_->sizeHint().width();
    const int table = std::min(tableHint_, width() * 58 / 100);
    const int plots = std::max(plots_->minimumWidth(), width() / 7);
    splitter_->setSizes({std::max(240, width() - table - plots), plots, table, 0});
  }
  tabInReadingOrder(*this);
}

QString BottomPanel::page() const {
  return waiting_.isEmpty() ? pages_->currentWidget()->objectName() : waiting_;
}

void BottomPanel::showPage(const QString& name) {
  waiting_ = name;
  showWaitingPage();
}

void BottomPanel::showWaitingPage() {
  for (int i = 0; !waiting_.isEmpty() && i < pages_->count(); ++i) {
    if (pages_->widget(i)->objectName() != waiting_ || !pages_->isTabVisible(i)) continue;
    pages_->setCurrentIndex(i);
    waiting_.clear();
  }
}

void BottomPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) arrange(event->size().width() < compactBelow);
}

void BottomPanel::refresh(const std::vector<Rgb>& colours) {
  const bool simulated = session_.simulated();
  const TimingSnapshotPtr taken = session_.timings().snapshot();
  timings_.refresh(taken, simulated);
  ladder_.refresh(taken, session_.plan());
  table_->fitColumns();
  // Longer names make a wider table; what a person has dragged since stays as long as nothing grows.
  if (!compact_ && table_->sizeHint().width() > tableHint_) arrange(false);
  headline_ = headline(ladder_.rows(), simulated);
  unit_->setText(simulated ? tr("simulated µs") : tr("median µs"));
  unit_->setToolTip(
      simulated
          ? tr("Bars and numbers are medians of what the SIMT simulator took; they say nothing about a GPU")
          : tr("Bars and numbers are live medians in microseconds; all bars share one axis from 0"));
  headlineLabel_->setText(headline_.isEmpty() ? tr("No times yet: the first two iterations are not counted")
                                              : headline_);
  clusters_->setColours(colours);
  convergence_->show(session_.history());
  const IterationPtr last = session_.last();
  sizes_->show(last ? last->sizes : std::vector<std::uint32_t>{}, colours);
}

TimingTable::TimingTable(TimingTableModel& model, QWidget* parent) : QTableView(parent), model_(model) {
  setModel(&model);
  setItemDelegate(new TimingDelegate(this));
  setShowGrid(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setAccessibleName(tr("Times by stage"));
  offerCopy(*this);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 3);
  verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 2);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(20);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  // Room for the numbers that are usual, so that the table has its width before the first of them.
  for (int column = 0; column < model.columnCount(); ++column) {
    const bool isText = column == TimingTableModel::stageColumn || column == TimingTableModel::variantColumn;
    const bool percent = column == TimingTableModel::noiseColumn || column == TimingTableModel::shareColumn ||
                         column == TimingTableModel::recheckedColumn;
    const QString usual = isText    ? QStringLiteral("classify.v1")
                          : percent ? QStringLiteral("88.88")
                                    : QStringLiteral("888,888");
    setColumnWidth(column, std::max(fontMetrics().horizontalAdvance(usual) + 10,
                                    horizontalHeader()->sectionSizeHint(column)));
  }
  connect(&model, &QAbstractItemModel::modelReset, this, &TimingTable::fitColumns);
  fitColumns();
}

void TimingTable::fitColumns() {
  setColumnHidden(TimingTableModel::recheckedColumn, !model_.anyRechecked());
  for (int column = 0; column < model()->columnCount(); ++column) {
    const int wanted = std::max(sizeHintForColumn(column) + 2, horizontalHeader()->sectionSizeHint(column));
    if (wanted > columnWidth(column)) setColumnWidth(column, wanted);
  }
}

QSize TimingTable::sizeHint() const {
  return {horizontalHeader()->length() + verticalScrollBar()->sizeHint().width() + 6, 200};
}

} // namespace lloyd
