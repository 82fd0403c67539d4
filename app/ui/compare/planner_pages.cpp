// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/planner_pages.hpp"

#include "app/ui/compare/issue_panel.hpp"
#include "app/ui/compare/planner_panel.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace lloyd {

PlannerPages::PlannerPages(Session& session, QWidget* parent)
    : QWidget(parent), planner_(new PlannerPanel(session, this)), issue_(new IssuePanel(this)),
      switch_(new QButtonGroup(this)), pages_(new QStackedWidget(this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 5, 8, 0);
  row->setSpacing(4);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(row);
  layout->addWidget(pages_, 1);
  add(planner_, "residency", tr("Residency"),
      tr("How many blocks of a kernel live on a multiprocessor, and what keeps others off it"));
  add(issue_, "issue", tr("Issue"),
      tr("What the warps of a block issue and what they wait for, cycle by cycle in a model"));
  for (QAbstractButton* button : switch_->buttons())
    row->addWidget(button);
  row->addStretch(1);
  switch_->button(0)->setChecked(true);
  connect(switch_, &QButtonGroup::idToggled, this, [this](int page, bool on) {
    if (!on) return;
    pages_->setCurrentIndex(page);
    if (isVisible()) refresh();
  });
}

void PlannerPages::add(QWidget* page, const char* name, const QString& word, const QString& toolTip) {
  page->setObjectName(QString::fromLatin1(name));
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("colourBy")); // the look of the bar above the points in Teach
  button->setText(word);
  button->setToolTip(toolTip);
  button->setAccessibleName(word);
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);
  switch_->addButton(button, pages_->addWidget(page));
}

bool PlannerPages::showPage(const QString& name) {
  for (int page = 0; page < pages_->count(); ++page) {
    if (pages_->widget(page)->objectName() != name) continue;
    switch_->button(page)->setChecked(true);
    return true;
  }
  return false;
}

void PlannerPages::refresh() {
  if (pages_->currentWidget() == planner_) planner_->refresh();
  if (pages_->currentWidget() == issue_) issue_->refresh();
}

void PlannerPages::renewColours() {
  planner_->renewColours();
  issue_->renewColours();
}

} // namespace lloyd
