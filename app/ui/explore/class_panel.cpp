// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/class_panel.hpp"

#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace lloyd {
namespace {

/// A bar along the foot of a cell is as long as the part of the cluster that the class has.
class ShareDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const double share = index.data(ConfusionModel::shareRole).toDouble();
    if (!(share > 0)) return;
    constexpr int height = 3;
    QRect bar = option.rect.adjusted(2, 0, -2, 0);
    bar.setTop(bar.bottom() - height + 1);
    bar.setLeft(bar.right() - static_cast<int>(share * (bar.width() - 1)));
    painter->fillRect(bar, UiTheme::current().accent);
  }
};

} // namespace

ClassPanel::ClassPanel(Session& session, QWidget* parent)
    : QWidget(parent), watch_(session), model_(watch_), words_(new ElidedLabel(this)),
      table_(new QTableView(this)) {
  setObjectName(QStringLiteral("classes"));
  words_->setObjectName(QStringLiteral("classSentence"));
  words_->setMostLines(2);
  words_->setToolTip(
      tr("Adjusted Rand index: 1 where clusters and classes say the same, about 0 where they are "
         "independent. Normalised mutual information: what one tells of the other, 0 to 1"));
  table_->setObjectName(QStringLiteral("confusion"));
  table_->setModel(&model_);
  table_->setItemDelegate(new ShareDelegate(table_));
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setAccessibleName(tr("Points by cluster and class"));
  table_->setAccessibleDescription(tr("A row is a cluster, a column a class"));
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setMinimumSectionSize(40);
  table_->verticalHeader()->setHighlightSections(false);
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 7);
  offerCopy(*table_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 2);
  layout->setSpacing(3);
  layout->addWidget(words_);
  layout->addWidget(table_, 1);
  setMinimumWidth(1);
  connect(&watch_, &ClassWatch::changed, this, &ClassPanel::renew);
  connect(&session, &Session::dataChanged, this, [this] { Q_EMIT hasClassChanged(watch_.hasClass()); });
  connect(&model_, &QAbstractItemModel::modelReset, table_, &QTableView::resizeColumnsToContents);
  renew();
}

QString ClassPanel::sentence() const { return words_->text(); }

void ClassPanel::renew() {
  const QString text = classSentence(watch_);
  words_->setText(text.isEmpty() ? tr("How clusters agree with the class appears with the first labels")
                                 : text);
}

void ClassPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  watch_.setWatched(true);
}

void ClassPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  watch_.setWatched(false);
}

} // namespace lloyd
