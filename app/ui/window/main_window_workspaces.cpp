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

constexpr Command teachCommands[] = {
    Command::colourCluster, Command::colourThread,   Command::colourWarp,         Command::colourBlock,
    Command::colourChanged, Command::nextDifference, Command::previousDifference, Command::ghostLines,
    Command::countAgain,    Command::largerText,     Command::smallerText};

constexpr Command compareCommands[] = {Command::race,  Command::pinBaseline, Command::markA,
                                       Command::markB, Command::nextPairing, Command::saveReport};

} // namespace

void MainWindow::connectWorkspaces() {
  const auto choice = [this](Command command, Workspace workspace) {
    connect((*actions_)[command], &QAction::triggered, this, [this, workspace] { setWorkspace(workspace); });
  };
  choice(Command::explore, Workspace::explore);
  choice(Command::teach, Workspace::teach);
  (*actions_)[Command::explore]->setToolTip(tr("Explore: the points (Ctrl+1)"));
  (*actions_)[Command::teach]->setToolTip(
      tr("Teach: one step, its source and what it asks of memory (Ctrl+2)"));
  choice(Command::compare, Workspace::compare);
  (*actions_)[Command::compare]->setToolTip(
      tr("Compare: every variant against the others, and two of them side by side (Ctrl+3)"));
  for (const auto& commands :
       {std::span<const Command>(teachCommands), std::span<const Command>(compareCommands)})
    for (const Command command : commands) {
      QAction* action = (*actions_)[command];
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
  connect((*actions_)[Command::sidePanel], &QAction::toggled, this, [this](bool shown) {
    panels().side = shown;
    showPanels();
  });
  connect((*actions_)[Command::bottomPanel], &QAction::toggled, this, [this](bool shown) {
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
  (*actions_)[teach ? Command::teach : compare ? Command::compare : Command::explore]->setChecked(true);
  for (const Command command : teachCommands) {
    QAction* action = (*actions_)[command];
    const bool colours = command >= Command::colourCluster && command <= Command::colourChanged;
    const bool nothingDrawn = colours && !viewport_;
    action->setEnabled(teach && !nothingDrawn);
    action->setToolTip(!teach         ? tr("%1 is for Teach (Ctrl+2)").arg(action->text())
                       : nothingDrawn ? tr("No points are drawn here")
                                      : action->property("ownTip").toString());
  }
  for (const Command command : compareCommands) {
    QAction* action = (*actions_)[command];
    action->setEnabled(compare);
    action->setToolTip(compare ? action->property("ownTip").toString()
                               : tr("%1 is for Compare (Ctrl+3)").arg(action->text()));
  }
  (*actions_)[Command::sidePanel]->setChecked(panels().side);
  (*actions_)[Command::bottomPanel]->setChecked(panels().lower);
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
