// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/workspace_layout.hpp"

#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/scrolled_panel.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/teach_panel.hpp"
#include "app/ui/teach/teach_workspace.hpp"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QLayout>
#include <QMainWindow>
#include <QScreen>
#include <QSplitter>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace lloyd {

namespace {

constexpr int sideWidth = 288;
constexpr int settleMs = 300;  ///< for a window manager to place a window that was full-screen
constexpr int viewsShare = 62; ///< percent of what views and metrics have together
constexpr int unbounded = std::numeric_limits<int>::max();

// Of Compare's views, which are what the workspace is for. Table, metrics and plots scroll.
constexpr double leastViewsPart = 0.31; ///< of the window's height
constexpr int leastViews = 260;         ///< pixels, where the window is high enough

/// The shares in the order of WorkspaceLayout::shares_: parts of the window.
constexpr double lowerPart = 0.30;
constexpr double teachSidePart = 0.76; ///< source and counters
constexpr double lessonPart = 0.30;
constexpr std::size_t teachSideShare = 1, lessonShare = 2;
constexpr double borderStep = 0.04; ///< of the window's side, by one key
constexpr double racePart = 0.32;
constexpr double plotsPart = 0.40;

constexpr ActionId teachActions[] = {
    ActionId::colourCluster, ActionId::colourThread,   ActionId::colourWarp,         ActionId::colourBlock,
    ActionId::colourChanged, ActionId::nextDifference, ActionId::previousDifference, ActionId::ghostLines,
    ActionId::foldSame,      ActionId::countAgain,     ActionId::largerText,         ActionId::smallerText,
    ActionId::paneAlone,     ActionId::sourcePane,     ActionId::countersPane,       ActionId::lessonPane,
    ActionId::widerSource,   ActionId::narrowerSource, ActionId::higherLesson,       ActionId::lowerLesson,
    ActionId::widerPoints,   ActionId::narrowerPoints, ActionId::takeApart,          ActionId::dataLesson,
    ActionId::countersTab,   ActionId::memoryTab,      ActionId::blockTab,           ActionId::predictTab};

constexpr ActionId compareActions[] = {ActionId::race,  ActionId::pinBaseline, ActionId::markA,
                                       ActionId::markB, ActionId::nextPairing, ActionId::saveReport};

} // namespace

WorkspaceLayout::WorkspaceLayout(QMainWindow& window, const Actions& actions, Parts parts)
    : QObject(&window), window_(window), actions_(actions), parts_(std::move(parts)),
      side_(dock("side", tr("Side panel"), parts_.side, Qt::LeftDockWidgetArea)),
      lower_(dock("lower", tr("Ladder, plots and times"), parts_.bottom, Qt::BottomDockWidgetArea)),
      teachSide_(dock("teachSide", tr("Source and counters"), parts_.teach->side(), Qt::RightDockWidgetArea)),
      teachBelow_(dock("teachBelow", tr("Lesson"), parts_.teach->below(), Qt::BottomDockWidgetArea)),
      compareAbove_(dock("compareAbove", tr("Race"), parts_.compare->ladder(), Qt::TopDockWidgetArea)),
      compareSide_(
          dock("compareSide", tr("Plots and sweeps"), parts_.compare->plots(), Qt::RightDockWidgetArea)),
      shares_{Share{lower_, Qt::Vertical, lowerPart, unbounded},
              Share{teachSide_, Qt::Horizontal, teachSidePart, unbounded},
              Share{teachBelow_, Qt::Vertical, lessonPart, unbounded},
              Share{compareAbove_, Qt::Vertical, racePart, unbounded},
              Share{compareSide_, Qt::Horizontal, plotsPart, unbounded}} {
  window_.setCentralWidget(new ScrolledPanel(window_.takeCentralWidget()));
  window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window_.setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
  window_.setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
  for (const Share& share : shares_)
    share.dock->installEventFilter(this);
  for (QWidget* note : parts_.notes)
    note->installEventFilter(this);
  window_.installEventFilter(this);
  connect(parts_.column, &QSplitter::splitterMoved, this, [this] { columnMoved_ = true; });
  connect(parts_.views, &QSplitter::splitterMoved, this, [this] { viewsMoved_ = true; });
  connectActions();
  // Queued: it is said in the middle of a layout.
  connect(
      parts_.teach, &TeachWorkspace::arranged, this,
      [this] {
        showPanels();
        shareSizes(); // whoever comes back has the place of before
      },
      Qt::QueuedConnection);
}

/// A dock that only holds its panel: no title, no floating, so that nothing ever moves house.
QDockWidget* WorkspaceLayout::dock(const char* name, const QString& title, QWidget* panel,
                                   Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, &window_);
  dock->setObjectName(QString::fromLatin1(name));
  dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock->setTitleBarWidget(new QWidget(dock));
  dock->setWidget(qobject_cast<QScrollArea*>(panel) ? panel : new ScrolledPanel(panel));
  window_.addDockWidget(area, dock);
  return dock;
}

void WorkspaceLayout::connectActions() {
  const auto choice = [this](ActionId id, Workspace workspace, const QString& toolTip) {
    connect(actions_[id], &QAction::triggered, this, [this, workspace] { setWorkspace(workspace); });
    actions_[id]->setToolTip(toolTip);
  };
  choice(ActionId::explore, Workspace::explore, tr("Explore: the points (Ctrl+1)"));
  choice(ActionId::teach, Workspace::teach,
         tr("Teach: one step, its source and what it asks of memory (Ctrl+2)"));
  choice(ActionId::compare, Workspace::compare,
         tr("Compare: every variant against the others, and two of them side by side (Ctrl+3)"));
  const auto panel = [this](ActionId id, bool WorkspacePanels::*seen) {
    connect(actions_[id], &QAction::toggled, this, [this, seen](bool shown) {
      panels().*seen = shown;
      showPanels();
    });
  };
  panel(ActionId::sidePanel, &WorkspacePanels::side);
  panel(ActionId::bottomPanel, &WorkspacePanels::lower);
  // Of Teach's panes the lesson is what lies below.
  connect(actions_[ActionId::lessonPane], &QAction::toggled, this, [this](bool shown) {
    if (workspace_ == Workspace::teach) actions_[ActionId::bottomPanel]->setChecked(shown);
  });
  connect(actions_[ActionId::bottomPanel], &QAction::toggled, this, [this](bool shown) {
    if (workspace_ == Workspace::teach) actions_[ActionId::lessonPane]->setChecked(shown);
  });
  const auto border = [this](ActionId id, std::size_t share, double by) {
    connect(actions_[id], &QAction::triggered, this, [this, share, by] { moveBorder(shares_[share], by); });
  };
  border(ActionId::widerPoints, teachSideShare, -borderStep);
  border(ActionId::narrowerPoints, teachSideShare, borderStep);
  border(ActionId::higherLesson, lessonShare, borderStep);
  border(ActionId::lowerLesson, lessonShare, -borderStep);
  connect(actions_[ActionId::present], &QAction::triggered, this, [this] { setPresenting(!presenting_); });
  connect(actions_[ActionId::endPresent], &QAction::triggered, this, [this] { setPresenting(false); });
  actions_[ActionId::endPresent]->setEnabled(false);
}

void WorkspaceLayout::restore(const WindowSettings& past) {
  restoreWindow(window_, past);
  arranged_ = !past.arrangement.isEmpty();
  for (Share& share : shares_)
    if (const auto known = past.dockParts.find(share.dock->objectName()); known != past.dockParts.end())
      setShare(share, known->second);
  panels_ = past.panels;
  parts_.teach->panel().setPanes(past.teachPanes);
  parts_.teach->counters().chooseCard(past.profiledCard);
  static_cast<void>(parts_.teach->lookAt(past.taught.toStdString(), past.taughtStage.toStdString()));
}

void WorkspaceLayout::remember(WindowSettings& settings) const {
  settings.workspace = workspace_;
  settings.panels = panels_;
  settings.teachPanes = parts_.teach->panel().panes();
  settings.profiledCard = parts_.teach->counters().chosenCard();
  settings.taught = QString::fromStdString(parts_.teach->listed().id());
  settings.taughtStage = qtext(name(parts_.teach->subject().stage));
  settings.geometry = window_.saveGeometry();
  settings.arrangement = window_.saveState(panelsVersion);
  settings.dockParts.clear();
  for (const Share& share : shares_)
    if (share.byHand) settings.dockParts[share.dock->objectName()] = share.part;
}

void WorkspaceLayout::setWorkspace(Workspace workspace) {
  actions_[ActionId::paneAlone]->setChecked(false);
  workspace_ = workspace;
  const bool teach = workspace == Workspace::teach;
  const bool compare = workspace == Workspace::compare;
  actions_[teach ? ActionId::teach : compare ? ActionId::compare : ActionId::explore]->setChecked(true);
  enableActions();
  actions_[ActionId::sidePanel]->setChecked(panels().side);
  actions_[ActionId::bottomPanel]->setChecked(panels().lower);
  if (teach) actions_[ActionId::lessonPane]->setChecked(panels().lower);
  showPanels();
  parts_.teach->setShown(teach);
  parts_.compare->setShown(compare);
  shareSizes(); // after B's view has come
  Q_EMIT changed();
}

void WorkspaceLayout::enableActions() {
  // why: the reason for which the action can do nothing here; empty when it can.
  const auto enable = [](QAction* action, const QString& why) {
    if (!action->property("ownTip").isValid()) action->setProperty("ownTip", action->toolTip());
    action->setEnabled(why.isEmpty());
    action->setToolTip(why.isEmpty() ? action->property("ownTip").toString() : why);
  };
  for (const ActionId id : teachActions) {
    QAction* action = actions_[id];
    const bool colours = id >= ActionId::colourCluster && id <= ActionId::colourChanged;
    enable(action, workspace_ != Workspace::teach ? tr("%1 is for Teach (Ctrl+2)").arg(action->text())
                   : colours && !parts_.draws     ? tr("No points are drawn here")
                                                  : QString());
  }
  for (const ActionId id : compareActions)
    enable(actions_[id], workspace_ != Workspace::compare
                             ? tr("%1 is for Compare (Ctrl+3)").arg(actions_[id]->text())
                             : QString());
}

void WorkspaceLayout::showPanels() {
  const bool teach = workspace_ == Workspace::teach;
  const bool compare = workspace_ == Workspace::compare;
  const bool explore = workspace_ == Workspace::explore;
  const bool alone = teach && parts_.teach->alone();
  const std::pair<QWidget*, bool> parts[] = {
      {side_, panels().side && !presenting_ && !alone},
      {lower_, explore && panels().lower && !presenting_},
      {parts_.presentBar, explore && presenting_},
      {teachSide_, teach},
      {teachBelow_, teach && panels().lower && !parts_.teach->belowEmpty()},
      {window_.centralWidget(), !alone},
      {parts_.teach->above(), teach},
      {parts_.teach->steps(), teach},
      {compareAbove_, compare},
      {compareSide_, compare && panels().lower},
      {parts_.compare->bar(), compare},
      {parts_.compare->metrics(), compare && panels().lower},
  };
  // Hidden before others are shown: two sets of panels at once would squeeze the points.
  for (const auto& [part, shown] : parts)
    if (!shown) part->hide();
  for (const auto& [part, shown] : parts)
    if (shown) part->show();
}

void WorkspaceLayout::setPresenting(bool on) {
  if (presenting_ == on) return;
  presenting_ = on;
  actions_[ActionId::present]->setChecked(on);
  actions_[ActionId::endPresent]->setEnabled(on);
  if (on) wasMaximized_ = window_.isMaximized();
  for (QWidget* bar : parts_.bars)
    bar->setVisible(!on);
  showPanels();
  if (on) {
    window_.showFullScreen();
  } else {
    wasMaximized_ ? window_.showMaximized() : window_.showNormal();
    QTimer::singleShot(settleMs, this, &WorkspaceLayout::keepTitleOnScreen);
  }
  Q_EMIT changed();
}

void WorkspaceLayout::setViewOnly() {
  for (QWidget* bar : parts_.bars)
    bar->hide();
  for (QWidget* part : std::initializer_list<QWidget*>{
           side_, lower_, teachSide_, teachBelow_, parts_.teach->above(), parts_.teach->steps(),
           compareAbove_, compareSide_, parts_.compare->bar(), parts_.compare->metrics()}) {
    part->hide();
  }
}

/// In a window of next to no size Qt would complain of a panel of none.
void WorkspaceLayout::setDockSize(QDockWidget& dock, int size, Qt::Orientation orientation) {
  window_.resizeDocks({&dock}, {std::max(1, size)}, orientation);
}

int WorkspaceLayout::lengthOf(Qt::Orientation along) const {
  return along == Qt::Horizontal ? window_.width() : window_.height();
}

void WorkspaceLayout::windowShown() {
  if (std::exchange(shown_, true)) return;
  // The points get most of any window; the ladder its full height only where there is plenty.
  if (!shares_.front().byHand) shares_.front().most = parts_.bottom->sizeHint().height();
  window_.layout()->activate();
  if (!arranged_) setDockSize(*side_, std::clamp(window_.width() / 5, 260, sideWidth), Qt::Horizontal);
  shareSizes();
}

void WorkspaceLayout::shareSizes() {
  const bool compare = workspace_ == Workspace::compare;
  const int least = static_cast<int>(window_.height() * leastViewsPart);
  parts_.views->setMinimumHeight(compare ? std::clamp(least, 1, leastViews) : 1);
  if (!shown_) return;
  window_.layout()->activate(); // panels that were just shown have no place of their own yet
  for (const Share& share : shares_) {
    if (!share.dock->isVisible()) continue;
    const int size = std::min(static_cast<int>(std::lround(lengthOf(share.along) * share.part)), share.most);
    setDockSize(*share.dock, size, share.along);
  }
  if (!compare) return;
  // Figures of which not even the fewest rows would be seen leave their room to the views.
  window_.layout()->activate();
  QWidget* metrics = parts_.compare->metrics();
  // Room that is made by scrolling is none.
  const QWidget* middle = parts_.column->parentWidget();
  const int scrolled = std::max(0, middle->height() - middle->parentWidget()->height());
  const int both =
      parts_.views->minimumHeight() + parts_.column->handleWidth() + metrics->minimumSizeHint().height();
  metrics->setVisible(panels().lower && parts_.column->height() - scrolled >= both);
  if (!columnMoved_) parts_.column->setSizes({viewsShare, 100 - viewsShare});
  if (!viewsMoved_) parts_.views->setSizes({1, 1});
}

/// One step by key of what a mouse would drag.
void WorkspaceLayout::moveBorder(Share& share, double by) {
  if (!share.dock->isVisible() || parts_.teach->alone()) return;
  constexpr double least = 0.1;
  keepShare(share);
  setShare(share, std::clamp(share.part + by, least, 1 - least));
  shareSizes();
}

void WorkspaceLayout::keepShare(Share& share) {
  if (lengthOf(share.along) <= 0) return;
  const QSize size = share.dock->size();
  setShare(share, static_cast<double>(share.along == Qt::Horizontal ? size.width() : size.height()) /
                      lengthOf(share.along));
}

void WorkspaceLayout::setShare(Share& share, double part) {
  share.part = part;
  share.most = unbounded;
  share.byHand = true;
}

/// Some window managers put the content of a window that was full-screen where its frame should begin.
void WorkspaceLayout::keepTitleOnScreen() {
  const QScreen* screen = window_.screen();
  if (!screen || presenting_ || window_.isMaximized() || window_.isFullScreen()) return;
  const int above = screen->availableGeometry().top() - window_.frameGeometry().top();
  if (above > 0) window_.move(window_.pos() + QPoint(0, above));
}

/// Once for all that happens until the event loop comes round.
void WorkspaceLayout::shareSizesLater() {
  if (std::exchange(sharing_, true)) return;
  QMetaObject::invokeMethod(
      this,
      [this] {
        sharing_ = false;
        shareSizes();
      },
      Qt::QueuedConnection);
}

bool WorkspaceLayout::eventFilter(QObject* watched, QEvent* event) {
  // Panes of Teach are shares of the window, whatever sizes it went through.
  if (watched == &window_) {
    if (event->type() == QEvent::Resize && workspace_ == Workspace::teach) shareSizesLater();
    return QObject::eventFilter(watched, event);
  }
  const bool note = parts_.notes.contains(watched);
  if (note && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) shareSizesLater();
  if (note || event->type() != QEvent::Resize || !shown_) return QObject::eventFilter(watched, event);
  if (QGuiApplication::mouseButtons().testFlag(Qt::LeftButton))
    for (Share& share : shares_)
      if (watched == share.dock && share.dock->isVisible()) keepShare(share);
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
