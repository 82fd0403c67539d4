// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/select/select_panel.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/copy_table.hpp"
#include "app/ui/common/labels.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace lloyd {

SelectPanel::SelectPanel(Session& session, const Actions& actions, QWidget* parent)
    : QWidget(parent), session_(session), selection_(session), rows_(session, selection_),
      ruleName_(new QLabel(this)), rule_(new QLineEdit(this)), words_(new ElidedLabel(this)),
      table_(new QTableView(this)) {
  setObjectName(QStringLiteral("select"));
  rule_->setObjectName(QStringLiteral("rule"));
  rule_->setAccessibleName(tr("Rule of the selection"));
  rule_->setPlaceholderText(tr("income > 3 & cluster == 2"));
  rule_->setClearButtonEnabled(true);
  rule_->setToolTip(
      tr("Enter selects the rows that meet the rule, Ctrl+Enter adds them, Alt+Enter takes them "
         "away. Columns by name, in \"...\" or `...` where needed, and cluster; < <= > >= == !=, "
         "& | ! and parentheses; texts in '...' are == or !="));
  rule_->installEventFilter(this);
  rule_->setMinimumWidth(80);
  ruleName_->setObjectName(QStringLiteral("ruleName"));
  showRule(true);
  words_->setObjectName(QStringLiteral("selectSentence"));
  auto* bar = new QHBoxLayout;
  bar->addWidget(ruleName_);
  bar->addWidget(rule_, 1);
  auto* doing = new QHBoxLayout;
  doing->setSpacing(2);
  for (const ActionId id : {ActionId::lasso, ActionId::box})
    bar->addWidget([&] {
      auto* button = new QToolButton(this);
      button->setDefaultAction(actions[id]);
      button->setFocusPolicy(Qt::TabFocus);
      return button;
    }());
  const std::pair<ActionId, QString> buttons[] = {
      {ActionId::selectNone, tr("Nothing")},     {ActionId::invertSelection, tr("Invert")},
      {ActionId::hideSelected, tr("Hide")},      {ActionId::showSelectedAlone, tr("Alone")},
      {ActionId::showAllPoints, tr("Show all")}, {ActionId::clusterSelected, tr("Cluster these")},
      {ActionId::clusterAll, tr("Cluster all")}, {ActionId::exportSelected, tr("Export...")}};
  for (const auto& [id, text] : buttons) {
    // Words that are short enough to stand beside each other; the action's own are in the menu.
    QAction* action = actions[id];
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(action->toolTip());
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    const auto follow = [button, action] {
      button->setEnabled(action->isEnabled());
      button->setToolTip(action->toolTip());
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    follow();
    doing->addWidget(button);
  }
  doing->addStretch(1);
  table_->setModel(&rows_);
  table_->setObjectName(QStringLiteral("selectedRows"));
  table_->setAccessibleName(tr("Selected rows"));
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setMinimumSize(1, 1);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 3);
  table_->horizontalHeader()->setHighlightSections(false);
  offerCopy(*table_);
  connect(&rows_, &QAbstractItemModel::modelReset, table_, &QTableView::resizeColumnsToContents);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 2);
  layout->setSpacing(3);
  layout->addLayout(bar);
  layout->addLayout(doing);
  layout->addWidget(words_);
  layout->addWidget(table_, 1);
  setMinimumWidth(1);
  connect(&selection_, &PointSelection::changed, this, [this] {
    if (selection_.busy()) { // something else is being selected
      forgetRule();
      showRule(false);
    }
    show();
  });
  connect(&session_, &Session::dataChanged, this, [this] {
    forgetRule();
    showRule(false);
    show();
  });
  connect(&selection_, &PointSelection::hiddenChanged, this, &SelectPanel::show);
  connect(&selection_, &PointSelection::failed, this, [this](const QString& sentence) {
    wrong_ = sentence;
    show();
  });
  connect(rule_, &QLineEdit::textEdited, this, [this] {
    forgetRule();
    showRule(true); // it is being written
    show();
  });
  show();
}

/// Whoever reads the rule beside what is selected takes it for why. Its key is /, because the tabs have the
/// letters.
void SelectPanel::showRule(bool applied) {
  const bool stale = !applied && !rule_->text().trimmed().isEmpty();
  ruleName_->setText(stale ? tr("Rule, not applied") : tr("Rule"));
  ruleName_->setToolTip(stale ? tr("Something else was selected since; Enter in the field applies it again")
                              : QString());
  rule_->setAccessibleDescription(ruleName_->toolTip());
}

QString SelectPanel::sentence() const { return words_->text(); }

void SelectPanel::forgetRule() {
  wrong_.clear();
  mistaken_ = ruleAsked_ = false;
}

void SelectPanel::applyRule(Combine combine) {
  forgetRule();
  if (rule_->text().trimmed().isEmpty()) return selection_.none();
  selection_.meeting(rule_->text(), combine);
  showRule(true);
  mistaken_ = !wrong_.isEmpty();
  ruleAsked_ = !mistaken_ && combine != Combine::takeAway;
  show();
}

/// Enter with Ctrl and Alt is nobody else's while the field has the keys; it gives them back, as Escape does.
bool SelectPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched != rule_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Escape) {
    rule_->clearFocus();
    return true;
  }
  if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
    return QWidget::eventFilter(watched, event);
  applyRule(key->modifiers() & Qt::ControlModifier ? Combine::add
            : key->modifiers() & Qt::AltModifier   ? Combine::takeAway
                                                   : Combine::replace);
  if (wrong_.isEmpty()) rule_->clearFocus(); // a mistake is mended where it stands
  return true;
}

void SelectPanel::show() {
  const SelectionSummary& summary = selection_.summary();
  QString text;
  if (!wrong_.isEmpty()) {
    text = wrong_;
    if (mistaken_ && selection_.marks())
      text += tr("; still selected are %1 of %2").arg(countText(summary.count), pointsText(summary.points));
  } else if (!selection_.marks() && ruleAsked_ && !selection_.busy()) {
    text = tr("The rule meets none of the %1").arg(pointsText(summary.points));
  } else if (!selection_.marks()) {
    text = tr("Nothing is selected: draw a lasso (S) or a box (Shift+S), or write a rule");
  } else {
    text = tr("%1 of %2 (%3 %) selected")
               .arg(countText(summary.count), pointsText(summary.points), percentText(summary.share()));
    if (summary.count > summary.first.size())
      text += tr("; the first %1 rows").arg(countText(summary.first.size()));
  }
  if (selection_.hidden()) text += tr("; some points are hidden");
  if (selection_.partial()) text += tr("; a part of all points is clustered");
  text[0] = text[0].toUpper();
  words_->setText(text);
  table_->setEnabled(!mistaken_); // rows of before are pale beside the mistake
}

} // namespace lloyd
