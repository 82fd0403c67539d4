// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/race/race_runner.hpp"

#include <QObject>

class QWidget;

namespace lloyd {

class Actions;
class PairViews;
class PlotsPanel;
class RacePanel;
class Viewport;

/// The Compare workspace: the ladder of a race, two views of the same points, and plots. The parts are
/// widgets for the window to place; this object connects them. Works with the window's own session. GUI
/// thread.
class CompareWorkspace : public QObject {
  Q_OBJECT
public:
  CompareWorkspace(Session& session, DeviceLease& lease, const Actions& actions, Viewport* viewport,
                   QWidget* window);

  // The parts. The window owns them once it has placed them.
  [[nodiscard]] QWidget* ladder() const;  ///< every variant of the race: the hero
  [[nodiscard]] QWidget* plots() const;   ///< plots and sweeps
  [[nodiscard]] QWidget* bar() const;     ///< what A and B are; above the points
  [[nodiscard]] QWidget* beside() const;  ///< B's points, right of the window's own view
  [[nodiscard]] QWidget* metrics() const; ///< both sides' times and counters; beneath the points

  /// Whether the workspace is the one on the screen. When it is not, there is one view and one session.
  void setShown(bool shown);
  /// Fresh live times.
  void refresh();
  void renewColours();

  [[nodiscard]] RaceRunner& races() { return races_; }
  [[nodiscard]] RacePanel& racePanel() const { return *racePanel_; }
  [[nodiscard]] PlotsPanel& plotsPanel() const { return *plotsPanel_; }
  [[nodiscard]] PairViews& pair() const { return *pair_; }
  /// Writes the last race in the form that the file's name asks for, and says so.
  void saveReport(const QString& path);

Q_SIGNALS:
  void message(const QString& text, bool error);

private:
  void chooseReport();

  Session& session_;
  QWidget* window_;
  RaceRunner races_;
  RacePanel* racePanel_;
  PlotsPanel* plotsPanel_;
  PairViews* pair_;
  bool shown_ = false;
};

} // namespace lloyd
