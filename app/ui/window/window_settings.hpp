// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/teach/teach_panel.hpp"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <array>
#include <map>
#include <optional>

class QMainWindow;

namespace lloyd {

class Actions;

/// What the window is arranged for: the points, one step of the algorithm, or the ladder of variants.
enum class Workspace { explore, teach, compare };

/// Which panels a workspace shows: the settings beside the points, and what lies below them.
struct WorkspacePanels {
  bool side = true;
  bool lower = true;
};

/// "explore", as settings and the command line write it.
[[nodiscard]] QString name(Workspace workspace);
/// Nothing for another word.
[[nodiscard]] std::optional<Workspace> workspaceFrom(const QString& name);

/// An arrangement of panels saved by another version is not restored.
inline constexpr int panelsVersion = 3;

/// What a window remembers from one start to the next. Junk in the settings file means the defaults.
struct WindowSettings {
  std::optional<bool> dark; ///< nothing: as the desktop is
  bool trails = true;
  bool regions = false;
  bool orthographic = false;
  bool restarts = false;     ///< the strip of runs from other seeds
  bool hideCounters = false; ///< until they are predicted
  int restartCount = 16;
  bool otherStarts = true; ///< try some unasked once a run has ended
  Workspace workspace = Workspace::explore;
  std::array<WorkspacePanels, 3> panels{{{}, {.side = false}, {.side = false}}}; ///< by Workspace
  QString explorePage;                                                           ///< BottomPanel::page()
  int textStep = 0;                                                              ///< of Teach's text
  TeachPanes teachPanes;
  QString taught;       ///< the variant that Teach showed
  QString taughtStage;  ///< at which stage: some variants have several
  QString profiledCard; ///< CounterTable::chosenCard()
  QStringList recent;   ///< files that were open, the last first
  QByteArray geometry;
  QByteArray arrangement; ///< of docks and tool bars
  /// Parts of the window that a person gave to panels, by the dock's name. Sizes in pixels would be those of
  /// a window that is not yet as large as it was.
  std::map<QString, double> dockParts;

  [[nodiscard]] static WindowSettings read();
  void write() const;
};

/// What is drawn beside the points, and the strip of other runs.
void restoreLook(const Actions& actions, const WindowSettings& past);
void rememberLook(const Actions& actions, WindowSettings& now);

/// Puts a window where it was, or leaves it as it is when that makes no sense on the screens of today.
/// Returns whether it did.
bool restoreWindow(QMainWindow& window, const WindowSettings& remembered);

} // namespace lloyd
