// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/table/column_groups.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd {

class AppearancePanel;
class Viewport;
class WorkspaceLayout;

/// Colours points by their value in a column of their table, while Explore is seen: offers the columns in the
/// panel, groups the points on a thread of its own, and says what the colours mean. New data are coloured by
/// cluster again, unless they are of the same table. GUI thread.
class ColumnColours : public QObject {
  Q_OBJECT
public:
  ColumnColours(Session& session, AppearancePanel& panel, Viewport* viewport, WorkspaceLayout& arrangement,
                QObject* parent = nullptr);

  /// A change of the theme reaches the panel.
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  /// Whether Explore is seen: other workspaces have groups of their own.
  void setActive(bool active);
  void offer();
  void choose(std::optional<std::size_t> column);
  void give();

  Session& session_;
  AppearancePanel& panel_;
  Viewport* viewport_;
  bool active_ = true;
  std::optional<std::size_t> column_;
  QString source_;
  SharedPointSet points_; ///< that groups_ are of
  ColumnGroups groups_;
  std::shared_ptr<const std::vector<std::int32_t>> given_; ///< what the viewport has of ours
  HandOver toGui_;
  WorkerThread worker_;
};

} // namespace lloyd
