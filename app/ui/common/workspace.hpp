// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <optional>

namespace lloyd {

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

} // namespace lloyd
