// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/workshop/bug_dialog.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lloyd {
namespace {

bool isSchedule(const BrokenKernel& kernel) { return kernel.room == QLatin1String("schedule"); }

} // namespace

BugDialog::BugDialog(QWidget* parent)
    : QDialog(parent), kernels_(brokenKernels()), list_(new QTreeWidget(this)) {
  setWindowTitle(tr("Find the bug"));
  std::stable_partition(kernels_.begin(), kernels_.end(),
                        [](const BrokenKernel& kernel) { return !isSchedule(kernel); });
  auto* head = new QLabel(tr("A &kernel or a schedule of the program, with one bug in it:"), this);
  head->setBuddy(list_);
  list_->setAccessibleName(tr("What goes wrong"));
  list_->setHeaderLabels({tr("What goes wrong"), tr("It is")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  for (const BrokenKernel& kernel : kernels_)
    new QTreeWidgetItem(list_, {kernel.title, isSchedule(kernel) ? tr("a schedule of sets")
                                                                 : tr("a kernel: %1").arg(kernel.room)});
  list_->setCurrentItem(list_->topLevelItem(0));
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, &QDialog::accept);
  auto* column = new QVBoxLayout(this);
  column->addWidget(head);
  column->addWidget(list_, 1);
  column->addWidget(buttons);
  list_->setFocus();
  // All rows are seen where the screen has the room.
  const int rows = list_->header()->sizeHint().height() +
                   list_->sizeHintForRow(0) * (static_cast<int>(kernels_.size()) + 1);
  for (const int at : {0, 1})
    list_->resizeColumnToContents(at);
  resize(list_->columnWidth(0) + list_->columnWidth(1) + 8 * fontMetrics().averageCharWidth(),
         sizeHint().height() - list_->sizeHint().height() + rows);
}

int BugDialog::number() const { return std::max(0, list_->indexOfTopLevelItem(list_->currentItem())) + 1; }

const BrokenKernel& BugDialog::chosen() const { return kernels_[static_cast<std::size_t>(number() - 1)]; }

} // namespace lloyd
