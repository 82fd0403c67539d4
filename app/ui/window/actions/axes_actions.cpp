// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/actions/axes_actions.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/explore/axes_panel.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>

namespace lloyd {
namespace {

/// What is of a drawing in space alone, and of points that can have other axes.
void enable(const Actions& actions, const Session& session, const AxesFinder& axes) {
  const SharedPointSet points = session.data();
  const bool space = points && points->d >= 3 && axes.axes().size() != 2;
  for (const ActionId id :
       {ActionId::orthographic, ActionId::axisX, ActionId::axisY, ActionId::axisZ, ActionId::orbitLeft,
        ActionId::orbitRight, ActionId::orbitUp, ActionId::orbitDown})
    actions[id]->setEnabled(space);
  actions[ActionId::components]->setEnabled(points && whyNoAxes(*points).empty());
}

} // namespace

void connectAxes(const Actions& actions, Session& session, AxesFinder& axes, AxesPanel& panel,
                 Viewport* viewport) {
  QAction* orthographic = actions[ActionId::orthographic];
  QObject::connect(&panel, &AxesPanel::orthographicWanted, orthographic, &QAction::setChecked);
  QObject::connect(orthographic, &QAction::toggled, &panel, &AxesPanel::showOrthographic);
  QObject::connect(actions[ActionId::components], &QAction::triggered, &axes, [&session, &axes] {
    if (const SharedPointSet points = session.data()) axes.choose(toggledComponents(axes, *points));
  });
  const auto enableAll = [&actions, &session, &axes] { enable(actions, session, axes); };
  QObject::connect(&session, &Session::dataChanged, &panel, enableAll);
  QObject::connect(&axes, &AxesFinder::chosen, &panel, enableAll);
  enableAll();
  if (!viewport) return;
  QObject::connect(orthographic, &QAction::toggled, viewport, &Viewport::setOrthographic);
  // The view may get these points later than their axes are found.
  const auto show = [viewport, &axes] { viewport->setProjection(axes.projection()); };
  QObject::connect(&axes, &AxesFinder::changed, viewport, show);
  QObject::connect(&session, &Session::pathChanged, viewport, show);
  QObject::connect(&session, &Session::iterated, viewport, show);
}

} // namespace lloyd
