// SPDX-License-Identifier: GPL-3.0-or-later
// Which panels stand around the points. The points themselves never move: a view that changes its parent
// loses its context.
#include "app/ui/main_window.hpp"
#include "app/ui/present_bar.hpp"
#include "app/ui/teach_colours.hpp"
#include "app/ui/teach_steps.hpp"
#include "app/ui/teach_workspace.hpp"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QLayout>

namespace lloyd {

namespace {

constexpr int lessonShare = 30; ///< percent of the height for the lesson

constexpr Command teachCommands[] = {
    Command::colourCluster, Command::colourThread,   Command::colourWarp,         Command::colourBlock,
    Command::colourChanged, Command::nextDifference, Command::previousDifference, Command::ghostLines,
    Command::countAgain,    Command::largerText,     Command::smallerText};

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
  QAction* compare = (*actions_)[Command::compare];
  compare->setEnabled(false);
  compare->setToolTip(tr("Compare is not part of this version; it has Explore and Teach"));
  for (const Command command : teachCommands) {
    QAction* action = (*actions_)[command];
    action->setProperty("teachTip", action->toolTip());
  }
  teachSide_->installEventFilter(this);
  // What a tour has the session try is nobody's choice.
  connect(&tour_, &VariantTour::progressed, teach_, [this] { teach_->setFollowing(false); });
  connect(&tour_, &VariantTour::ended, teach_, [this] { teach_->setFollowing(true); });
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

WorkspacePanels& MainWindow::panels() { return workspace_ == Workspace::teach ? teaching_ : exploring_; }

void MainWindow::setWorkspace(Workspace workspace) {
  workspace_ = workspace;
  const bool teach = workspace == Workspace::teach;
  (*actions_)[teach ? Command::teach : Command::explore]->setChecked(true);
  for (const Command command : teachCommands) {
    QAction* action = (*actions_)[command];
    const bool colours = command >= Command::colourCluster && command <= Command::colourChanged;
    const bool nothingDrawn = colours && !viewport_;
    action->setEnabled(teach && !nothingDrawn);
    action->setToolTip(!teach         ? tr("%1 is for Teach (Ctrl+2)").arg(action->text())
                       : nothingDrawn ? tr("No points are drawn here")
                                      : action->property("teachTip").toString());
  }
  (*actions_)[Command::sidePanel]->setChecked(panels().side);
  (*actions_)[Command::bottomPanel]->setChecked(panels().lower);
  showPanels();
  arrangeTeach();
  teach_->setShown(teach);
}

void MainWindow::showPanels() {
  const bool teach = workspace_ == Workspace::teach;
  // Hidden before others are shown: two sets of panels at once would squeeze the points.
  if (!teach) {
    for (QWidget* part :
         std::initializer_list<QWidget*>{teachSide_, teachBelow_, teach_->above(), teach_->steps()})
      part->hide();
  } else {
    lower_->hide();
  }
  side_->setVisible(panels().side && !presenting_);
  lower_->setVisible(!teach && panels().lower && !presenting_);
  presentBar_->setVisible(!teach && presenting_);
  teachSide_->setVisible(teach);
  teachBelow_->setVisible(teach && panels().lower && !teach_->belowEmpty());
  teach_->above()->setVisible(teach);
  teach_->steps()->setVisible(teach);
}

void MainWindow::arrangeTeach() {
  if (workspace_ != Workspace::teach || teachSized_ || !isVisible()) return;
  teachSized_ = true;
  layout()->activate(); // panels that were just shown have no place of their own yet
  shareWidth();
  resizeDocks({teachBelow_}, {height() * lessonShare / 100}, Qt::Vertical);
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
