// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/select/shown_colours.hpp"

#include <QObject>

class QWidget;

namespace lloyd {

class AppearancePanel;
class ClustersPanel;
class Viewport;
class WorkspaceLayout;

/// What a person singles out in Explore: passes it between the panels, the view and the colours. The window
/// owns it; everything that it is given outlives the event loop.
class Selecting : public QObject {
  Q_OBJECT
public:
  struct Parts {
    ClustersPanel& clusters;
    AppearancePanel& appearance;
    Viewport* viewport; ///< may be null
    WorkspaceLayout& arrangement;
  };
  Selecting(Session& session, const Parts& parts, QWidget& window);

  [[nodiscard]] ShownColours& colours() { return colours_; }

protected:
  /// Escape that nobody else had a use for ends what stands out.
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void connectClusters();
  void setFocus(std::optional<ClusterFocus> focus);

  Session& session_;
  Parts parts_;
  ShownColours colours_;
};

} // namespace lloyd
