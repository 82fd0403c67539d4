// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/workspace_layout.hpp"

#include "app/ui/common/actions.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/teach/teach_workspace.hpp"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QLayout>
#include <QMainWindow>
#include <QSplitter>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace lloyd {

namespace {

constexpr int sideWidth = 288;
constexpr int lessonShare = 30; ///< percent of the height for the lesson
constexpr int ladderShare = 37; ///< percent of the height for the race
constexpr int plotsShare = 40;  ///< percent of the width
constexpr int viewsShare = 62;  ///< percent of what views and figures have together

constexpr ActionId teachActions[] = {
    ActionId::colourCluster, ActionId::colourThread,   ActionId::colourWarp,         ActionId::colourBlock,
    ActionId::colourChanged, ActionId::nextDifference, ActionId::previousDifference, ActionId::ghostLines,
    ActionId::countAgain,    ActionId::largerText,     ActionId::smallerText};

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
          dock("compareSide", tr("Plots and sweeps"), parts_.compare->plots(), Qt::RightDockWidgetArea)) {
  window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window_.setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
  window_.setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
  teachSide_->installEventFilter(this);
  connectActions();
  // Queued: it is said in the middle of a layout.
  connect(parts_.teach, &TeachWorkspace::arranged, this, &WorkspaceLayout::showPanels, Qt::QueuedConnection);
}

/// A dock that only holds its panel: no title, no floating, so that nothing ever moves house.
QDockWidget* WorkspaceLayout::dock(const char* name, const QString& title, QWidget* panel,
                                   Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, &window_);
  dock->setObjectName(QString::fromLatin1(name));
  dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock->setTitleBarWidget(new QWidget(dock));
  dock->setWidget(panel);
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
  connect(actions_[ActionId::present], &QAction::triggered, this, [this] { setPresenting(!presenting_); });
  connect(actions_[ActionId::endPresent], &QAction::triggered, this, [this] { setPresenting(false); });
  actions_[ActionId::endPresent]->setEnabled(false);
}

void WorkspaceLayout::restore(const WindowSettings& past) {
  restoreWindow(window_, past);
  sized_ = !past.arrangement.isEmpty();
  teachSized_ = sized_ && past.workspace == Workspace::teach;
  compareSized_ = sized_ && past.workspace == Workspace::compare;
  panels_ = past.panels;
}

void WorkspaceLayout::remember(WindowSettings& settings) const {
  settings.workspace = workspace_;
  settings.panels = panels_;
  settings.geometry = window_.saveGeometry();
  settings.arrangement = window_.saveState(panelsVersion);
}

void WorkspaceLayout::setWorkspace(Workspace workspace) {
  workspace_ = workspace;
  const bool teach = workspace == Workspace::teach;
  const bool compare = workspace == Workspace::compare;
  actions_[teach ? ActionId::teach : compare ? ActionId::compare : ActionId::explore]->setChecked(true);
  enableActions();
  actions_[ActionId::sidePanel]->setChecked(panels().side);
  actions_[ActionId::bottomPanel]->setChecked(panels().lower);
  showPanels();
  arrangeTeach();
  parts_.teach->setShown(teach);
  parts_.compare->setShown(compare);
  arrangeCompare(); // B's view has come
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
  const std::pair<QWidget*, bool> parts[] = {
      {side_, panels().side && !presenting_},
      {lower_, explore && panels().lower && !presenting_},
      {parts_.presentBar, explore && presenting_},
      {teachSide_, teach},
      {teachBelow_, teach && panels().lower && !parts_.teach->belowEmpty()},
      {parts_.teach->above(), teach},
      {parts_.teach->steps(), teach},
      {compareAbove_, compare},
      {compareSide_, compare && panels().lower},
      {parts_.compare->bar(), compare},
      {parts_.compare->figures(), compare && panels().lower},
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
  }
  Q_EMIT changed();
}

void WorkspaceLayout::setViewOnly() {
  for (QWidget* bar : parts_.bars)
    bar->hide();
  for (QWidget* part : std::initializer_list<QWidget*>{
           side_, lower_, teachSide_, teachBelow_, parts_.teach->above(), parts_.teach->steps(),
           compareAbove_, compareSide_, parts_.compare->bar(), parts_.compare->figures()}) {
    part->hide();
  }
}

/// In a window of next to no size Qt would complain of a panel of none.
void WorkspaceLayout::setDockSize(QDockWidget& dock, int size, Qt::Orientation orientation) {
  window_.resizeDocks({&dock}, {std::max(1, size)}, orientation);
}

void WorkspaceLayout::windowShown() {
  if (std::exchange(sized_, true)) return;
  // The points get most of any window; the ladder its full height only where there is plenty.
  setDockSize(*side_, std::clamp(window_.width() / 5, 260, sideWidth), Qt::Horizontal);
  setDockSize(*lower_, std::min(parts_.bottom->sizeHint().height(), window_.height() * 3 / 10), Qt::Vertical);
  arrangeTeach();
  arrangeCompare();
}

void WorkspaceLayout::arrangeTeach() {
  if (workspace_ != Workspace::teach || teachSized_ || !window_.isVisible()) return;
  teachSized_ = true;
  window_.layout()->activate(); // panels that were just shown have no place of their own yet
  shareWidth();
  setDockSize(*teachBelow_, window_.height() * lessonShare / 100, Qt::Vertical);
}

void WorkspaceLayout::arrangeCompare() {
  if (workspace_ != Workspace::compare || compareSized_ || !window_.isVisible()) return;
  compareSized_ = true;
  window_.layout()->activate();
  setDockSize(*compareAbove_, window_.height() * ladderShare / 100, Qt::Vertical);
  setDockSize(*compareSide_, window_.width() * plotsShare / 100, Qt::Horizontal);
  parts_.column->setSizes({viewsShare, 100 - viewsShare});
  parts_.views->setSizes({1, 1});
}

void WorkspaceLayout::shareWidth() {
  if (workspace_ != Workspace::teach || !teachSized_) return;
  setDockSize(*teachSide_, static_cast<int>(window_.width() * teachShare_), Qt::Horizontal);
}

bool WorkspaceLayout::eventFilter(QObject* watched, QEvent* event) {
  const bool dragged = watched == teachSide_ && event->type() == QEvent::Resize && teachSized_ &&
                       QGuiApplication::mouseButtons().testFlag(Qt::LeftButton);
  if (dragged && window_.width() > 0)
    teachShare_ = static_cast<double>(teachSide_->width()) / window_.width();
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
