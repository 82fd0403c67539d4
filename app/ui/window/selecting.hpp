// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/select/shown_colours.hpp"

#include <QObject>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace lloyd {

class Actions;
class AppearancePanel;
class BottomPanel;
class ClusterWatch;
class Lasso;
class SelectPanel;
class Viewport;
class WorkspaceLayout;

/// What a person singles out in Explore: passes it between the panels, the view and the colours. The window
/// owns it; everything that it is given outlives the event loop.
class Selecting : public QObject {
  Q_OBJECT
public:
  struct Parts {
    BottomPanel& bottom;
    AppearancePanel& appearance;
    Viewport* viewport; ///< may be null
    WorkspaceLayout& arrangement;
    const Actions& actions;
  };
  Selecting(Session& session, const Parts& parts, QWidget& window);

  [[nodiscard]] ShownColours& colours() { return colours_; }
  [[nodiscard]] SelectPanel& panel() { return *panel_; }
  /// The clusters by number, with their names.
  [[nodiscard]] ClusterWatch& clusters();
  /// What stands out goes on with its cluster, which gets another number. before: which each was.
  void renumber(const std::vector<int>& before);
  /// Null where nothing is drawn.
  [[nodiscard]] Lasso* lasso() { return lasso_; }

Q_SIGNALS:
  void message(const QString& text, bool error);
  void outdated(const QString& text); ///< a message that holds no more

protected:
  /// Escape that nobody else had a use for ends the lasso, or else what stands out.
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void connectClusters();
  void connectSelection();
  void connectLasso();
  [[nodiscard]] PointMarks besideOneAlone() const;
  void enable();
  void setFocus(std::optional<ClusterFocus> focus);
  void askWhereToExport();

  Session& session_;
  Parts parts_;
  QWidget& window_;
  ShownColours colours_;
  SelectPanel* panel_;
  Lasso* lasso_ = nullptr; ///< of the viewport
  QString hint_;           ///< how to draw with it; empty while it rests
};

} // namespace lloyd
