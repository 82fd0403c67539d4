// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/workspace.hpp"

namespace lloyd {

QString name(Workspace workspace) {
  const QString names[] = {QStringLiteral("explore"), QStringLiteral("teach"), QStringLiteral("compare")};
  return names[static_cast<std::size_t>(workspace)];
}

std::optional<Workspace> workspaceFrom(const QString& text) {
  for (const Workspace workspace : {Workspace::explore, Workspace::teach, Workspace::compare})
    if (text == name(workspace)) return workspace;
  return std::nullopt;
}

} // namespace lloyd
