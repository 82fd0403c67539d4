// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/columns/first_rows_dialog.hpp"

#include "app/model/table/column_table_model.hpp"
#include "app/text/numbers.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {

FirstRowsDialog::FirstRowsDialog(const SharedPointSet& points, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("First rows"));
  auto* layout = new QVBoxLayout(this);
  auto* model = new FirstRowsModel(points, this);
  auto* note =
      new QLabel(tr("%1 of %2; numbered as in the data, dropped rows left out")
                     .arg(countText(static_cast<std::uint64_t>(model->rowCount())), pointsText(points->n)),
                 this);
  note->setWordWrap(true);
  layout->addWidget(note);
  auto* table = new QTableView(this);
  table->setModel(model);
  table->setAccessibleName(tr("First rows of the data"));
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setTabKeyNavigation(false);
  table->setWordWrap(false);
  table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  table->horizontalHeader()->setMaximumSectionSize(40 * fontMetrics().averageCharWidth());
  table->resizeColumnsToContents();
  layout->addWidget(table, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  resize(std::min(900, 60 + table->horizontalHeader()->length() + table->verticalHeader()->width()), 460);
}

} // namespace lloyd
