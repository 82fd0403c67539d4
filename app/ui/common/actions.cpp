// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/actions.hpp"

#include "app/ui/common/icons.hpp"

#include <QAction>
#include <QKeySequence>
#include <QWidget>

namespace lloyd {

namespace {

struct Row {
  ActionId id;
  const char* group;
  const char* text;
  const char* keys; ///< several are parted by a space
  const char* icon;
  const char* gesture; ///< what the mouse does instead
  bool checkable;
};

constexpr Row table[] = {
    {ActionId::open, QT_TRANSLATE_NOOP("Actions", "File"), QT_TRANSLATE_NOOP("Actions", "Open a file"),
     "Ctrl+O", "open", QT_TRANSLATE_NOOP("Actions", "drop a file on the window"), false},
    {ActionId::screenshot, "File", QT_TRANSLATE_NOOP("Actions", "Save a picture of the window"), "Ctrl+S",
     nullptr, nullptr, false},
    {ActionId::exportLabels, "File", QT_TRANSLATE_NOOP("Actions", "Export labels"), "Ctrl+E", nullptr,
     nullptr, false},
    {ActionId::exportCentroids, "File", QT_TRANSLATE_NOOP("Actions", "Export centroids"), "Ctrl+Shift+E",
     nullptr, nullptr, false},
    {ActionId::quit, "File", QT_TRANSLATE_NOOP("Actions", "Quit"), "Ctrl+Q", nullptr, nullptr, false},
    {ActionId::copyCommand, QT_TRANSLATE_NOOP("Actions", "Edit"),
     QT_TRANSLATE_NOOP("Actions", "Copy as command line"), "Ctrl+Shift+C", nullptr, nullptr, false},
    {ActionId::play, QT_TRANSLATE_NOOP("Actions", "Run"), QT_TRANSLATE_NOOP("Actions", "Play"), "Space",
     "play", nullptr, false},
    {ActionId::step, "Run", QT_TRANSLATE_NOOP("Actions", "One iteration"), "Right", "step", nullptr, false},
    {ActionId::halfStep, "Run", QT_TRANSLATE_NOOP("Actions", "Half an iteration"), "Shift+Right", nullptr,
     nullptr, false},
    {ActionId::stepBack, "Run", QT_TRANSLATE_NOOP("Actions", "Take half an iteration back"), "Left", "back",
     nullptr, false},
    {ActionId::restart, "Run", QT_TRANSLATE_NOOP("Actions", "Restart with the same seed"), "Home", "restart",
     nullptr, false},
    {ActionId::measure, "Run", QT_TRANSLATE_NOOP("Actions", "Time every variant"), "Ctrl+M", "measure",
     nullptr, false},
    {ActionId::slower, "Run", QT_TRANSLATE_NOOP("Actions", "Fewer iterations a second"), "[", nullptr,
     nullptr, false},
    {ActionId::faster, "Run", QT_TRANSLATE_NOOP("Actions", "More iterations a second"), "]", nullptr, nullptr,
     false},
    {ActionId::previousVariant, "Run", QT_TRANSLATE_NOOP("Actions", "Previous variant of the stage"), "PgUp",
     nullptr, QT_TRANSLATE_NOOP("Actions", "click a bar of the ladder"), false},
    {ActionId::nextVariant, "Run", QT_TRANSLATE_NOOP("Actions", "Next variant of the stage"), "PgDown",
     nullptr, QT_TRANSLATE_NOOP("Actions", "click a bar of the ladder"), false},
    {ActionId::nextCentroid, QT_TRANSLATE_NOOP("Actions", "Centroids"),
     QT_TRANSLATE_NOOP("Actions", "Select the next centroid"), "N", nullptr,
     QT_TRANSLATE_NOOP("Actions", "press on its marker"), false},
    {ActionId::moveLeft, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid left"), "Alt+Left",
     nullptr, QT_TRANSLATE_NOOP("Actions", "drag its marker"), false},
    {ActionId::moveRight, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid right"), "Alt+Right",
     nullptr, "drag its marker", false},
    {ActionId::moveUp, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid up"), "Alt+Up", nullptr,
     "drag its marker", false},
    {ActionId::moveDown, "Centroids", QT_TRANSLATE_NOOP("Actions", "Move the centroid down"), "Alt+Down",
     nullptr, "drag its marker", false},
    {ActionId::fit, QT_TRANSLATE_NOOP("Actions", "View"), QT_TRANSLATE_NOOP("Actions", "Fit all points"), "F",
     "fit", nullptr, false},
    {ActionId::resetView, "View", QT_TRANSLATE_NOOP("Actions", "Reset the view"), "R", nullptr, nullptr,
     false},
    {ActionId::axisX, "View", QT_TRANSLATE_NOOP("Actions", "Look along the first axis"), "1", nullptr,
     nullptr, false},
    {ActionId::axisY, "View", QT_TRANSLATE_NOOP("Actions", "Look along the second axis"), "2", nullptr,
     nullptr, false},
    {ActionId::axisZ, "View", QT_TRANSLATE_NOOP("Actions", "Look along the third axis"), "3", nullptr,
     nullptr, false},
    {ActionId::zoomIn, "View", QT_TRANSLATE_NOOP("Actions", "Nearer"), "Ctrl+= Ctrl++", nullptr,
     QT_TRANSLATE_NOOP("Actions", "wheel up"), false},
    {ActionId::zoomOut, "View", QT_TRANSLATE_NOOP("Actions", "Farther"), "Ctrl+-", nullptr,
     QT_TRANSLATE_NOOP("Actions", "wheel down"), false},
    {ActionId::panLeft, "View", QT_TRANSLATE_NOOP("Actions", "Pan left"), "Ctrl+Shift+Left", nullptr,
     QT_TRANSLATE_NOOP("Actions", "drag; Shift-drag in 3-D"), false},
    {ActionId::panRight, "View", QT_TRANSLATE_NOOP("Actions", "Pan right"), "Ctrl+Shift+Right", nullptr,
     "drag; Shift-drag in 3-D", false},
    {ActionId::panUp, "View", QT_TRANSLATE_NOOP("Actions", "Pan up"), "Ctrl+Shift+Up", nullptr,
     "drag; Shift-drag in 3-D", false},
    {ActionId::panDown, "View", QT_TRANSLATE_NOOP("Actions", "Pan down"), "Ctrl+Shift+Down", nullptr,
     "drag; Shift-drag in 3-D", false},
    {ActionId::orbitLeft, "View", QT_TRANSLATE_NOOP("Actions", "Orbit left"), "Ctrl+Left", nullptr,
     QT_TRANSLATE_NOOP("Actions", "drag in 3-D"), false},
    {ActionId::orbitRight, "View", QT_TRANSLATE_NOOP("Actions", "Orbit right"), "Ctrl+Right", nullptr,
     "drag in 3-D", false},
    {ActionId::orbitUp, "View", QT_TRANSLATE_NOOP("Actions", "Orbit up"), "Ctrl+Up", nullptr, "drag in 3-D",
     false},
    {ActionId::orbitDown, "View", QT_TRANSLATE_NOOP("Actions", "Orbit down"), "Ctrl+Down", nullptr,
     "drag in 3-D", false},
    {ActionId::centre, "View", QT_TRANSLATE_NOOP("Actions", "Centre on the place under the pointer"), ".",
     nullptr, QT_TRANSLATE_NOOP("Actions", "double-click"), false},
    {ActionId::inspect, "View", QT_TRANSLATE_NOOP("Actions", "Describe the point under the pointer"), "I",
     nullptr, QT_TRANSLATE_NOOP("Actions", "hover or click"), false},
    {ActionId::smallerPoints, "View", QT_TRANSLATE_NOOP("Actions", "Smaller points"), "-", nullptr, nullptr,
     false},
    {ActionId::largerPoints, "View", QT_TRANSLATE_NOOP("Actions", "Larger points"), "+ =", nullptr, nullptr,
     false},
    {ActionId::trails, "View", QT_TRANSLATE_NOOP("Actions", "Trails of the centroids"), "T", nullptr, nullptr,
     true},
    {ActionId::theme, "View", QT_TRANSLATE_NOOP("Actions", "Light or dark"), "L", nullptr, nullptr, false},
    {ActionId::colourCluster, QT_TRANSLATE_NOOP("Actions", "Teach"),
     QT_TRANSLATE_NOOP("Actions", "Colour by cluster"), "Alt+1", nullptr, nullptr, true},
    {ActionId::colourThread, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour by thread"), "Alt+2", nullptr,
     nullptr, true},
    {ActionId::colourWarp, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour by warp"), "Alt+3", nullptr, nullptr,
     true},
    {ActionId::colourBlock, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour by block"), "Alt+4", nullptr,
     nullptr, true},
    {ActionId::colourChanged, "Teach", QT_TRANSLATE_NOOP("Actions", "Colour what changed"), "Alt+5", nullptr,
     nullptr, true},
    {ActionId::nextDifference, "Teach", QT_TRANSLATE_NOOP("Actions", "Next difference in the source"), "F8",
     nullptr, nullptr, false},
    {ActionId::previousDifference, "Teach", QT_TRANSLATE_NOOP("Actions", "Previous difference in the source"),
     "Shift+F8", nullptr, nullptr, false},
    {ActionId::ghostLines, "Teach", QT_TRANSLATE_NOOP("Actions", "Lines that the version before had"),
     "Ctrl+G", nullptr, nullptr, true},
    {ActionId::countAgain, "Teach", QT_TRANSLATE_NOOP("Actions", "Count again"), "F5", nullptr, nullptr,
     false},
    {ActionId::largerText, "Teach", QT_TRANSLATE_NOOP("Actions", "Larger text"), "Alt+= Alt++", nullptr,
     nullptr, false},
    {ActionId::smallerText, "Teach", QT_TRANSLATE_NOOP("Actions", "Smaller text"), "Alt+-", nullptr, nullptr,
     false},
    {ActionId::race, QT_TRANSLATE_NOOP("Actions", "Compare"),
     QT_TRANSLATE_NOOP("Actions", "Race the variants"), "F6", "measure", nullptr, false},
    {ActionId::pinBaseline, "Compare", QT_TRANSLATE_NOOP("Actions", "Pin the row as the baseline"), "B",
     nullptr, nullptr, false},
    {ActionId::markA, "Compare", QT_TRANSLATE_NOOP("Actions", "Make the row A"), "Shift+A", nullptr, nullptr,
     false},
    {ActionId::markB, "Compare", QT_TRANSLATE_NOOP("Actions", "Make the row B"), "Shift+B", nullptr, nullptr,
     false},
    {ActionId::nextPairing, "Compare",
     QT_TRANSLATE_NOOP("Actions", "Next way to show A and B: side by side, split, difference, A alone"), "V",
     nullptr, nullptr, false},
    {ActionId::saveReport, "Compare", QT_TRANSLATE_NOOP("Actions", "Save the race as a report"),
     "Ctrl+Shift+S", nullptr, nullptr, false},
    {ActionId::sidePanel, QT_TRANSLATE_NOOP("Actions", "Window"), QT_TRANSLATE_NOOP("Actions", "Side panel"),
     "F9", nullptr, nullptr, true},
    {ActionId::bottomPanel, "Window", QT_TRANSLATE_NOOP("Actions", "Lower panel"), "F10", nullptr, nullptr,
     true},
    {ActionId::present, "Window", QT_TRANSLATE_NOOP("Actions", "Present"), "F11", nullptr, nullptr, true},
    {ActionId::endPresent, "Window", QT_TRANSLATE_NOOP("Actions", "End presenting"), "Esc", nullptr, nullptr,
     false},
    {ActionId::explore, "Window", QT_TRANSLATE_NOOP("Actions", "Explore"), "Ctrl+1", nullptr, nullptr, true},
    {ActionId::teach, "Window", QT_TRANSLATE_NOOP("Actions", "Teach"), "Ctrl+2", nullptr, nullptr, true},
    {ActionId::compare, "Window", QT_TRANSLATE_NOOP("Actions", "Compare"), "Ctrl+3", nullptr, nullptr, true},
    {ActionId::help, QT_TRANSLATE_NOOP("Actions", "Help"), QT_TRANSLATE_NOOP("Actions", "Keys and gestures"),
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
    actions_[row.id] = action;
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
