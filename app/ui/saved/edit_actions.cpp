// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/saved/edit_actions.hpp"

#include "app/model/saved/edit_name.hpp"
#include "app/model/saved/edit_recorder.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/saved/window_state.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>

namespace lloyd {
namespace {

/// A name as a menu shows it: & would make a letter the key of the entry.
void show(QAction& action, const QString& step, const QString& named) {
  const QString text = step.isEmpty() ? Actions::name(action) : named.arg(step);
  action.setEnabled(!step.isEmpty());
  action.setText(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
  action.setToolTip(Actions::tr("%1 (%2)").arg(text, action.shortcut().toString(QKeySequence::NativeText)));
}

} // namespace

EditRecorder* connectEdits(const EditParts& parts) {
  WindowState* state = &parts.state;
  auto* edits = new EditRecorder(parts.session, parts.axes, parts.restorer,
                                 {.take = [state] { return state->takenEdit(); },
                                  .view = [state] { return state->choices(); },
                                  .give = [state](const EditState& edit) { state->restoreEdit(edit); },
                                  .isNobodys = parts.isNobodys},
                                 state);
  QAction* undo = parts.actions[ActionId::undo];
  QAction* redo = parts.actions[ActionId::redo];
  QObject::connect(undo, &QAction::triggered, edits, &EditRecorder::undo);
  QObject::connect(redo, &QAction::triggered, edits, &EditRecorder::redo);
  const auto renew = [edits, undo, redo] {
    show(*undo, edits->steps().undoName(), Actions::tr("Undo: %1"));
    show(*redo, edits->steps().redoName(), Actions::tr("Redo: %1"));
  };
  QObject::connect(edits, &EditRecorder::changed, edits, renew);
  renew();
  QObject::connect(state, &WindowState::sessionComing, edits, &EditRecorder::expectOther);

  for (const ActionId id : {ActionId::orthographic, ActionId::trails, ActionId::regions})
    QObject::connect(parts.actions[id], &QAction::toggled, edits, &EditRecorder::viewChosen);
  QObject::connect(&parts.appearance, &AppearancePanel::columnWanted, edits, &EditRecorder::viewChosen);
  QObject::connect(&parts.appearance, &AppearancePanel::coloursWanted, edits, &EditRecorder::viewChosen);
  QObject::connect(&parts.clusters, &ClusterWatch::naming, edits,
                   [edits](int cluster) { edits->name(namingName(cluster)); });
  QObject::connect(&parts.pair, &PairViews::centroidMoved, edits, &EditRecorder::centroidMoved);
  if (const Viewport* viewport = parts.viewport) {
    QObject::connect(viewport, &Viewport::lookChanged, edits, &EditRecorder::viewChosen);
    QObject::connect(viewport, &Viewport::centroidMoved, edits,
                     [edits, viewport](int cluster) { edits->centroidMoved(cluster, viewport->carrying()); });
  }
  return edits;
}

} // namespace lloyd
