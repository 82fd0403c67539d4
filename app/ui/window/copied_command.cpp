// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/copied_command.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/model/session/session.hpp"
#include "app/text/strings.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/window/workspace_layout.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace lloyd {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("CopiedCommand", text); }

} // namespace

QString copiedCommand(const Session& session, const AxesFinder& axes, const WorkspaceLayout& arrangement,
                      TeachWorkspace& teach) {
  const SharedPointSet points = session.data();
  QString text = commandText(session.request(), session.settings(), points ? points->rule : std::string());
  if (!axes.axes().empty()) text += QStringLiteral(" --axes %1").arg(axes.words());
  if (arrangement.workspace() == Workspace::compare) text += QStringLiteral(" --workspace compare");
  if (arrangement.workspace() != Workspace::teach) return text;
  if (const Variant* variant = teach.subject().variant; variant && !teach.showsWrong())
    text += QStringLiteral(" --teach %1").arg(qtext(variant->id()));
  if (const ColourBy by = teach.colours().by(); by != ColourBy::cluster)
    text += QStringLiteral(" --colour %1").arg(qtext(name(by)));
  return text;
}

QString copiedSentence(const Session& session, const QString& command) {
  const SharedPointSet points = session.data();
  QStringList without;
  if (points && points->selected && points->rule.empty())
    without << translated(QT_TRANSLATE_NOOP("CopiedCommand", "what was selected by hand"));
  if (session.byHand())
    without << translated(QT_TRANSLATE_NOOP("CopiedCommand", "what was done to centroids by hand"));
  if (without.isEmpty()) return translated(QT_TRANSLATE_NOOP("CopiedCommand", "Copied: %1")).arg(command);
  return translated(QT_TRANSLATE_NOOP("CopiedCommand", "Copied, without %1: %2"))
      .arg(without.join(translated(QT_TRANSLATE_NOOP("CopiedCommand", " and without "))), command);
}

} // namespace lloyd
