// SPDX-License-Identifier: GPL-3.0-or-later
// Which panels stand around the points. The points themselves never move: a view that changes its parent
// loses its context.
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/half_step_bar.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/window/main_window.hpp"
#include "app/ui/window/present_bar.hpp"
#include "app/ui/window/status_line.hpp"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QLayout>
#include <QSplitter>

#include <span>
#include <utility>

namespace lloyd {

namespace {

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

void MainWindow::connectWorkspaces() {
  const auto choice = [this](ActionId id, Workspace workspace) {
    connect((*actions_)[id], &QAction::triggered, this, [this, workspace] { setWorkspace(workspace); });
  };
  choice(ActionId::explore, Workspace::explore);
  choice(ActionId::teach, Workspace::teach);
  (*actions_)[ActionId::explore]->setToolTip(tr("Explore: the points (Ctrl+1)"));
  (*actions_)[ActionId::teach]->setToolTip(
      tr("Teach: one step, its source and what it asks of memory (Ctrl+2)"));
  choice(ActionId::compare, Workspace::compare);
  (*actions_)[ActionId::compare]->setToolTip(
      tr("Compare: every variant against the others, and two of them side by side (Ctrl+3)"));
  for (const auto& ids : {std::span<const ActionId>(teachActions), std::span<const ActionId>(compareActions)})
    for (const ActionId id : ids) {
      QAction* action = (*actions_)[id];
      action->setProperty("ownTip", action->toolTip());
    }
  connect(compare_, &CompareWorkspace::message, this, &MainWindow::say);
  connect(compare_, &CompareWorkspace::busyChanged, this, &MainWindow::enableRunning);
  teachSide_->installEventFilter(this);
  // What a tour has the session try is nobody's choice.
  connect(&tour_, &LiveBenchmark::progressed, teach_, [this] { teach_->setFollowing(false); });
  connect(&tour_, &LiveBenchmark::ended, teach_, [this] { teach_->setFollowing(true); });
  // Queued: it is said in the middle of a layout.
  connect(teach_, &TeachWorkspace::arranged, this, &MainWindow::showPanels, Qt::QueuedConnection);
  connect((*actions_)[ActionId::sidePanel], &QAction::toggled, this, [this](bool shown) {
    panels().side = shown;
    showPanels();
  });
  connect((*actions_)[ActionId::bottomPanel], &QAction::toggled, this, [this](bool shown) {
    panels().lower = shown;
    showPanels();
  });
}

WorkspacePanels& MainWindow::panels() {
  switch (workspace_) {
  case Workspace::teach:
    return teaching_;
  case Workspace::compare:
    return comparing_;
  default:
    return exploring_;
  }
}

void MainWindow::setWorkspace(Workspace workspace) {
  workspace_ = workspace;
  const bool teach = workspace == Workspace::teach;
  const bool compare = workspace == Workspace::compare;
  (*actions_)[teach ? ActionId::teach : compare ? ActionId::compare : ActionId::explore]->setChecked(true);
  for (const ActionId id : teachActions) {
    QAction* action = (*actions_)[id];
    const bool colours = id >= ActionId::colourCluster && id <= ActionId::colourChanged;
    const bool nothingDrawn = colours && !viewport_;
    action->setEnabled(teach && !nothingDrawn);
    action->setToolTip(!teach         ? tr("%1 is for Teach (Ctrl+2)").arg(action->text())
                       : nothingDrawn ? tr("No points are drawn here")
                                      : action->property("ownTip").toString());
  }
  for (const ActionId id : compareActions) {
    QAction* action = (*actions_)[id];
    action->setEnabled(compare);
    action->setToolTip(compare ? action->property("ownTip").toString()
                               : tr("%1 is for Compare (Ctrl+3)").arg(action->text()));
  }
  (*actions_)[ActionId::sidePanel]->setChecked(panels().side);
  (*actions_)[ActionId::bottomPanel]->setChecked(panels().lower);
  showPanels();
  arrangeTeach();
  teach_->setShown(teach);
  compare_->setShown(compare);
  arrangeCompare(); // B's view has come
  refreshNow();
}

void MainWindow::showPanels() {
  const bool teach = workspace_ == Workspace::teach;
  const bool compare = workspace_ == Workspace::compare;
  const bool explore = workspace_ == Workspace::explore;
  const std::pair<QWidget*, bool> parts[] = {
      {side_, panels().side && !presenting_},
      {lower_, explore && panels().lower && !presenting_},
      {presentBar_, explore && presenting_},
      {teachSide_, teach},
      {teachBelow_, teach && panels().lower && !teach_->belowEmpty()},
      {teach_->above(), teach},
      {teach_->steps(), teach},
      {compareAbove_, compare},
      {compareSide_, compare && panels().lower},
      {compare_->bar(), compare},
      {compare_->figures(), compare && panels().lower},
  };
  // Hidden before others are shown: two sets of panels at once would squeeze the points.
  for (const auto& [part, shown] : parts)
    if (!shown) part->hide();
  for (const auto& [part, shown] : parts)
    if (shown) part->show();
}

void MainWindow::arrangeTeach() {
  if (workspace_ != Workspace::teach || teachSized_ || !isVisible()) return;
  teachSized_ = true;
  layout()->activate(); // panels that were just shown have no place of their own yet
  shareWidth();
  resizeDocks({teachBelow_}, {height() * lessonShare / 100}, Qt::Vertical);
}

void MainWindow::arrangeCompare() {
  if (workspace_ != Workspace::compare || compareSized_ || !isVisible()) return;
  compareSized_ = true;
  layout()->activate();
  resizeDocks({compareAbove_}, {height() * ladderShare / 100}, Qt::Vertical);
  resizeDocks({compareSide_}, {width() * plotsShare / 100}, Qt::Horizontal);
  column_->setSizes({viewsShare, 100 - viewsShare});
  views_->setSizes({1, 1});
}

/// The points take all of a change in size; in Teach the source is as important.
void MainWindow::shareWidth() {
  if (workspace_ != Workspace::teach || !teachSized_) return;
  resizeDocks({teachSide_}, {static_cast<int>(width() * teachShare_)}, Qt::Horizontal);
}

/// A share that a person drags is kept.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  const bool dragged = watched == teachSide_ && event->type() == QEvent::Resize && teachSized_ &&
                       QGuiApplication::mouseButtons().testFlag(Qt::LeftButton);
  if (dragged && width() > 0) teachShare_ = static_cast<double>(teachSide_->width()) / width();
  return QMainWindow::eventFilter(watched, event);
}

} // namespace lloyd
