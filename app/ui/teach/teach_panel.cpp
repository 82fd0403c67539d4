// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/teach_panel.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/keyboard.hpp"
#include "app/ui/common/labels.hpp"
#include "app/ui/common/scrolled_panel.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/memory_view.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/teach/variant_chooser.hpp"
#include "gpu/core/contract/step.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QResizeEvent>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lloyd {

namespace {

constexpr int compactCharacters = 104; ///< of width, below which the two do not fit beside each other

QToolButton* button(QAction* action, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setDefaultAction(action);
  made->setToolButtonStyle(Qt::ToolButtonTextOnly);
  made->setFocusPolicy(Qt::TabFocus);
  made->setAccessibleName(action->text());
  return made;
}

/// A view that scrolls where it has little room, so that what it shows makes its pane neither wider nor
/// higher.
class MeasurePage : public ScrolledPanel {
public:
  using ScrolledPanel::ScrolledPanel;
  [[nodiscard]] QSize minimumSizeHint() const override { return {1, 1}; }
};

QString keyOf(const QAction* action) { return action->shortcut().toString(QKeySequence::NativeText); }

} // namespace

TeachPanel::TeachPanel(VariantChooser* chooser, SourceView* source, CounterTable* counters,
                       MemoryView* memory, LessonView* lesson, const Actions& actions, QWidget* parent)
    : QWidget(parent), actions_(actions), chooser_(chooser), source_(source), counters_(counters),
      memory_(memory), measures_(new QTabWidget(this)), lesson_(lesson), lessonHome_(new QWidget(this)),
      sourcePane_(new QWidget(this)), difference_(new ElidedLabel(this)), title_(new QLabel(this)),
      nothing_(new QLabel(this)), splitter_(new QSplitter(Qt::Horizontal, this)),
      tabs_(new QTabWidget(this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* row = new QHBoxLayout;
  makeDifferenceRow(*row);
  auto* pane = new QVBoxLayout(sourcePane_);
  pane->setContentsMargins(0, 0, 0, 0);
  pane->setSpacing(0);
  pane->addLayout(row);
  pane->addWidget(source_, 1);
  splitter_->setObjectName(QStringLiteral("teachPanes"));
  splitter_->setHandleWidth(7);
  splitter_->setChildrenCollapsible(false);
  measures_->setObjectName(QStringLiteral("teachMeasures"));
  measures_->setDocumentMode(true);
  addMeasure(counters_, tr("Counters"), actions[ActionId::countersTab]);
  // Whoever turns to a tab means its keys.
  connect(
      measures_, &QTabWidget::tabBarClicked, this,
      [this] { views_[measures_->currentIndex()]->setFocus(Qt::MouseFocusReason); }, Qt::QueuedConnection);
  connect(measures_, &QTabWidget::currentChanged, this, &TeachPanel::turned);
  addMeasure(memory_, tr("Memory"), actions[ActionId::memoryTab], true);
  lessonHome_->setMinimumSize(1, 1);
  auto* home = new QVBoxLayout(lessonHome_);
  home->setContentsMargins(0, 0, 0, 0);
  tabs_->setObjectName(QStringLiteral("teachTabs"));
  tabs_->setDocumentMode(true);
  tabs_->hide();
  title_->setObjectName(QStringLiteral("teachTitle"));
  title_->setAccessibleName(tr("Name of the variant"));
  title_->setContentsMargins(10, 4, 10, 0);
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  nothing_->setProperty("dim", true);
  nothing_->setText(tr("Every pane is hidden: %1 shows the source, %2 the counters, %3 the lesson")
                        .arg(keyOf(actions[ActionId::sourcePane]), keyOf(actions[ActionId::countersPane]),
                             keyOf(actions[ActionId::lessonPane])));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(chooser);
  column->addWidget(title_);
  column->addWidget(nothing_, 1);
  column->addWidget(splitter_, 1);
  column->addWidget(tabs_, 1);
  connectPanes();
}

/// What the difference comes to, and the buttons that walk through it.
void TeachPanel::makeDifferenceRow(QBoxLayout& row) {
  difference_->setObjectName(QStringLiteral("difference"));
  difference_->setMostLines(2);
  difference_->setAccessibleName(tr("Difference to the version before"));
  row.setContentsMargins(10, 2, 6, 2);
  row.addWidget(difference_, 1);
  // The actions' own words are for the menu.
  const auto toggle = [this, &row](ActionId id, const QString& word) {
    QAction* action = actions_[id];
    QToolButton* made = button(action, this);
    made->setObjectName(QStringLiteral("colourBy")); // the look of a button that stays pressed
    made->setText(word);
    connect(action, &QAction::changed, made, [made, word] { made->setText(word); });
    row.addWidget(made);
    forDifferences_ << made;
  };
  actions_[ActionId::foldSame]->setChecked(true);
  source_->setFolds(true);
  toggle(ActionId::foldSame, tr("Fold same"));
  toggle(ActionId::ghostLines, tr("Show gone"));
  connect(actions_[ActionId::foldSame], &QAction::toggled, source_, &SourceView::setFolds);
  connect(actions_[ActionId::ghostLines], &QAction::toggled, source_, &SourceView::setGhosts);
  apart_ = button(actions_[ActionId::takeApart], this);
  apart_->setObjectName(QStringLiteral("takeApart"));
  apart_->setText(tr("Take apart"));
  apart_->setToolTip(tr("Which of the changes gain what: race every combination of them (%1)")
                         .arg(keyOf(actions_[ActionId::takeApart])));
  row.addWidget(apart_);
  for (const auto& [id, arrow, direction] : {std::tuple(ActionId::previousDifference, Qt::UpArrow, -1),
                                             std::tuple(ActionId::nextDifference, Qt::DownArrow, 1)}) {
    connect(actions_[id], &QAction::triggered, source_,
            [this, by = direction] { source_->toDifference(by); });
    forDifferences_ << arrowButton(actions_[id], arrow, this);
    row.addWidget(forDifferences_.back());
  }
}

void TeachPanel::connectPanes() {
  for (const ActionId id : {ActionId::sourcePane, ActionId::countersPane, ActionId::lessonPane}) {
    actions_[id]->setChecked(true);
    connect(actions_[id], &QAction::toggled, this, [this] {
      // A pane that is asked for has its room beside the others.
      actions_[ActionId::paneAlone]->setChecked(false);
      arrange();
    });
  }
  connect(actions_[ActionId::paneAlone], &QAction::toggled, this, &TeachPanel::setAlone);
  connect(actions_[ActionId::widerSource], &QAction::triggered, this, [this] { moveBorder(1); });
  connect(actions_[ActionId::narrowerSource], &QAction::triggered, this, [this] { moveBorder(-1); });
  connect(splitter_, &QSplitter::splitterMoved, this, [this] {
    const QList<int> sizes = splitter_->sizes();
    if (sizes.size() == 2 && sizes[0] + sizes[1] > 0)
      countersPart_ = static_cast<double>(sizes[1]) / (sizes[0] + sizes[1]);
  });
  connect(counters_, &CounterTable::fitted, this, &TeachPanel::shareWidths);
}

QWidget* TeachPanel::widgetOf(TeachPane pane) const {
  return pane == TeachPane::source     ? sourcePane_
         : pane == TeachPane::counters ? static_cast<QWidget*>(measures_)
                                       : lesson_;
}

bool TeachPanel::isShown(TeachPane pane) const {
  if (alone_) return pane == *alone_;
  return actions_[pane == TeachPane::source     ? ActionId::sourcePane
                  : pane == TeachPane::counters ? ActionId::countersPane
                                                : ActionId::lessonPane]
      ->isChecked();
}

/// The pane that keys go to; without one the first that is seen.
TeachPane TeachPanel::focused() const {
  constexpr TeachPane panes[] = {TeachPane::source, TeachPane::counters, TeachPane::lesson};
  const QWidget* focus = window()->focusWidget();
  for (const TeachPane pane : panes)
    if (focus && (widgetOf(pane) == focus || widgetOf(pane)->isAncestorOf(focus))) return pane;
  for (const TeachPane pane : panes)
    if (isShown(pane) && widgetOf(pane)->isVisible()) return pane;
  return TeachPane::source;
}

void TeachPanel::setAlone(bool alone) {
  const TeachPane pane = focused();
  alone_ = alone ? std::optional(pane) : std::nullopt;
  arrange();
  if (alone) (pane == TeachPane::source ? source_ : widgetOf(pane))->setFocus();
}

void TeachPanel::showMemory() { showMeasure(memory_); }

/// A pane that is alone makes room for this one only where it is another.
void TeachPanel::showMeasure(QWidget* view) {
  if (alone_ && alone_ != TeachPane::counters) actions_[ActionId::paneAlone]->setChecked(false);
  actions_[ActionId::countersPane]->setChecked(true);
  measures_->setCurrentIndex(static_cast<int>(views_.indexOf(view)));
  asked_ = measures_;
  for (int tab = 0; tab < tabs_->count(); ++tab)
    if (tabs_->widget(tab) == measures_) tabs_->setCurrentIndex(tab);
}

void TeachPanel::addMeasure(QWidget* view, const QString& name, QAction* action, bool tells) {
  views_ << view;
  const int tab =
      measures_->addTab(qobject_cast<QScrollArea*>(view) ? view : new MeasurePage(view, measures_), name);
  measureKeys_ << action;
  if (tells) tell_ << view;
  tipTab(tab);
  connect(action, &QAction::triggered, this, [this, view] {
    // What is hidden is to be predicted first, which is the last tab.
    const bool offered = measures_->isTabEnabled(static_cast<int>(views_.indexOf(view)));
    showMeasure(offered ? view : views_.back());
    QWidget* keys = views_[measures_->currentIndex()];
    if (QWidget* control = keysOf(*keys)) keys = control;
    if (!keys->isVisible() || keys->focusPolicy() == Qt::NoFocus) keys = measures_->tabBar();
    keys->setFocus(Qt::ShortcutFocusReason);
  });
}

void TeachPanel::tipTab(int tab) {
  const QString key = keyOf(measureKeys_[tab]);
  measures_->setTabToolTip(tab,
                           measures_->isTabEnabled(tab)
                               ? tr("%1 (%2); %3 shows the pane alone")
                                     .arg(measures_->tabText(tab), key, keyOf(actions_[ActionId::paneAlone]))
                               : tr("Hidden with the counters until they are predicted"));
}

bool TeachPanel::isFront(const QWidget* view) const {
  return views_[measures_->currentIndex()] == view &&
         (alone_ == TeachPane::counters || actions_[ActionId::countersPane]->isChecked());
}

void TeachPanel::offerMemory(bool offered) {
  for (QWidget* view : tell_) {
    const int tab = static_cast<int>(views_.indexOf(view));
    measures_->setTabEnabled(tab, offered);
    tipTab(tab);
  }
}

/// The lesson lies below the points, unless there are tabs or its place here is free.
void TeachPanel::arrange() {
  const bool tabbed = compact_ && !alone_;
  const bool beside = isShown(TeachPane::source) || isShown(TeachPane::counters);
  const bool lessonHere = tabbed || !beside;
  lessonAway_ = lessonHere || alone_;
  QPointer<QWidget> focus = window()->focusWidget();
  const QWidget* current = tabs_->count() > 0 ? tabs_->currentWidget() : asked_;
  tabs_->clear();
  QList<QWidget*> shown;
  for (const auto& [pane, word] :
       {std::pair(TeachPane::source, tr("Source")), std::pair(TeachPane::counters, tr("Counters and memory")),
        std::pair(TeachPane::lesson, tr("Lesson"))}) {
    QWidget* widget = widgetOf(pane);
    if (!isShown(pane)) {
      widget->hide();
      widget->setParent(this);
    } else if (tabbed) {
      const int tab = tabs_->addTab(widget, word);
      tabs_->setTabToolTip(tab, tr("%1 shows the pane alone").arg(keyOf(actions_[ActionId::paneAlone])));
      if (widget == current) tabs_->setCurrentWidget(widget);
      shown << widget;
    } else if (pane == TeachPane::lesson && !lessonHere) {
      lessonHome_->layout()->addWidget(widget);
      widget->show();
    } else {
      splitter_->addWidget(widget);
      widget->show();
      shown << widget;
    }
  }
  chooser_->setVisible(!alone_);
  title_->setVisible(alone_ == TeachPane::source || alone_ == TeachPane::counters);
  nothing_->setVisible(shown.isEmpty());
  tabs_->setVisible(tabbed && !shown.isEmpty());
  splitter_->setVisible(!tabbed && !shown.isEmpty());
  shareWidths();
  tabInReadingOrder(*this);
  if (focus && focus->isVisible()) focus->setFocus(); // another parent took it
  Q_EMIT arranged();
}

/// The counters as wide as their tables where the source keeps its columns, or as a person made them. The
/// pages beside them need some width too where the tables are small.
void TeachPanel::shareWidths() {
  if (splitter_->count() != 2 || splitter_->isHidden()) return;
  constexpr double least = 0.36; // of the counters, without being asked
  const int all = std::max(2, width() - splitter_->handleWidth());
  const int free = std::max(all - source_->widthFor(SourceView::leastColumns), qRound(all * least));
  const int wanted = countersPart_ > 0 ? qRound(all * countersPart_)
                                       : std::clamp(counters_->wantedWidth(), qRound(all * least), free);
  splitter_->setSizes({all - wanted, wanted});
}

bool TeachPanel::isCompact() const { return width() < fontMetrics().averageCharWidth() * compactCharacters; }

void TeachPanel::fitPanes() {
  ensurePolished();
  const bool compact = isCompact();
  if (std::exchange(compact_, compact) == compact) return shareWidths();
  arrange();
}

void TeachPanel::moveBorder(int direction) {
  if (splitter_->count() != 2 || splitter_->isHidden()) return;
  constexpr double step = 0.05, least = 0.1;
  const QList<int> sizes = splitter_->sizes();
  const double part = static_cast<double>(sizes[1]) / std::max(1, sizes[0] + sizes[1]);
  countersPart_ = std::clamp(part - direction * step, least, 1 - least);
  shareWidths();
}

void TeachPanel::setPanes(const TeachPanes& panes) {
  countersPart_ = panes.countersPart;
  actions_[ActionId::sourcePane]->setChecked(panes.source);
  actions_[ActionId::countersPane]->setChecked(panes.counters);
  shareWidths();
}

TeachPanes TeachPanel::panes() const {
  return {.source = actions_[ActionId::sourcePane]->isChecked(),
          .counters = actions_[ActionId::countersPane]->isChecked(),
          .countersPart = countersPart_};
}

void TeachPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool compact = isCompact();
  const bool first = !event->oldSize().isValid() || event->oldSize().width() <= 0;
  if (compact == compact_ && !first) return shareWidths();
  compact_ = compact;
  arrange();
}

void TeachPanel::showDifference(const SourceComparison& comparison, const TeachSubject& subject) {
  title_->setText(QStringLiteral("%1: %2").arg(QString::fromStdString(subject.variant->id()),
                                               qtext(subject.variant->info.name)));
  const QString file = comparison.now.path.section(QLatin1Char('/'), -1);
  difference_->setToolTip(comparison.now.path);
  for (QWidget* button : forDifferences_)
    button->setVisible(subject.before != nullptr);
  apart_->setVisible(StepRegistry::instance().find(subject.variant->id()) != nullptr);
  if (comparison.now.lines.isEmpty()) return difference_->setText(tr("%1 is not in this program").arg(file));
  if (!subject.before)
    return difference_->setText(isOwn(*subject.variant)
                                    ? tr("Held against no other version: what differs would be the bug")
                                    : tr("The first of its stage: nothing before it"));
  const DiffCount count = countOf(comparison.lines);
  difference_->setText(tr("since %1: +%2 new, ~%3 changed, \u2212%4 gone")
                           .arg(versionText(*subject.before))
                           .arg(count.added)
                           .arg(count.changed)
                           .arg(count.removed));
}

QString TeachPanel::difference() const { return difference_->text(); }

} // namespace lloyd
