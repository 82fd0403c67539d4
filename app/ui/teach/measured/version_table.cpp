// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/measured/version_table.hpp"

#include "app/ui/common/copy_table.hpp"

#include <QHeaderView>
#include <QPixmap>
#include <QStyledItemDelegate>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr int swatch = 11;
constexpr int leastName = 8; ///< characters of the first column, in the narrowest pane

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

int fitVersionTable(QTableView& table, int room, int rowSpace) {
  constexpr int frame = 2; ///< pixels, both sides together
  const QAbstractItemModel& model = *table.model();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + rowSpace);
  std::vector<int> widths(static_cast<std::size_t>(model.columnCount()), 0);
  for (int column = 0; column < model.columnCount(); ++column) {
    if (table.isColumnHidden(column)) continue;
    int& wanted = widths[static_cast<std::size_t>(column)];
    wanted = table.horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < model.rowCount(); ++row)
      if (!table.isRowHidden(row))
        wanted = std::max(wanted, table.sizeHintForIndex(model.index(row, column)).width());
  }
  const int wanted = std::accumulate(widths.begin(), widths.end(), frame);
  const int least = std::min(widths[0], leastName * table.fontMetrics().averageCharWidth());
  widths[0] = std::max(least, widths[0] - std::max(0, wanted - room));
  for (int column = 0; column < model.columnCount(); ++column)
    if (!table.isColumnHidden(column)) table.setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
  int height = table.horizontalHeader()->sizeHint().height() + frame;
  for (int row = 0; row < model.rowCount(); ++row)
    height += table.isRowHidden(row) ? 0 : table.rowHeight(row);
  table.setFixedSize(std::accumulate(widths.begin(), widths.end(), frame), height);
  return wanted;
}

} // namespace lloyd
