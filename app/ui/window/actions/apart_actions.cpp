// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/actions/apart_actions.hpp"

#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/teach/apart/apart_window.hpp"
#include "app/ui/teach/teach_workspace.hpp"

#include <QAction>
#include <QStringList>

namespace lloyd {

ApartActions::ApartActions(Session& session, DeviceLease& lease, const Actions& actions,
                           const TeachWorkspace& teach, QWidget* window)
    : QObject(window), session_(session), lease_(lease), teach_(teach), window_(window) {
  connect(actions[ActionId::takeApart], &QAction::triggered, this, &ApartActions::takeApart);
}

void ApartActions::takeApart() {
  const Variant* variant = teach_.subject().variant;
  const VersionStep* step = variant ? StepRegistry::instance().find(variant->id()) : nullptr;
  if (!step) {
    QStringList known;
    for (const VersionStep* one : StepRegistry::instance().all())
      known << qtext(one->info.to);
    Q_EMIT session_.message(
        tr("The step to %1 is not taken apart; there are those to %2")
            .arg(variant ? qtext(variant->id()) : tr("this version"), known.join(QStringLiteral(", "))),
        false);
    return;
  }
  if (!shown_) {
    runner_ = new ApartRunner(session_, lease_, this);
    connect(runner_, &ApartRunner::message, &session_, &Session::message);
    shown_ = new ApartWindow(session_, *runner_, window_);
  }
  shown_->setStep(*step);
  shown_->show();
  shown_->raise();
  shown_->activateWindow();
}

} // namespace lloyd
