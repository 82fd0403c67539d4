// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/actions.hpp"

#include "app/ui/common/icons.hpp"

#include <QAction>
#include <QKeySequence>
#include <QWidget>

namespace lloyd {

namespace {

struct Row {
  Command command;
  const char* group;
  const char* text;
  const char* keys; ///< several are parted by a space
  const char* icon;
  const char* gesture; ///< what the mouse does instead
  bool checkable;
};

constexpr Row table[] = {
    {Command::open, QT_TRANSLATE_NOOP("Actions", "File"), QT_TRANSLATE_NOOP("Actions", "Open a file"),
     "Ctrl+O", "open", QT_TRANSLATE_NOOP("Actions", "drop a file on the window"), false},
    {Command::screenshot, "File", QT_TRANSLATE_NOOP("Actions", "Save a picture of the window"), "Ctrl+S",
     nullptr, nullptr, false},
    {Command::exportLabels, "File", QT_TRANSLATE_NOOP("Actions", "Export labels"), "Ctrl+E", nullptr, nullptr,
     false},
    {Command::exportCentroids, "File", QT_TRANSLATE_NOOP("Actions", "Export centroids"), "Ctrl+Shift+E",
     nullptr, nullptr, false},
    {Command::quit, "File", QT_TRANSLATE_NOOP("Actions", "Quit"), "Ctrl+Q", nullptr, nullptr, false},
    {Command::copyCommand, QT_TRANSLATE_NOOP("Actions", "Edit"),
     QT_TRANSLATE_NOOP("Actions", "Copy as command line"), "Ctrl+Shift+C", nullptr, nullptr, false},
    {Command::play, QT_TRANSLATE_NOOP("Actions", "Run"), QT_TRANSLATE_NOOP("Actions", "Play"), "Space",
     "play", nullptr, false},
    {Command::step, "Run", QT_TRANSLATE_NOOP("Actions", "One iteration"), "Right", "step", nullptr, false},
    {Command::halfStep, "Run", QT_TRANSLATE_NOOP("Actions", "Half an iteration"), "Shift+Right", nullptr,
     nullptr, false},
    {Command::stepBack, "Run", QT_TRANSLATE_NOOP("Actions", "Take half an iteration back"), "Left", "back",
     nullptr, false},
    {Command::restart, "Run", QT_TRANSLATE_NOOP("Actions", "Restart with the same seed"), "Home", "restart",
     nullptr, false},
    {Command::measure, "Run", QT_TRANSLATE_NOOP("Actions", "Time every variant"), "Ctrl+M", "measure",
     nullptr, false},
    {Command::slower, "Run", QT_TRANSLATE_NOOP("Actions", "Fewer iterations a second"), "[", nullptr, nullptr,
     false},
    {Command::faster, "Run", QT_TRANSLATE_NOOP("Actions", "More iterations a second"), "]", nullptr, nullptr,
     false},
    {Command::previousVariant, "Run", QT_TRANSLATE_NOOP("Actions", "Previous variant of the stage"), "PgUp",
     nullptr, QT_TRANSLATE_NOOP("Actions", "click a bar of the ladder"), false},
    {Command::nextVariant, "Run", QT_TRANSLATE_NOOP("Actions", "Next variant of the stage"), "PgDown",
     nullptr, QT_TRANSLATE_NOOP("Actions", "click a bar of the ladder"), false},
    {Command::nextCentroid, QT_TRANSLATE_NOOP("Actions", "Centroids"),
     QT_TRANSLATE_NOOP("Actions", "Select the next centroid"), "N", nullptr,
     QT_TRANSLATE_NOOP("Actions", "press on its marker"), false},
    {Command::moveLeft, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid left"), "Alt+Left",
     nullptr, QT_TRANSLATE_NOOP("Actions", "drag its marker"), false},
    {Command::moveRight, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid right"), "Alt+Right",
     nullptr, "drag its marker", false},
    {Command::moveUp, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid up"), "Alt+Up", nullptr,
     "drag its marker", false},
    {Command::moveDown, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid down"), "Alt+Down",
     nullptr, "drag its marker", false},
    {Command::fit, QT_TRANSLATE_NOOP("Actions", "View"), QT_TRANSLATE_NOOP("Actions", "Fit all points"), "F",
     "fit", nullptr, false},
    {Command::resetView, "View", QT_TRANSLATE_NOOP("Actions", "Reset the view"), "R", nullptr, nullptr,
     false},
    {Command::axisX, "View", QT_TRANSLATE_NOOP("Actions", "Look along the first axis"), "1", nullptr, nullptr,
     false},
    {Command::axisY, "View", QT_TRANSLATE_NOOP("Actions", "Look along the second axis"), "2", nullptr,
     nullptr, false},
    {Command::axisZ, "View", QT_TRANSLATE_NOOP("Actions", "Look along the third axis"), "3", nullptr, nullptr,
     false},
    {Command::zoomIn, "View", QT_TRANSLATE_NOOP("Actions", "Nearer"), "Ctrl+= Ctrl++", nullptr,
     QT_TRANSLATE_NOOP("Actions", "wheel up"), false},
    {Command::zoomOut, "View", QT_TRANSLATE_NOOP("Actions", "Farther"), "Ctrl+-", nullptr,
     QT_TRANSLATE_NOOP("Actions", "wheel down"), false},
    {Command::panLeft, "View", QT_TRANSLATE_NOOP("Actions", "Pan left"), "Ctrl+Shift+Left", nullptr,
     QT_TRANSLATE_NOOP("Actions", "drag; Shift-drag in 3-D"), false},
    {Command::panRight, "View", QT_TRANSLATE_NOOP("Actions", "Pan right"), "Ctrl+Shift+Right", nullptr,
     "drag; Shift-drag in 3-D", false},
    {Command::panUp, "View", QT_TRANSLATE_NOOP("Actions", "Pan up"), "Ctrl+Shift+Up", nullptr,
     "drag; Shift-drag in 3-D", false},
    {Command::panDown, "View", QT_TRANSLATE_NOOP("Actions", "Pan down"), "Ctrl+Shift+Down", nullptr,
     "drag; Shift-drag in 3-D", false},
    {Command::orbitLeft, "View", QT_TRANSLATE_NOOP("Actions", "Orbit left"), "Ctrl+Left", nullptr,
     QT_TRANSLATE_NOOP("Actions", "drag in 3-D"), false},
    {Command::orbitRight, "View", QT_TRANSLATE_NOOP("Actions", "Orbit right"), "Ctrl+Right", nullptr,
     "drag in 3-D", false},
    {Command::orbitUp, "View", QT_TRANSLATE_NOOP("Actions", "Orbit up"), "Ctrl+Up", nullptr, "drag in 3-D",
     false},
    {Command::orbitDown, "View", QT_TRANSLATE_NOOP("Actions", "Orbit down"), "Ctrl+Down", nullptr,
     "drag in 3-D", false},
    {Command::centre, "View", QT_TRANSLATE_NOOP("Actions", "Centre on the place under the pointer"), ".",
     nullptr, QT_TRANSLATE_NOOP("Actions", "double-click"), false},
    {Command::inspect, "View", QT_TRANSLATE_NOOP("Actions", "Describe the point under the pointer"), "I",
     nullptr, QT_TRANSLATE_NOOP("Actions", "hover or click"), false},
    {Command::smallerPoints, "View", QT_TRANSLATE_NOOP("Actions", "Smaller points"), "-", nullptr, nullptr,
     false},
    {Command::largerPoints, "View", QT_TRANSLATE_NOOP("Actions", "Larger points"), "+ =", nullptr, nullptr,
     false},
    {Command::trails, "View", QT_TRANSLATE_NOOP("Actions", "Trails of the centroids"), "T", nullptr, nullptr,
     true},
    {Command::theme, "View", QT_TRANSLATE_NOOP("Actions", "Light or dark"), "L", nullptr, nullptr, false},
    {Command::colourCluster, QT_TRANSLATE_NOOP("Actions", "Teach"),
     QT_TRANSLATE_NOOP("Actions", "Colour by cluster"), "Alt+1", nullptr, nullptr, true},
    {Command::colourThread, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour by thread"), "Alt+2", nullptr,
     nullptr, true},
    {Command::colourWarp, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour by warp"), "Alt+3", nullptr, nullptr,
     true},
    {Command::colourBlock, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour by block"), "Alt+4", nullptr,
     nullptr, true},
    {Command::colourChanged, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour what changed"), "Alt+5", nullptr,
     nullptr, true},
    {Command::nextDifference, "Teach", QT_TRANSLATE_NOOP("Actions", "Next difference in the source"), "F8",
     nullptr, nullptr, false},
    {Command::previousDifference, "Teach", QT_TRANSLATE_NOOP("Actions", "Previous difference in the source"),
     "Shift+F8", nullptr, nullptr, false},
    {Command::ghostLines, "Teach", QT_TRANSLATE_NOOP("Actions", "Lines that the version before had"),
     "Ctrl+G", nullptr, nullptr, true},
    {Command::countAgain, "Teach", QT_TRANSLATE_NOOP("Actions", "Count again"), "F5", nullptr, nullptr,
     false},
    {Command::largerText, "Teach", QT_TRANSLATE_NOOP("Actions", "Larger text"), "Alt+= Alt++", nullptr,
     nullptr, false},
    {Command::smallerText, "Teach", QT_TRANSLATE_NOOP("Actions", "Smaller text"), "Alt+-", nullptr, nullptr,
     false},
    {Command::race, QT_TRANSLATE_NOOP("Actions", "Compare"),
     QT_TRANSLATE_NOOP("Actions", "Race the variants"), "F6", "measure", nullptr, false},
    {Command::pinBaseline, "Compare", QT_TRANSLATE_NOOP("Actions", "Pin the row as the baseline"), "B",
     nullptr, nullptr, false},
    {Command::markA, "Compare", QT_TRANSLATE_NOOP("Actions", "Make the row A"), "Shift+A", nullptr, nullptr,
     false},
    {Command::markB, "Compare", QT_TRANSLATE_NOOP("Actions", "Make the row B"), "Shift+B", nullptr, nullptr,
     false},
    {Command::nextPairing, "Compare",
     QT_TRANSLATE_NOOP("Actions", "Next way to show A and B: side by side, split, difference, A alone"), "V",
     nullptr, nullptr, false},
    {Command::saveReport, "Compare", QT_TRANSLATE_NOOP("Actions", "Save the race as a report"),
     "Ctrl+Shift+S", nullptr, nullptr, false},
    {Command::sidePanel, QT_TRANSLATE_NOOP("Actions", "Window"), QT_TRANSLATE_NOOP("Actions", "Side panel"),
     "F9", nullptr, nullptr, true},
    {Command::bottomPanel, "Window", QT_TRANSLATE_NOOP("Actions", "Lower panel"), "F10", nullptr, nullptr,
     true},
    {Command::present, "Window", QT_TRANSLATE_NOOP("Actions", "Present"), "F11", nullptr, nullptr, true},
    {Command::endPresent, "Window", QT_TRANSLATE_NOOP("Actions", "End presenting"), "Esc", nullptr, nullptr,
     false},
    {Command::explore, "Window", QT_TRANSLATE_NOOP("Actions", "Explore"), "Ctrl+1", nullptr, nullptr, true},
    {Command::teach, "Window", QT_TRANSLATE_NOOP("Actions", "Teach"), "Ctrl+2", nullptr, nullptr, true},
    {Command::compare, "Window", QT_TRANSLATE_NOOP("Actions", "Compare"), "Ctrl+3", nullptr, nullptr, true},
    {Command::help, QT_TRANSLATE_NOOP("Actions", "Help"), QT_TRANSLATE_NOOP("Actions", "Keys and gestures"),
     "? F1", nullptr, nullptr, false},
};

} // namespace

Actions::Actions(QWidget* window) : QObject(window) {
  for (const Row& row : table) {
    auto* action = new QAction(tr(row.text), window);
    QList<QKeySequence> keys;
    for (const QString& key : QString::fromLatin1(row.keys).split(QLatin1Char(' ')))
      keys << QKeySequence(key);
    action->setShortcuts(keys);
    action->setCheckable(row.checkable);
    action->setProperty("group", tr(row.group));
    action->setProperty("gesture", row.gesture ? tr(row.gesture) : QString());
    action->setProperty("iconName", row.icon ? QString::fromLatin1(row.icon) : QString());
    action->setToolTip(tr("%1 (%2)").arg(action->text(), keys.front().toString(QKeySequence::NativeText)));
    window->addAction(action);
    actions_[row.command] = action;
    order_ << action;
  }
  renewIcons();
}

QString Actions::group(const QAction& action) { return action.property("group").toString(); }

QString Actions::gesture(const QAction& action) { return action.property("gesture").toString(); }

void Actions::renewIcons() {
  for (QAction* action : order_) {
    const QString icon = action->property("iconName").toString();
    if (!icon.isEmpty()) action->setIcon(themedIcon(icon));
  }
}

} // namespace lloyd
