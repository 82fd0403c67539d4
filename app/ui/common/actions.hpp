// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QObject>
#include <QString>

#include <map>

class QAction;
class QToolButton;
class QWidget;

namespace lloyd {

/// Everything that can be asked for by key, menu or button. The list in the help dialog is made of these.
enum class ActionId {
  open,
  save,
  saveAs,
  screenshot,
  exportTable,
  exportLabels,
  exportCentroids,
  exportPicture,
  quit,
  undo,
  redo,
  copyCommand,
  play,
  step,
  halfStep,
  stepBack,
  restart,
  restarts,
  measure,
  slower,
  faster,
  fit,
  resetView,
  axisX,
  axisY,
  axisZ,
  components,
  orthographic,
  zoomIn,
  zoomOut,
  panLeft,
  panRight,
  panUp,
  panDown,
  orbitLeft,
  orbitRight,
  orbitUp,
  orbitDown,
  centre,
  inspect,
  nextCentroid,
  moveLeft,
  moveRight,
  moveUp,
  moveDown,
  addCentroid,
  removeCentroid,
  lasso,
  box,
  selectByRule,
  selectNone,
  invertSelection,
  hideSelected,
  showSelectedAlone,
  showAllPoints,
  clusterSelected,
  clusterAll,
  exportSelected,
  smallerPoints,
  largerPoints,
  trails,
  regions,
  theme,
  paneAlone,
  sourcePane,
  countersPane,
  lessonPane,
  countersTab,
  memoryTab,
  blockTab,
  predictTab,
  widerSource,
  narrowerSource,
  higherLesson,
  lowerLesson,
  widerPoints,
  narrowerPoints,
  sidePanel,
  bottomPanel,
  menus,
  present,
  endPresent,
  editKernel,
  openKernel,
  findBug,
  takeApart,
  dataLesson,
  previousVariant,
  nextVariant,
  colourCluster,
  colourThread,
  colourWarp,
  colourBlock,
  colourChanged,
  ghostLines,
  foldSame,
  nextDifference,
  previousDifference,
  countAgain,
  hideCounters,
  largerText,
  smallerText,
  race,
  pinBaseline,
  markA,
  markB,
  nextPairing,
  saveReport,
  explore,
  teach,
  compare,
  help,
  about
};

/// Makes the actions of a window from one table: words, keys, mouse gesture, icon. Enabled state and what
/// happens belong to the window.
class Actions : public QObject {
  Q_OBJECT
public:
  explicit Actions(QWidget* window);

  [[nodiscard]] QAction* operator[](ActionId id) const { return actions_.at(id); }
  /// In the order of the table.
  [[nodiscard]] const QList<QAction*>& all() const { return order_; }
  /// What the help dialog calls it, whatever its text says of the moment ("Pause").
  [[nodiscard]] static QString name(const QAction& action);
  /// Where the help dialog lists it ("View"), and the mouse gesture that does the same; empty for none.
  [[nodiscard]] static QString group(const QAction& action);
  [[nodiscard]] static QString gesture(const QAction& action);
  /// Draws the icons again, in the present theme's colours.
  void renewIcons();

private:
  std::map<ActionId, QAction*> actions_; // owned by the window
  QList<QAction*> order_;
};

/// A button with an arrow instead of the action's words.
[[nodiscard]] QToolButton* arrowButton(QAction* action, Qt::ArrowType arrow, QWidget* parent);

} // namespace lloyd
