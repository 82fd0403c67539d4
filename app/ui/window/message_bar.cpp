// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/message_bar.hpp"

#include "app/ui/common/theme.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lloyd {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), label_(new QLabel(this)) {
  setObjectName(QStringLiteral("message"));
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label_->setAccessibleName(tr("Error"));
  auto* dismiss = new QPushButton(tr("Dismiss"), this);
  connect(dismiss, &QPushButton::clicked, this, &QWidget::hide);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 5, 6, 5);
  layout->addWidget(label_, 1);
  layout->addWidget(dismiss, 0, Qt::AlignTop);
  paintTheme();
  hide();
}

void MessageBar::showError(const QString& text) {
  label_->setText(text);
  show();
}

QString MessageBar::text() const { return isHidden() ? QString() : label_->text(); }

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // A style sheet of its own changes the palette again; once is enough.
  if (event->type() == QEvent::PaletteChange && !painting_) paintTheme();
}

void MessageBar::paintTheme() {
  painting_ = true;
  setStyleSheet(UiTheme::current().styleSheet("QFrame#message { background: %control; border-left: 3px solid "
                                              "%alert; border-bottom: 1px solid %line; }"
                                              "QLabel { color: %text; }"));
  painting_ = false;
}

} // namespace lloyd
