// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/selecting.hpp"

#include "app/ui/select/clusters_panel.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/column_colours.hpp"
#include "app/ui/window/workspace_layout.hpp"

#include <QKeyEvent>
#include <QWidget>

namespace lloyd {

Selecting::Selecting(Session& session, const Parts& parts, QWidget& window)
    : QObject(&window), session_(session), parts_(parts), colours_(session, parts.viewport) {
  window.installEventFilter(this);
  new ColumnColours(session_, parts_.appearance, colours_, this);
  connect(&parts_.arrangement, &WorkspaceLayout::changed, this,
          [this] { colours_.setActive(parts_.arrangement.workspace() == Workspace::explore); });
  connectClusters();
}

void Selecting::connectClusters() {
  ClustersPanel& panel = parts_.clusters;
  connect(&panel, &ClustersPanel::focusWanted, this, &Selecting::setFocus);
  // Another run has other clusters by the same numbers.
  connect(&session_, &Session::dataChanged, this, [this] { setFocus(std::nullopt); });
  connect(&session_, &Session::settingsChanged, this, [this] {
    if (const auto& focus = colours_.focus(); focus && focus->cluster >= session_.settings().k)
      setFocus(std::nullopt);
  });
  if (!parts_.viewport) return;
  Viewport& view = *parts_.viewport;
  view.setCentroidText([&panel](int cluster) {
    const auto at = static_cast<std::size_t>(cluster);
    const QString known = clusterText(panel.watch(), at);
    return known.isEmpty() ? panel.watch().title(at) : known;
  });
  connect(&view, &Viewport::centroidPointed, &panel,
          [&panel](std::optional<int> cluster) { panel.setPointed(cluster.has_value()); });
  connect(&panel.watch(), &ClusterWatch::changed, &view, qOverload<>(&QWidget::update));
}

void Selecting::setFocus(std::optional<ClusterFocus> focus) {
  colours_.setFocus(focus);
  parts_.clusters.showFocus(focus);
}

bool Selecting::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
      colours_.focus()) {
    setFocus(std::nullopt);
    return true;
  }
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
