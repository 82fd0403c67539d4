// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/variant_chooser.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace lloyd {

VariantChooser::VariantChooser(QAction* previous, QAction* next, QWidget* parent)
    : QWidget(parent), stages_(new QComboBox(this)), variants_(new QComboBox(this)),
      previous_(arrowButton(previous, Qt::LeftArrow, this)), next_(arrowButton(next, Qt::RightArrow, this)),
      title_(new QLabel(this)), idea_(new QLabel(this)), figures_(new ElidedLabel(this)),
      use_(new QLabel(this)), useSimulator_(new QPushButton(tr("Switch to the SIMT simulator"), this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  stages_->setObjectName(QStringLiteral("teachStage"));
  stages_->setAccessibleName(tr("Stage"));
  stages_->setToolTip(tr("The stage of an iteration whose kernels are shown"));
  for (const Stage stage : taughtStages())
    stages_->addItem(qtext(name(stage)), static_cast<int>(stage));
  previous_->setObjectName(QStringLiteral("previousVariant"));
  next_->setObjectName(QStringLiteral("nextVariant"));
  for (QToolButton* button : {previous_, next_})
    button->setProperty("ownTip", button->toolTip());
  variants_->setObjectName(QStringLiteral("teachVariant"));
  variants_->setAccessibleName(tr("Variant"));
  variants_->setToolTip(tr("Which way of writing the stage is shown (Page Up and Page Down)"));
  variants_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (QComboBox* box : {stages_, variants_})
    box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  title_->setSizePolicy(QSizePolicy::MinimumExpanding, QSizePolicy::Preferred);
  title_->setObjectName(QStringLiteral("teachTitle"));
  title_->setAccessibleName(tr("Name of the variant"));
  idea_->setWordWrap(true);
  idea_->setAccessibleName(tr("Idea of the variant"));
  figures_->setObjectName(QStringLiteral("figures"));
  figures_->setAccessibleName(tr("Times of the paper and of this machine"));
  figures_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  figures_->setProperty("dim", true);
  figures_->setMostLines(2);
  use_->setObjectName(QStringLiteral("teachUse"));
  use_->setAccessibleName(tr("What iterates the points"));
  use_->setWordWrap(true);
  use_->setProperty("dim", true);
  useSimulator_->setToolTip(
      tr("Iterate with the kernel's own source, thread by thread on this machine: results and "
         "counters are exact, times are the simulator's"));
  useSimulator_->hide();

  top_ = new QHBoxLayout;
  top_->setSpacing(6);
  top_->addWidget(stages_);
  top_->addWidget(previous_);
  top_->addWidget(variants_);
  top_->addWidget(next_);
  top_->addSpacing(6);
  titleAt_ = top_->count();
  top_->addWidget(title_);
  top_->addWidget(figures_, 1);
  top_->addStretch(0);
  auto* below = below_ = new QHBoxLayout;
  below->addWidget(use_, 1);
  below->addWidget(useSimulator_);
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(10, 8, 10, 6);
  column_->setSpacing(4);
  column_->addLayout(top_);
  column_->addWidget(idea_);
  column_->addLayout(below);
  placeParts();
  connect(stages_, &QComboBox::activated, this, &VariantChooser::stageChosen);
  connect(variants_, &QComboBox::activated, this, &VariantChooser::variantChosen);
  connect(useSimulator_, &QPushButton::clicked, this, &VariantChooser::simulatorRequested);
}

void VariantChooser::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeParts();
}

/// The title beside the choosers and the figures beside the title where they fit, else in lines of their own;
/// so is the button that belongs to the sentence.
void VariantChooser::placeParts() {
  const int choosers =
      stages_->sizeHint().width() + variants_->sizeHint().width() + 6 * fontMetrics().height();
  const bool titleBelow = width() < choosers + title_->sizeHint().width();
  if (titleBelow != (column_->indexOf(title_) >= 0)) {
    (titleBelow ? static_cast<QLayout*>(top_) : column_)->removeWidget(title_);
    titleBelow ? column_->insertWidget(1, title_) : top_->insertWidget(titleAt_, title_);
  }
  const bool sentenceBelow = width() < 3 * useSimulator_->sizeHint().width();
  below_->setDirection(sentenceBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  const int free = width() - stages_->width() - variants_->width() - title_->sizeHint().width() -
                   6 * fontMetrics().height();
  const bool below = free < fontMetrics().horizontalAdvance(figures_->text());
  if (below == (column_->indexOf(figures_) >= 0)) return;
  if (below) {
    top_->removeWidget(figures_);
    column_->insertWidget(titleBelow ? 2 : 1, figures_);
    figures_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  } else {
    column_->removeWidget(figures_);
    top_->insertWidget(top_->count() - 1, figures_, 1);
    figures_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
}

void VariantChooser::fillVariants(Stage stage) {
  variants_->clear();
  const std::vector<const Variant*> variants = taughtVariants(stage);
  for (const Variant* variant : variants) {
    // A number says which of the first's family is meant, and nothing of another's.
    const bool first = variant->info.family == variants.front()->info.family;
    variants_->addItem(first ? versionText(*variant) : QString::fromStdString(variant->id()),
                       QVariant::fromValue(static_cast<const void*>(variant)));
  }
  renewReasons();
}

void VariantChooser::renewReasons() {
  const auto stage = static_cast<Stage>(stages_->currentData().toInt());
  for (int at = 0; at < variants_->count(); ++at) {
    const auto* variant = static_cast<const Variant*>(variants_->itemData(at).value<const void*>());
    const QString why = whyNot_ ? whyNot_(stage, *variant) : QString();
    const QString name = qtext(variant->info.name);
    const QString words = why.isEmpty() ? name : tr("%1. Not here: %2").arg(name, why);
    variants_->setItemData(at, words, Qt::ToolTipRole);
    variants_->setItemData(at, words, Qt::AccessibleDescriptionRole);
    variants_->setItemData(at, why.isEmpty() ? QVariant() : QVariant(UiTheme::current().dim),
                           Qt::ForegroundRole);
  }
}

void VariantChooser::stageChosen() {
  const auto stage = static_cast<Stage>(stages_->currentData().toInt());
  const std::vector<const Variant*> variants = taughtVariants(stage);
  if (!variants.empty()) Q_EMIT chosen(stage, variants.front());
}

void VariantChooser::variantChosen() {
  const auto* variant = static_cast<const Variant*>(variants_->currentData().value<const void*>());
  Q_EMIT chosen(static_cast<Stage>(stages_->currentData().toInt()), variant);
}

void VariantChooser::showSubject(const TeachSubject& subject) {
  stages_->setCurrentIndex(stages_->findData(static_cast<int>(subject.stage)));
  fillVariants(subject.stage);
  variants_->setPlaceholderText(versionText(*subject.variant));
  variants_->setCurrentIndex(-1); // of one that no list has
  for (int at = 0; at < variants_->count(); ++at)
    if (variants_->itemData(at).value<const void*>() == subject.variant) variants_->setCurrentIndex(at);
  title_->setText(qtext(subject.variant->info.name));
  idea_->setText(qtext(subject.variant->info.idea));
}

void VariantChooser::offerSteps(bool previous, bool next) {
  const bool focused = previous_->hasFocus() || next_->hasFocus();
  for (const auto& [button, offered] : {std::pair(previous_, previous), std::pair(next_, next)}) {
    button->setEnabled(offered);
    button->setToolTip(offered ? button->property("ownTip").toString()
                               : tr("There is no other variant of the stage in this direction"));
  }
  // Whoever comes to the end by one of them goes back by the other.
  if (focused && previous != next) (previous ? previous_ : next_)->setFocus();
}

void VariantChooser::showFigures(const QString& figures, const QString& meaning) {
  figures_->setText(figures);
  figures_->setToolTip(meaning);
  placeParts();
}

void VariantChooser::showUse(const QString& sentence, bool offer) {
  sayUse(sentence, false);
  useSimulator_->setVisible(offer);
}

void VariantChooser::showWrong(const QString& sentence) {
  sayUse(sentence, true);
  useSimulator_->hide();
}

void VariantChooser::sayUse(const QString& sentence, bool alert) {
  use_->setText(sentence);
  if (use_->property("alert").toBool() == alert) return;
  use_->setProperty("alert", alert);
  use_->setProperty("dim", !alert);
  use_->style()->unpolish(use_); // whose rules go by these
  use_->style()->polish(use_);
}

QString VariantChooser::use() const { return use_->text(); }

} // namespace lloyd
