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
constexpr int frame = 2;     ///< pixels, both sides together
constexpr int leastName = 8; ///< characters of the first column, in the narrowest pane

QSize nameSize(const QTableView& table, const QModelIndex& name, int width) {
  QStyleOptionViewItem option;
  option.initFrom(&table);
  option.widget = &table;
  option.font = table.font();
  option.fontMetrics = table.fontMetrics();
  option.rect = QRect(0, 0, width, 1); // an empty one would let a text be as wide as it likes
  option.features |= QStyleOptionViewItem::WrapText;
  return table.itemDelegateForIndex(name)->sizeHint(option, name);
}

/// As wide as their texts; 0 of a hidden one.
std::vector<int> columnWidths(const QTableView& table) {
  const QAbstractItemModel& model = *table.model();
  std::vector<int> widths(static_cast<std::size_t>(model.columnCount()), 0);
  for (int column = 0; column < model.columnCount(); ++column) {
    if (table.isColumnHidden(column)) continue;
    int& wanted = widths[static_cast<std::size_t>(column)];
    wanted = table.horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < model.rowCount(); ++row)
      if (!table.isRowHidden(row))
        wanted = std::max(wanted, table.sizeHintForIndex(model.index(row, column)).width());
  }
  return widths;
}

/// The width below which a word of the names would be cut.
int wordsWidth(const QTableView& table, int wanted) {
  const QAbstractItemModel& model = *table.model();
  const QFontMetrics metrics = table.fontMetrics();
  int least = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    if (table.isRowHidden(row)) continue;
    const QString name = model.index(row, 0).data().toString();
    int word = 0;
    for (const QString& one : name.split(QLatin1Char(' ')))
      word = std::max(word, metrics.horizontalAdvance(one));
    const QSize whole = nameSize(table, model.index(row, 0), QWIDGETSIZE_MAX);
    least = std::max(least, whole.width() - metrics.horizontalAdvance(name) + word + 1);
  }
  return std::min(wanted, least);
}

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

int versionTableWidth(const QTableView& table) {
  const std::vector<int> widths = columnWidths(table);
  return std::accumulate(widths.begin(), widths.end(), frame);
}

int fitVersionTable(QTableView& table, int room, int rowSpace) {
  const QAbstractItemModel& model = *table.model();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + rowSpace);
  std::vector<int> widths = columnWidths(table);
  const int wanted = std::accumulate(widths.begin(), widths.end(), frame);
  const int least = std::min(
      widths[0], std::max(leastName * table.fontMetrics().averageCharWidth(), wordsWidth(table, widths[0])));
  const bool wraps = wanted > room;
  widths[0] = std::max(least, widths[0] - std::max(0, wanted - room));
  table.setWordWrap(wraps);
  for (int column = 0; column < model.columnCount(); ++column)
    if (!table.isColumnHidden(column)) table.setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
  int height = table.horizontalHeader()->sizeHint().height() + frame;
  for (int row = 0; row < model.rowCount(); ++row) {
    if (table.isRowHidden(row)) continue;
    const int usual = table.fontMetrics().height() + rowSpace;
    const int wrapped = wraps ? nameSize(table, model.index(row, 0), widths[0]).height() + rowSpace / 2 : 0;
    table.setRowHeight(row, std::max(usual, wrapped));
    height += table.rowHeight(row);
  }
  table.setFixedSize(std::accumulate(widths.begin(), widths.end(), frame), height);
  return wanted;
}

} // namespace lloyd
