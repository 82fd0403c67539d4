// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/select/clusters_panel.hpp"

#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/select/profile_plot.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr int plotFrom = 720; ///< pixels of width below which the table has all of them

/// The cluster's number on its colour, and the row that stands out in the colour of what is chosen.
class ClusterDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QVariant colour = index.data(ClusterTableModel::colourRole);
    if (!colour.isValid()) return QStyledItemDelegate::paint(painter, option, index);
    QStyledItemDelegate::paint(painter, option, index); // the ground, and the frame of the keys
    const int edge = option.rect.height() - 6;
    const QRect box(option.rect.left() + 4, option.rect.top() + 3, edge, edge);
    painter->fillRect(box, QColor::fromRgb(colour.toUInt()));
  }

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.data(ClusterTableModel::focusRole).toBool()) return;
    option->font.setBold(true);
    option->palette.setColor(QPalette::Text, UiTheme::current().accent);
  }
};

} // namespace

ClusterTable::ClusterTable(ClusterTableModel& model, QWidget* parent) : QTableView(parent) {
  sorted_.setSourceModel(&model);
  sorted_.setSortRole(ClusterTableModel::sortRole);
  setModel(&sorted_);
  setItemDelegate(new ClusterDelegate(this));
  setObjectName(QStringLiteral("clusterTable"));
  setAccessibleName(tr("Clusters"));
  setAccessibleDescription(tr("Enter has a cluster stand out, Shift+Enter shows it alone, Ctrl+Enter selects "
                              "its points, F2 names it, Escape shows all"));
  setShowGrid(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::EditKeyPressed);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setMinimumWidth(1);
  offerCopy(*this);
  auto* select = new QAction(tr("Select its points"), this);
  select->setShortcut(Qt::CTRL | Qt::Key_Return);
  select->setShortcutContext(Qt::WidgetShortcut);
  addAction(select);
  connect(select, &QAction::triggered, this, [this] {
    if (const int cluster = clusterAt(currentIndex()); cluster >= 0) Q_EMIT selectWanted(cluster);
  });
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(20);
  setSortingEnabled(true);
  sortByColumn(ClusterTableModel::clusterColumn, Qt::AscendingOrder);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (std::exchange(doubled_, false)) return; // the second click of two
    if (const int cluster = clusterAt(index); cluster >= 0) Q_EMIT picked(cluster, false);
  });
  const auto fit = [this] { resizeColumnsToContents(); };
  connect(&model, &QAbstractItemModel::modelReset, this, fit);
  connect(&model, &QAbstractItemModel::dataChanged, this, [this] {
    for (int column = 0; column < this->model()->columnCount(); ++column)
      if (const int wanted = sizeHintForColumn(column) + 2; wanted > columnWidth(column))
        setColumnWidth(column, wanted);
  });
}

int ClusterTable::clusterAt(const QModelIndex& index) const {
  return index.isValid() ? sorted_.mapToSource(index).row() : -1;
}

void ClusterTable::setCurrentCluster(int cluster) {
  const QModelIndex now = currentIndex();
  if (clusterAt(now) == cluster || state() == EditingState) return;
  const QModelIndex row = sorted_.sourceModel()->index(cluster, std::max(0, now.column()));
  if (row.isValid()) setCurrentIndex(sorted_.mapFromSource(row));
}

void ClusterTable::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->key() == Qt::Key_Escape && state() != EditingState) return Q_EMIT givenBack();
  if (!enter || state() == EditingState) {
    const int before = clusterAt(currentIndex());
    QTableView::keyPressEvent(event);
    if (const int now = clusterAt(currentIndex()); now >= 0 && now != before) Q_EMIT moved(now);
    return;
  }
  if (const int cluster = clusterAt(currentIndex()); cluster >= 0)
    Q_EMIT picked(cluster, event->modifiers().testFlag(Qt::ShiftModifier));
}

void ClusterTable::mousePressEvent(QMouseEvent* event) {
  doubled_ = false;
  QTableView::mousePressEvent(event);
}

void ClusterTable::mouseDoubleClickEvent(QMouseEvent* event) {
  doubled_ = true;
  const QModelIndex at = indexAt(event->position().toPoint());
  if (event->button() != Qt::LeftButton || !at.isValid()) return;
  if (at.column() == ClusterTableModel::nameColumn) return edit(at);
  Q_EMIT picked(clusterAt(at), true);
}

ClustersPanel::ClustersPanel(Session& session, DeviceLease& lease, QWidget* parent)
    : QWidget(parent), session_(session), watch_(session, lease), words_(new ElidedLabel(this)),
      table_(new ClusterTable(model_, this)), profile_(new ProfilePlot(watch_, this)) {
  setObjectName(QStringLiteral("clusters"));
  words_->setObjectName(QStringLiteral("clustersSentence"));
  auto* below = new QHBoxLayout;
  below->addWidget(table_, 3);
  below->addWidget(profile_, 2);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 2);
  layout->setSpacing(3);
  layout->addWidget(words_);
  layout->addLayout(below, 1);
  setMinimumWidth(1);
  connect(table_, &ClusterTable::picked, this, &ClustersPanel::pick);
  // What stands out goes along: there is one row that everything is about.
  connect(table_, &ClusterTable::moved, this, [this](int cluster) {
    if (focus_ && focus_->cluster != cluster) Q_EMIT focusWanted(ClusterFocus{cluster, focus_->alone});
  });
  connect(table_, &ClusterTable::selectWanted, this, &ClustersPanel::selectWanted);
  connect(table_, &ClusterTable::givenBack, this, [this] { Q_EMIT focusWanted(std::nullopt); });
  connect(&watch_, &ClusterWatch::changed, this, &ClustersPanel::show);
  connect(&watch_, &ClusterWatch::named, this, &ClustersPanel::show);
  show();
}

QString ClustersPanel::sentence() const { return words_->text(); }

void ClustersPanel::pick(int cluster, bool alone) {
  // The second double click gives all back. Its first click has had the cluster stand out meanwhile, and a
  // click on the one that is alone must not end that before the second click comes.
  const bool same = focus_ && focus_->cluster == cluster;
  if (alone && same && focus_->alone) return Q_EMIT focusWanted(std::nullopt);
  if (!alone && same && focus_->alone) return;
  Q_EMIT focusWanted(ClusterFocus{cluster, alone});
}

void ClustersPanel::setColours(const std::vector<Rgb>& colours) {
  std::vector<PlotRgb> now;
  now.reserve(colours.size());
  for (const Rgb colour : colours)
    now.push_back(toQColor(colour).rgb() & 0xffffff);
  if (now == colours_) return;
  colours_ = std::move(now);
  model_.setColours(colours_);
  show();
}

void ClustersPanel::showFocus(std::optional<ClusterFocus> focus) {
  focus_ = focus;
  model_.setFocus(focus ? focus->cluster : -1);
  show();
}

void ClustersPanel::setPointed(bool pointed) {
  pointed_ = pointed;
  look();
}

void ClustersPanel::show() {
  QString text = tr("A click on a row has its points stand out, a double click shows them alone, and a "
                    "double click on a name changes it");
  if (focus_)
    text = (focus_->alone ? tr("%1 is shown alone; Esc, or another double click, shows all")
                          : tr("%1 stands out; Esc shows all alike"))
               .arg(watch_.title(static_cast<std::size_t>(focus_->cluster)));
  text[0] = text[0].toUpper();
  words_->setText(text);
  if (focus_) table_->setCurrentCluster(focus_->cluster);
  if (isVisible()) profile_->show(colours_, focus_ ? focus_->cluster : -1);
}

void ClustersPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  look();
  show();
}

void ClustersPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  look();
}

void ClustersPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  profile_->setVisible(width() >= plotFrom);
}

} // namespace lloyd
