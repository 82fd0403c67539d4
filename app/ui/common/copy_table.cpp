// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/copy_table.hpp"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QStringList>
#include <QTableView>

namespace lloyd {

QString tableText(const QAbstractItemModel& model) {
  QStringList lines;
  for (int row = -1; row < model.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column) {
      const QVariant cell =
          row < 0 ? model.headerData(column, Qt::Horizontal) : model.index(row, column).data();
      cells << cell.toString().simplified(); // a heading may have two lines
    }
    lines << cells.join(QLatin1Char('\t'));
  }
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void offerCopy(QTableView& table) {
  auto* copy = new QAction(QCoreApplication::translate("CopyTable", "Copy the table"), &table);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, &table,
                   [&table] { QGuiApplication::clipboard()->setText(tableText(*table.model())); });
  table.addAction(copy);
  table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace lloyd
