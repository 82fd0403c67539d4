// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/teach_panel.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/teach/variant_chooser.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace lloyd {

namespace {

constexpr int compactCharacters = 96; ///< of width, below which the two do not fit beside each other

QToolButton* button(QAction* action, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setDefaultAction(action);
  made->setToolButtonStyle(Qt::ToolButtonTextOnly);
  made->setFocusPolicy(Qt::TabFocus);
  made->setAccessibleName(action->text());
  return made;
}

} // namespace

TeachPanel::TeachPanel(VariantChooser* chooser, SourceView* source, CounterTable* counters,
                       LessonView* lesson, const Actions& actions, QWidget* parent)
    : QWidget(parent), source_(source), counters_(counters), lesson_(lesson), lessonHome_(new QWidget(this)),
      sourcePane_(new QWidget(this)), difference_(new ElidedLabel(this)),
      splitter_(new QSplitter(Qt::Horizontal, this)), tabs_(new QTabWidget(this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  difference_->setObjectName(QStringLiteral("difference"));
  difference_->setMostLines(2);
  difference_->setAccessibleName(tr("Difference to the version before"));
  QToolButton* ghosts = button(actions[ActionId::ghostLines], this);
  ghosts->setObjectName(QStringLiteral("colourBy")); // the look of a button that stays pressed
  ghosts->setText(tr("Show gone"));
  connect(actions[ActionId::ghostLines], &QAction::changed, ghosts,
          [ghosts] { ghosts->setText(tr("Show gone")); });
  connect(actions[ActionId::ghostLines], &QAction::toggled, source_, &SourceView::setGhosts);
  connect(actions[ActionId::previousDifference], &QAction::triggered, source_,
          [this] { source_->toDifference(-1); });
  connect(actions[ActionId::nextDifference], &QAction::triggered, source_,
          [this] { source_->toDifference(1); });
  auto* row = new QHBoxLayout;
  row->setContentsMargins(10, 2, 6, 2);
  row->addWidget(difference_, 1);
  row->addWidget(ghosts);
  forDifferences_ << ghosts;
  for (const auto& [id, arrow] : {std::pair(ActionId::previousDifference, Qt::UpArrow),
                                  std::pair(ActionId::nextDifference, Qt::DownArrow)}) {
    forDifferences_ << arrowButton(actions[id], arrow, this);
    row->addWidget(forDifferences_.back());
  }
  auto* pane = new QVBoxLayout(sourcePane_);
  pane->setContentsMargins(0, 0, 0, 0);
  pane->setSpacing(0);
  pane->addLayout(row);
  pane->addWidget(source_, 1);
  splitter_->setHandleWidth(5);
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(sourcePane_);
  splitter_->addWidget(counters_);
  splitter_->setStretchFactor(0, 1);
  lessonHome_->setMinimumSize(1, 1);
  auto* home = new QVBoxLayout(lessonHome_);
  home->setContentsMargins(0, 0, 0, 0);
  home->addWidget(lesson_);
  tabs_->setDocumentMode(true);
  tabs_->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(chooser);
  column->addWidget(splitter_, 1);
  column->addWidget(tabs_, 1);
}

void TeachPanel::arrange() {
  if (compact_) {
    tabs_->addTab(sourcePane_, tr("Source"));
    tabs_->addTab(counters_, tr("Counters"));
    tabs_->addTab(lesson_, tr("Lesson"));
  } else {
    splitter_->addWidget(sourcePane_);
    splitter_->addWidget(counters_);
    sourcePane_->show();
    lessonHome_->layout()->addWidget(lesson_);
    counters_->show();
    lesson_->show();
    splitter_->setSizes({width() - counters_->minimumWidth(), counters_->minimumWidth()});
  }
  tabs_->setVisible(compact_);
  splitter_->setVisible(!compact_);
  tabInReadingOrder(*this);
  Q_EMIT arranged();
}

void TeachPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool compact = event->size().width() < fontMetrics().averageCharWidth() * compactCharacters;
  if (compact == compact_ && event->oldSize().isValid() && event->oldSize().width() > 0) return;
  compact_ = compact;
  arrange();
}

void TeachPanel::showDifference(const SourceComparison& comparison, const TeachSubject& subject) {
  const QString file = comparison.now.path.section(QLatin1Char('/'), -1);
  difference_->setToolTip(comparison.now.path);
  for (QWidget* button : forDifferences_)
    button->setVisible(subject.before != nullptr);
  if (comparison.now.lines.isEmpty()) return difference_->setText(tr("%1 is not in this program").arg(file));
  if (!subject.before) return difference_->setText(tr("The first of its stage: nothing before it"));
  const DiffCount count = countOf(comparison.lines);
  difference_->setText(tr("since %1: +%2 new, ~%3 changed, \u2212%4 gone")
                           .arg(versionText(*subject.before))
                           .arg(count.added)
                           .arg(count.changed)
                           .arg(count.removed));
}

QString TeachPanel::difference() const { return difference_->text(); }

} // namespace lloyd
