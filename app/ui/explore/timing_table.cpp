// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/timing_table.hpp"

#include "app/model/session/timing_table_model.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/theme.hpp"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lloyd {

namespace {

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

} // namespace

TimingTable::TimingTable(TimingTableModel& model, QWidget* parent) : QTableView(parent) {
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
    const bool words = column == TimingTableModel::stageColumn || column == TimingTableModel::variantColumn;
    const bool percent = column == TimingTableModel::noiseColumn || column == TimingTableModel::shareColumn;
    const QString usual = words     ? QStringLiteral("classify.v1")
                          : percent ? QStringLiteral("88.88")
                                    : QStringLiteral("888,888");
    setColumnWidth(column, std::max(fontMetrics().horizontalAdvance(usual) + 10,
                                    horizontalHeader()->sectionSizeHint(column)));
  }
  connect(&model, &QAbstractItemModel::modelReset, this, &TimingTable::fitColumns);
}

void TimingTable::fitColumns() {
  for (int column = 0; column < model()->columnCount(); ++column) {
    const int wanted = std::max(sizeHintForColumn(column) + 2, horizontalHeader()->sectionSizeHint(column));
    if (wanted > columnWidth(column)) setColumnWidth(column, wanted);
  }
}

QSize TimingTable::sizeHint() const {
  return {horizontalHeader()->length() + verticalScrollBar()->sizeHint().width() + 6, 200};
}

} // namespace lloyd
