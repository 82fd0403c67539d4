// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/actions.hpp"

#include "app/ui/common/theme.hpp"

#include <QAction>
#include <QKeySequence>
#include <QToolButton>
#include <QWidget>

namespace lloyd {

namespace {

struct Row {
  ActionId id;
  const char* group;
  const char* text;
  const char* keys; ///< several are parted by a space
  const char* icon = nullptr;
  const char* gesture = nullptr; ///< what the mouse does instead
  bool checkable = false;
};

} // namespace

Actions::Actions(QWidget* window) : QObject(window) {
  static constexpr Row table[] = {
      {ActionId::open, QT_TR_NOOP("File"), QT_TR_NOOP("Open a file"), "Ctrl+O", "open",
       QT_TR_NOOP("drop a file on the window")},
      {ActionId::save, "File", QT_TR_NOOP("Save the session"), "Ctrl+S"},
      {ActionId::saveAs, "File", QT_TR_NOOP("Save the session under another name"), "Ctrl+Alt+S"},
      {ActionId::screenshot, "File", QT_TR_NOOP("Save a picture of the window"), "Ctrl+Shift+S"},
      {ActionId::exportTable, "File", QT_TR_NOOP("Export the table with clusters"), "Ctrl+Alt+E"},
      {ActionId::exportLabels, "File", QT_TR_NOOP("Export labels"), "Ctrl+E"},
      {ActionId::exportCentroids, "File", QT_TR_NOOP("Export centroids"), "Ctrl+Shift+E"},
      {ActionId::exportPicture, "File", QT_TR_NOOP("Export a picture of the points"), "Ctrl+Shift+P"},
      {ActionId::quit, "File", QT_TR_NOOP("Quit"), "Ctrl+Q"},
      {ActionId::undo, QT_TR_NOOP("Edit"), QT_TR_NOOP("Undo"), "Ctrl+Z"},
      {ActionId::redo, "Edit", QT_TR_NOOP("Redo"), "Ctrl+Shift+Z Ctrl+Y"},
      {ActionId::copyCommand, "Edit", QT_TR_NOOP("Copy as command line"), "Ctrl+Shift+C"},
      {ActionId::play, QT_TR_NOOP("Run"), QT_TR_NOOP("Play"), "Space", "play"},
      {ActionId::step, "Run", QT_TR_NOOP("One iteration"), "Right", "step"},
      {ActionId::halfStep, "Run", QT_TR_NOOP("Half an iteration"), "Shift+Right"},
      {ActionId::stepBack, "Run", QT_TR_NOOP("Take half an iteration back"), "Left", "back"},
      {ActionId::restart, "Run", QT_TR_NOOP("Restart with the same seed"), "Home", "restart"},
      {ActionId::restarts, "Run", QT_TR_NOOP("Runs from other seeds"), "Ctrl+R", nullptr, nullptr, true},
      {ActionId::measure, "Run", QT_TR_NOOP("Time every variant"), "Ctrl+M", "measure"},
      {ActionId::slower, "Run", QT_TR_NOOP("Fewer iterations a second"), "["},
      {ActionId::faster, "Run", QT_TR_NOOP("More iterations a second"), "]"},
      {ActionId::previousVariant, "Run", QT_TR_NOOP("Previous variant of the stage"), "PgUp", nullptr,
       QT_TR_NOOP("click its bar in the list of variants")},
      {ActionId::nextVariant, "Run", QT_TR_NOOP("Next variant of the stage"), "PgDown", nullptr,
       QT_TR_NOOP("click its bar in the list of variants")},
      {ActionId::nextCentroid, QT_TR_NOOP("Centroids"), QT_TR_NOOP("Select the next centroid"), "N", nullptr,
       QT_TR_NOOP("press on its marker")},
      {ActionId::moveLeft, "Centroids", QT_TR_NOOP("Move the centroid left"), "Alt+Left", nullptr,
       QT_TR_NOOP("drag its marker")},
      {ActionId::moveRight, "Centroids", QT_TR_NOOP("Move the centroid right"), "Alt+Right", nullptr,
       "drag its marker"},
      {ActionId::moveUp, "Centroids", QT_TR_NOOP("Move the centroid up"), "Alt+Up", nullptr,
       "drag its marker"},
      {ActionId::moveDown, "Centroids", QT_TR_NOOP("Move the centroid down"), "Alt+Down", nullptr,
       "drag its marker"},
      {ActionId::addCentroid, "Centroids", QT_TR_NOOP("Add a centroid at the pointer"), "A Ins", nullptr,
       QT_TR_NOOP("Ctrl-click a free place")},
      {ActionId::removeCentroid, "Centroids",
       QT_TR_NOOP("Remove the centroid under the pointer, or the selected one"), "X Del", nullptr,
       QT_TR_NOOP("Ctrl-click its marker")},
      {ActionId::lasso, QT_TR_NOOP("Select"), QT_TR_NOOP("Select by a lasso"), "S", nullptr,
       QT_TR_NOOP("then drag; Ctrl adds, Alt takes away, Esc ends"), true},
      {ActionId::box, "Select", QT_TR_NOOP("Select by a box"), "Shift+S", nullptr,
       "then drag; Ctrl adds, Alt takes away, Esc ends", true},
      {ActionId::selectByRule, "Select", QT_TR_NOOP("Select by a rule"), "/"},
      {ActionId::selectNone, "Select", QT_TR_NOOP("Select nothing"), "Ctrl+Shift+A"},
      {ActionId::invertSelection, "Select", QT_TR_NOOP("Select what is shown and not selected"), "Ctrl+I"},
      {ActionId::hideSelected, "Select", QT_TR_NOOP("Hide what is selected"), "H"},
      {ActionId::showSelectedAlone, "Select", QT_TR_NOOP("Show what is selected alone"), "Shift+H"},
      {ActionId::showAllPoints, "Select", QT_TR_NOOP("Show what is hidden"), "Ctrl+H"},
      {ActionId::clusterSelected, "Select", QT_TR_NOOP("Cluster only what is selected"), "Ctrl+K"},
      {ActionId::clusterAll, "Select", QT_TR_NOOP("Cluster all points again"), "Ctrl+Shift+K"},
      {ActionId::exportSelected, "Select", QT_TR_NOOP("Export the selected rows"), "Ctrl+Alt+R"},
      {ActionId::fit, QT_TR_NOOP("View"), QT_TR_NOOP("Fit all points"), "F", "fit"},
      {ActionId::resetView, "View", QT_TR_NOOP("Reset the view"), "R"},
      {ActionId::axisX, "View", QT_TR_NOOP("Look along the first axis"), "1"},
      {ActionId::axisY, "View", QT_TR_NOOP("Look along the second axis"), "2"},
      {ActionId::axisZ, "View", QT_TR_NOOP("Look along the third axis"), "3"},
      {ActionId::components, "View", QT_TR_NOOP("Principal components as axes, or the first columns"), "P"},
      {ActionId::orthographic, "View", QT_TR_NOOP("Orthographic"), "O", nullptr, nullptr, true},
      {ActionId::zoomIn, "View", QT_TR_NOOP("Zoom in"), "Ctrl+= Ctrl++", nullptr, QT_TR_NOOP("wheel up")},
      {ActionId::zoomOut, "View", QT_TR_NOOP("Zoom out"), "Ctrl+-", nullptr, QT_TR_NOOP("wheel down")},
      {ActionId::panLeft, "View", QT_TR_NOOP("Pan left"), "Ctrl+Shift+Left", nullptr,
       QT_TR_NOOP("drag; Shift-drag in 3-D")},
      {ActionId::panRight, "View", QT_TR_NOOP("Pan right"), "Ctrl+Shift+Right", nullptr,
       "drag; Shift-drag in 3-D"},
      {ActionId::panUp, "View", QT_TR_NOOP("Pan up"), "Ctrl+Shift+Up", nullptr, "drag; Shift-drag in 3-D"},
      {ActionId::panDown, "View", QT_TR_NOOP("Pan down"), "Ctrl+Shift+Down", nullptr,
       "drag; Shift-drag in 3-D"},
      {ActionId::orbitLeft, "View", QT_TR_NOOP("Orbit left"), "Ctrl+Left", nullptr,
       QT_TR_NOOP("drag in 3-D")},
      {ActionId::orbitRight, "View", QT_TR_NOOP("Orbit right"), "Ctrl+Right", nullptr, "drag in 3-D"},
      {ActionId::orbitUp, "View", QT_TR_NOOP("Orbit up"), "Ctrl+Up", nullptr, "drag in 3-D"},
      {ActionId::orbitDown, "View", QT_TR_NOOP("Orbit down"), "Ctrl+Down", nullptr, "drag in 3-D"},
      {ActionId::centre, "View", QT_TR_NOOP("Centre on the place under the pointer"), ".", nullptr,
       QT_TR_NOOP("double-click")},
      {ActionId::inspect, "View", QT_TR_NOOP("Describe the point under the pointer"), "I", nullptr,
       QT_TR_NOOP("hover or click")},
      {ActionId::smallerPoints, "View", QT_TR_NOOP("Smaller points"), "-"},
      {ActionId::largerPoints, "View", QT_TR_NOOP("Larger points"), "+ ="},
      {ActionId::trails, "View", QT_TR_NOOP("Trails of the centroids"), "T", nullptr, nullptr, true},
      {ActionId::regions, "View", QT_TR_NOOP("Regions of the clusters"), "G", nullptr, nullptr, true},
      {ActionId::theme, "View", QT_TR_NOOP("Light or dark"), "L"},
      {ActionId::paneAlone, "View", QT_TR_NOOP("One pane of Teach alone"), "Z", nullptr, nullptr, true},
      {ActionId::sourcePane, "View", QT_TR_NOOP("Source pane"), "Alt+7", nullptr, nullptr, true},
      {ActionId::countersPane, "View", QT_TR_NOOP("Counters pane"), "Alt+8", nullptr, nullptr, true},
      {ActionId::lessonPane, "View", QT_TR_NOOP("Lesson pane"), "Alt+9", nullptr, nullptr, true},
      {ActionId::countersTab, "View", QT_TR_NOOP("Counters of Teach"), "Alt+Shift+C"},
      {ActionId::memoryTab, "View", QT_TR_NOOP("Memory of Teach"), "Alt+Shift+M"},
      {ActionId::blockTab, "View", QT_TR_NOOP("Block of Teach"), "Alt+Shift+B"},
      {ActionId::predictTab, "View", QT_TR_NOOP("Predictions of Teach"), "Alt+Shift+P"},
      {ActionId::colourCluster, QT_TR_NOOP("Teach"), QT_TR_NOOP("Colour by cluster"), "Alt+1", nullptr,
       nullptr, true},
      {ActionId::colourThread, "Teach", QT_TR_NOOP("Colour by thread"), "Alt+2", nullptr, nullptr, true},
      {ActionId::colourWarp, "Teach", QT_TR_NOOP("Colour by warp"), "Alt+3", nullptr, nullptr, true},
      {ActionId::colourBlock, "Teach", QT_TR_NOOP("Colour by block"), "Alt+4", nullptr, nullptr, true},
      {ActionId::colourChanged, "Teach", QT_TR_NOOP("Colour what changed"), "Alt+5", nullptr, nullptr, true},
      {ActionId::nextDifference, "Teach", QT_TR_NOOP("Next difference in the source"), "F8"},
      {ActionId::previousDifference, "Teach", QT_TR_NOOP("Previous difference in the source"), "Shift+F8"},
      {ActionId::ghostLines, "Teach", QT_TR_NOOP("Lines that the version before had"), "Ctrl+G", nullptr,
       nullptr, true},
      {ActionId::foldSame, "Teach", QT_TR_NOOP("Fold lines that are as in the version before"),
       "Ctrl+Shift+G", nullptr, QT_TR_NOOP("click a folded row to unfold it alone"), true},
      {ActionId::countAgain, "Teach", QT_TR_NOOP("Count again"), "F5"},
      {ActionId::hideCounters, "Teach", QT_TR_NOOP("Hide counters until they are predicted"), "Ctrl+Shift+H",
       nullptr, nullptr, true},
      {ActionId::editKernel, "Teach", QT_TR_NOOP("Edit a copy of the kernel"), "Ctrl+Shift+M"},
      {ActionId::openKernel, "Teach", QT_TR_NOOP("Open a kernel of your own"), "Ctrl+Alt+M"},
      {ActionId::findBug, "Teach", QT_TR_NOOP("Find the bug in a kernel"), "Ctrl+Alt+B"},
      {ActionId::takeApart, "Teach", QT_TR_NOOP("Take this step apart"), "Ctrl+Alt+T"},
      {ActionId::dataLesson, "Teach", QT_TR_NOOP("What the data do to a kernel's time"), "Ctrl+Alt+D"},
      {ActionId::largerText, "Teach", QT_TR_NOOP("Larger text"), "Alt+= Alt++"},
      {ActionId::smallerText, "Teach", QT_TR_NOOP("Smaller text"), "Alt+-"},
      {ActionId::race, QT_TR_NOOP("Compare"), QT_TR_NOOP("Race the variants"), "F6", "measure"},
      {ActionId::pinBaseline, "Compare", QT_TR_NOOP("Pin the row as the baseline"), "B"},
      {ActionId::markA, "Compare", QT_TR_NOOP("Make the row A"), "Shift+A"},
      {ActionId::markB, "Compare", QT_TR_NOOP("Make the row B"), "Shift+B"},
      {ActionId::nextPairing, "Compare",
       QT_TR_NOOP("Next way to show A and B: side by side, split, difference, A alone"), "V"},
      {ActionId::saveReport, "Compare", QT_TR_NOOP("Save the race as a report"), "Ctrl+Shift+R"},
      {ActionId::sidePanel, QT_TR_NOOP("Window"), QT_TR_NOOP("Side panel"), "F9", nullptr, nullptr, true},
      {ActionId::bottomPanel, "Window", QT_TR_NOOP("Lower panel"), "Shift+F9", nullptr, nullptr, true},
      {ActionId::widerSource, "Window", QT_TR_NOOP("Wider source, narrower counters"), "Alt+Shift+Right",
       nullptr, QT_TR_NOOP("drag the line between two panes")},
      {ActionId::narrowerSource, "Window", QT_TR_NOOP("Narrower source, wider counters"), "Alt+Shift+Left",
       nullptr, "drag the line between two panes"},
      {ActionId::higherLesson, "Window", QT_TR_NOOP("Higher lesson"), "Alt+Shift+Up", nullptr,
       "drag the line between two panes"},
      {ActionId::lowerLesson, "Window", QT_TR_NOOP("Lower lesson"), "Alt+Shift+Down", nullptr,
       "drag the line between two panes"},
      {ActionId::widerPoints, "Window", QT_TR_NOOP("Wider points"), "Alt+.", nullptr,
       "drag the line between two panes"},
      {ActionId::narrowerPoints, "Window", QT_TR_NOOP("Narrower points"), "Alt+,", nullptr,
       "drag the line between two panes"},
      {ActionId::menus, "Window", QT_TR_NOOP("Go to the menus"), "F10"},
      {ActionId::present, "Window", QT_TR_NOOP("Present"), "F11", nullptr, nullptr, true},
      {ActionId::endPresent, "Window", QT_TR_NOOP("End presenting"), "Esc"},
      {ActionId::explore, "Window", QT_TR_NOOP("Explore"), "Ctrl+1", nullptr, nullptr, true},
      {ActionId::teach, "Window", QT_TR_NOOP("Teach"), "Ctrl+2", nullptr, nullptr, true},
      {ActionId::compare, "Window", QT_TR_NOOP("Compare"), "Ctrl+3", nullptr, nullptr, true},
      {ActionId::help, QT_TR_NOOP("Help"), QT_TR_NOOP("Keys and gestures"), "? F1"},
      {ActionId::about, "Help", QT_TR_NOOP("About Lloydscope"), "Shift+F1"},
  };
  for (const Row& row : table) {
    auto* action = new QAction(tr(row.text), window);
    QList<QKeySequence> keys;
    for (const QString& key : QString::fromLatin1(row.keys).split(QLatin1Char(' ')))
      keys << QKeySequence(key);
    action->setShortcuts(keys);
    action->setCheckable(row.checkable);
    action->setProperty("name", action->text());
    action->setProperty("group", tr(row.group));
    action->setProperty("gesture", row.gesture ? tr(row.gesture) : QString());
    action->setProperty("iconName", row.icon ? QString::fromLatin1(row.icon) : QString());
    action->setToolTip(tr("%1 (%2)").arg(action->text(), keys.front().toString(QKeySequence::NativeText)));
    window->addAction(action);
    actions_[row.id] = action;
    order_ << action;
  }
  renewIcons();
}

QString Actions::name(const QAction& action) { return action.property("name").toString(); }

QString Actions::group(const QAction& action) { return action.property("group").toString(); }

QString Actions::gesture(const QAction& action) { return action.property("gesture").toString(); }

void Actions::renewIcons() {
  for (QAction* action : order_) {
    const QString icon = action->property("iconName").toString();
    if (!icon.isEmpty()) action->setIcon(themedIcon(icon));
  }
}

QToolButton* arrowButton(QAction* action, Qt::ArrowType arrow, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setArrowType(arrow);
  button->setAccessibleName(action->text());
  button->setToolTip(action->toolTip());
  button->setFocusPolicy(Qt::TabFocus);
  QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
  return button;
}

} // namespace lloyd
