// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace lloyd {

class AxesFinder;
class Session;
class TeachWorkspace;
class WorkspaceLayout;

/// The command that starts the window as it is.
[[nodiscard]] QString copiedCommand(const Session& session, const AxesFinder& axes,
                                    const WorkspaceLayout& arrangement, TeachWorkspace& teach);
/// What is said once it is copied, with what no command says.
[[nodiscard]] QString copiedSentence(const Session& session, const QString& command);

} // namespace lloyd
