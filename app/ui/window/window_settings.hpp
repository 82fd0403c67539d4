// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/common/workspace.hpp"

#include <QByteArray>
#include <QStringList>

#include <array>
#include <optional>

class QMainWindow;

namespace lloyd {

/// An arrangement of panels saved by another version is not restored.
inline constexpr int panelsVersion = 3;

/// What a window remembers from one start to the next. Junk in the settings file means the defaults.
struct WindowSettings {
  std::optional<bool> dark; ///< nothing: as the desktop is
  bool trails = true;
  Workspace workspace = Workspace::explore;
  std::array<WorkspacePanels, 3> panels{{{}, {.side = false}, {.side = false}}}; ///< by Workspace
  int textStep = 0;                                                              ///< of Teach's text
  QStringList recent; ///< files that were open, the last first
  QByteArray geometry;
  QByteArray arrangement; ///< of docks and tool bars

  [[nodiscard]] static WindowSettings read();
  void write() const;
};

/// Puts a window where it was, or leaves it as it is when that makes no sense on the screens of today.
/// Returns whether it did.
bool restoreWindow(QMainWindow& window, const WindowSettings& remembered);

} // namespace lloyd
