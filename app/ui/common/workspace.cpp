// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/workspace.hpp"

namespace lloyd {

QString name(Workspace workspace) {
  switch (workspace) {
  case Workspace::teach:
    return QStringLiteral("teach");
  case Workspace::compare:
    return QStringLiteral("compare");
  default:
    return QStringLiteral("explore");
  }
}

std::optional<Workspace> workspaceFrom(const QString& text) {
  for (const Workspace workspace : {Workspace::explore, Workspace::teach, Workspace::compare})
    if (text == name(workspace)) return workspace;
  return std::nullopt;
}

} // namespace lloyd
