// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/pair_beside.hpp"

#include <QLabel>
#include <QStackedLayout>

namespace lloyd {

PairBeside::PairBeside(QWidget* parent)
    : QWidget(parent), stack_(new QStackedLayout(this)), words_(new QLabel(this)) {
  setObjectName(QStringLiteral("pairBeside"));
  setMinimumSize(1, 1);
  words_->setObjectName(QStringLiteral("pairWords"));
  words_->setWordWrap(true);
  words_->setAlignment(Qt::AlignCenter);
  words_->setMargin(24);
  words_->setAccessibleName(tr("Why side B is not drawn"));
  stack_->addWidget(words_);
  hide();
}

void PairBeside::setView(QWidget* view) {
  view_ = view;
  stack_->addWidget(view);
}

void PairBeside::showText(const QString& words) {
  words_->setText(words);
  QWidget* shown = words.isEmpty() && view_ ? view_.data() : words_;
  if (stack_->currentWidget() != shown) stack_->setCurrentWidget(shown);
}

} // namespace lloyd
