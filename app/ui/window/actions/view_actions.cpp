// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/actions/view_actions.hpp"

#include "app/ui/common/actions.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>

namespace lloyd {
namespace {

constexpr double sizeStep = 1.25;
constexpr double zoomStep = 1.25;
constexpr double keyPixels = 40;   ///< of a pan or orbit by key
constexpr double nudgePixels = 12; ///< of a centroid by key

} // namespace

void connectViewActions(const Actions& actions, Viewport* viewport, AppearancePanel& appearance) {
  const auto view = [&](ActionId id, auto work) {
    QAction* action = actions[id];
    if (viewport) {
      QObject::connect(action, &QAction::triggered, viewport, [viewport, work] { work(*viewport); });
      return;
    }
    action->setEnabled(false);
    action->setToolTip(Actions::tr("No points are drawn here"));
  };
  view(ActionId::fit, [](Viewport& v) { v.fit(); });
  view(ActionId::resetView, [](Viewport& v) { v.resetView(); });
  view(ActionId::axisX, [](Viewport& v) { v.axisView(0); });
  view(ActionId::axisY, [](Viewport& v) { v.axisView(1); });
  view(ActionId::axisZ, [](Viewport& v) { v.axisView(2); });
  view(ActionId::zoomIn, [](Viewport& v) { v.zoom(zoomStep); });
  view(ActionId::zoomOut, [](Viewport& v) { v.zoom(1 / zoomStep); });
  view(ActionId::panLeft, [](Viewport& v) { v.pan({keyPixels, 0}); });
  view(ActionId::panRight, [](Viewport& v) { v.pan({-keyPixels, 0}); });
  view(ActionId::panUp, [](Viewport& v) { v.pan({0, keyPixels}); });
  view(ActionId::panDown, [](Viewport& v) { v.pan({0, -keyPixels}); });
  view(ActionId::orbitLeft, [](Viewport& v) { v.orbit({-keyPixels, 0}); });
  view(ActionId::orbitRight, [](Viewport& v) { v.orbit({keyPixels, 0}); });
  view(ActionId::orbitUp, [](Viewport& v) { v.orbit({0, -keyPixels}); });
  view(ActionId::orbitDown, [](Viewport& v) { v.orbit({0, keyPixels}); });
  view(ActionId::centre, [](Viewport& v) { v.centreUnderPointer(); });
  view(ActionId::inspect, [](Viewport& v) { v.inspectUnderPointer(); });
  view(ActionId::nextCentroid, [](Viewport& v) { v.selectNextCentroid(); });
  view(ActionId::moveLeft, [](Viewport& v) { v.nudgeCentroid({-nudgePixels, 0}); });
  view(ActionId::moveRight, [](Viewport& v) { v.nudgeCentroid({nudgePixels, 0}); });
  view(ActionId::moveUp, [](Viewport& v) { v.nudgeCentroid({0, -nudgePixels}); });
  view(ActionId::moveDown, [](Viewport& v) { v.nudgeCentroid({0, nudgePixels}); });
  view(ActionId::addCentroid, [](Viewport& v) { v.addCentroid(); });
  view(ActionId::removeCentroid, [](Viewport& v) { v.removeCentroid(); });
  const auto resized = [&appearance](Viewport& v, double factor) {
    v.setSizeFactor(v.sizeFactor() * factor);
    appearance.showSize(v.sizeFactor());
  };
  view(ActionId::smallerPoints, [resized](Viewport& v) { resized(v, 1 / sizeStep); });
  view(ActionId::largerPoints, [resized](Viewport& v) { resized(v, sizeStep); });
}

} // namespace lloyd
