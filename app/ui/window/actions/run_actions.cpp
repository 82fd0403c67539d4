// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/actions/run_actions.hpp"

#include "app/model/session/session.hpp"
#include "app/ui/common/actions.hpp"

#include <QAction>

namespace lloyd {

void showRunActions(Actions& actions, const Session& session) {
  const bool playing = session.playing() && !session.converged();
  QAction* play = actions[ActionId::play];
  play->setProperty("iconName", playing ? QStringLiteral("pause") : QStringLiteral("play"));
  play->setText(playing ? Actions::tr("Pause") : Actions::tr("Play"));
  play->setToolTip(Actions::tr("%1 (Space)").arg(play->text()));
  QAction* half = actions[ActionId::halfStep];
  const bool update = session.nextHalf() == Half::update;
  half->setText(update ? Actions::tr("Update") : Actions::tr("Classify"));
  half->setToolTip(
      Actions::tr("%1 (Shift+Right)")
          .arg(update ? Actions::tr("Update, the second half of an iteration: centroids move")
                      : Actions::tr("Classify, the first half of an iteration: points are labelled")));
  QAction* back = actions[ActionId::stepBack];
  back->setEnabled(session.canStepBack());
  back->setToolTip(session.canStepBack() ? Actions::tr("Take the last half of an iteration back (Left)")
                                         : Actions::tr("There is nothing to take back"));
  actions.renewIcons();
}

} // namespace lloyd
