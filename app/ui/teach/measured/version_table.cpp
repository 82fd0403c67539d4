// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/version_table.hpp"

#include "app/ui/common/copy_table.hpp"

#include <QHeaderView>
#include <QPixmap>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr int swatch = 11;

/// The row's colour before its name.
class LegendDelegate : public QStyledItemDelegate {
public:
  LegendDelegate(RowColour colour, QObject* parent)
      : QStyledItemDelegate(parent), colour_(std::move(colour)) {}

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != 0) return;
    QPixmap square(swatch, swatch);
    square.fill(colour_(index).value_or(Qt::transparent));
    option->icon = QIcon(square);
    option->decorationSize = {swatch, swatch};
    option->features |= QStyleOptionViewItem::HasDecoration;
  }

private:
  RowColour colour_;
};

} // namespace

void makeVersionTable(QTableView& table, QAbstractItemModel& model, RowColour colour) {
  table.setModel(&model);
  if (colour) table.setItemDelegate(new LegendDelegate(std::move(colour), &table));
  table.setShowGrid(false);
  table.setWordWrap(false);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setTabKeyNavigation(false);
  table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table.setAlternatingRowColors(true);
  table.verticalHeader()->hide();
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setMinimumSectionSize(20);
  table.horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  offerCopy(table);
}

int fitVersionTable(QTableView& table) {
  const QAbstractItemModel& model = *table.model();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 5);
  const bool legend = dynamic_cast<const LegendDelegate*>(table.itemDelegate());
  int width = 0;
  for (int column = 0; column < model.columnCount(); ++column) {
    if (table.isColumnHidden(column)) continue;
    int wanted = table.horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < model.rowCount(); ++row)
      wanted = std::max(
          wanted, table.fontMetrics().horizontalAdvance(model.index(row, column).data().toString()) + 10);
    if (column == 0 && legend) wanted += swatch + 8;
    table.setColumnWidth(column, wanted);
    width += wanted;
  }
  int height = table.horizontalHeader()->sizeHint().height() + 2;
  for (int row = 0; row < model.rowCount(); ++row)
    height += table.rowHeight(row);
  table.setFixedSize(width + 2, height);
  return width + 2;
}

} // namespace lloyd
