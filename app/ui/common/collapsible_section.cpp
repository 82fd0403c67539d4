// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/collapsible_section.hpp"

#include "app/ui/common/theme.hpp"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace lloyd {
namespace {

/// A form whose wrapped texts are never cut off. Qt's own keeps its height for the last width that it was
/// asked about, but not those of its rows: texts that grow by a line then get the rows of another width.
class SectionForm : public QFormLayout {
public:
  using QFormLayout::QFormLayout;
  void setGeometry(const QRect& rect) override {
    static_cast<void>(heightForWidth(rect.width() - 1)); // forgets the last width
    static_cast<void>(heightForWidth(rect.width()));
    QFormLayout::setGeometry(rect);
  }
};

} // namespace

CollapsibleSection::CollapsibleSection(const QString& title, QWidget* parent)
    : QWidget(parent), title_(new QToolButton(this)), body_(new QWidget(this)),
      form_(new SectionForm(body_)) {
  title_->setObjectName(QStringLiteral("section"));
  title_->setText(title);
  title_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  title_->setIconSize(QSize(12, 12));
  title_->setCheckable(true);
  title_->setChecked(true);
  title_->setFocusPolicy(Qt::TabFocus);
  title_->setAccessibleName(tr("%1: show or fold").arg(title));
  connect(title_, &QToolButton::toggled, this, &CollapsibleSection::fold);
  form_->setContentsMargins(0, 0, 0, 6);
  form_->setHorizontalSpacing(8);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(title_);
  layout->addWidget(body_);
  fold(true);
}

void CollapsibleSection::addRow(const QString& caption, QWidget* control) {
  auto* label = new QLabel(caption, body_);
  label->setProperty("dim", true);
  label->setToolTip(control->toolTip());
  label->setMinimumWidth(72);
  label->setBuddy(control);
  if (control->accessibleName().isEmpty()) control->setAccessibleName(caption);
  form_->addRow(label, control);
}

void CollapsibleSection::addWide(QWidget* control) { form_->addRow(control); }

void CollapsibleSection::setRowVisible(QWidget* control, bool visible) {
  form_->setRowVisible(control, visible);
}

void CollapsibleSection::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) fold(title_->isChecked());
}

void CollapsibleSection::fold(bool open) {
  title_->setIcon(themedIcon(open ? QStringLiteral("opened") : QStringLiteral("closed")));
  body_->setVisible(open);
}

QLabel* quietLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("dim", true);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

} // namespace lloyd
