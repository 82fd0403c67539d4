// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/actions/look_actions.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/model/projection/projection.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>

namespace lloyd {
namespace {

QString whyNoRegionsOf(const Session& session, const AxesFinder& axes, const Viewport* viewport) {
  if (!viewport) return Actions::tr("No points are drawn here");
  const SharedPointSet points = session.data();
  return points ? qtext(whyNoRegions(points->d, axes.axes())) : QString();
}

} // namespace

void connectLook(const Actions& actions, Session& session, AxesFinder& axes, AppearancePanel& panel,
                 Viewport* viewport) {
  QAction* trails = actions[ActionId::trails];
  QObject::connect(&panel, &AppearancePanel::trailsWanted, trails, &QAction::setChecked);
  QObject::connect(trails, &QAction::toggled, &panel, &AppearancePanel::showTrails);
  QAction* regions = actions[ActionId::regions];
  QObject::connect(&panel, &AppearancePanel::regionsWanted, regions, &QAction::setChecked);
  // Wanted regions come back with the next drawing that has them.
  const auto show = [&session, &axes, &panel, regions, viewport, usual = regions->toolTip()] {
    const QString why = whyNoRegionsOf(session, axes, viewport);
    regions->setEnabled(why.isEmpty());
    regions->setToolTip(why.isEmpty() ? usual : why);
    panel.showRegions(regions->isChecked(), why);
  };
  QObject::connect(regions, &QAction::toggled, &panel, show);
  QObject::connect(&session, &Session::dataChanged, &panel, show);
  QObject::connect(&axes, &AxesFinder::chosen, &panel, show);
  show();
  if (!viewport) return;
  QObject::connect(trails, &QAction::toggled, viewport, &Viewport::setTrails);
  QObject::connect(regions, &QAction::toggled, viewport, &Viewport::setRegions);
  QObject::connect(&panel, &AppearancePanel::sizeWanted, viewport, &Viewport::setSizeFactor);
}

} // namespace lloyd
