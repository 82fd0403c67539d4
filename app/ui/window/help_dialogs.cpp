// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/help_dialogs.hpp"

#include "app/text/provenance.hpp"
#include "app/ui/common/actions.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace lloyd {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("About", text); }

} // namespace

ShortcutsDialog::ShortcutsDialog(const Actions& actions, QWidget* parent)
    : QDialog(parent), search_(new QLineEdit(this)), list_(new QTreeWidget(this)) {
  setWindowTitle(tr("Keys and gestures"));
  search_->setPlaceholderText(tr("Search, for example: zoom"));
  search_->setAccessibleName(tr("Search keys and gestures"));
  search_->setClearButtonEnabled(true);
  list_->setAccessibleName(tr("Keys and gestures"));
  list_->setColumnCount(3);
  list_->setHeaderLabels({tr("What"), tr("Key"), tr("Mouse")});
  list_->setRootIsDecorated(false);
  list_->setItemsExpandable(false);

  std::map<QString, QTreeWidgetItem*> groups;
  for (const QAction* action : actions.all()) {
    QTreeWidgetItem*& group = groups[Actions::group(*action)];
    if (!group) {
      group = new QTreeWidgetItem(list_, {Actions::group(*action)});
      QFont bold = font();
      bold.setBold(true);
      group->setFont(0, bold);
      group->setFlags(Qt::ItemIsEnabled);
      group->setExpanded(true);
    }
    auto* item =
        new QTreeWidgetItem(group, {Actions::name(*action),
                                    QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                                    Actions::gesture(*action)});
    if (!action->isEnabled()) {
      item->setDisabled(true);
      item->setToolTip(0, action->toolTip());
    }
  }
  list_->header()->setStretchLastSection(true);
  list_->resizeColumnToContents(0);
  list_->resizeColumnToContents(1);

  auto* close = new QDialogButtonBox(QDialogButtonBox::Close, this);
  close->button(QDialogButtonBox::Close)->setIcon({});
  connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(search_);
  layout->addWidget(list_);
  layout->addWidget(close);
  // As wide as its three columns, so that none is cut.
  list_->resizeColumnToContents(2);
  int width = list_->verticalScrollBar()->sizeHint().width() + 60;
  for (int column = 0; column < list_->columnCount(); ++column)
    width += list_->columnWidth(column);
  resize(std::min(width, parent ? parent->screen()->availableSize().width() - 40 : width), 560);
}

void ShortcutsDialog::filter(const QString& words) {
  for (int g = 0; g < list_->topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = list_->topLevelItem(g);
    bool any = false;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* item = group->child(i);
      bool match = false;
      for (int column = 0; column < 3; ++column)
        match |= item->text(column).contains(words, Qt::CaseInsensitive);
      item->setHidden(!match);
      any |= match;
    }
    group->setHidden(!any);
  }
}

void showAbout(QWidget* window, const QString& device) {
  QMessageBox about(window);
  about.setWindowTitle(translated("About Lloydscope"));
  about.setTextFormat(Qt::PlainText);
  about.setText(translated("Lloydscope %1").arg(buildInfo().version));
  about.setInformativeText(
      translated("Points, clustered before your eyes: k-means on CUDA, with every kernel variant timed.\n\n"
                 "Computes on: %1\nBuilt as: %2\nQt %3\n\nGPL-3.0-or-later; comes without any warranty.")
          .arg(device.isEmpty() ? translated("no device yet") : device, programText(),
               QString::fromLatin1(qVersion())));
  about.exec();
}

} // namespace lloyd
