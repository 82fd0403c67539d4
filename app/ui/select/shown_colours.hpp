// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/selection_summary.hpp"
#include "app/model/session/session.hpp"
#include "app/render/points/colour.hpp"
#include "app/ui/view/colour_key.hpp"
#include "app/ui/view/point_search.hpp"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd {

class Viewport;

/// A cluster that stands out.
struct ClusterFocus {
  int cluster = 0;
  bool alone = false; ///< the others are not drawn; else they are pale
  bool operator==(const ClusterFocus&) const = default;
};

/// The one place that decides which colours the points of Explore have: those of clusters, or of whatever
/// colours points in their place; pale ones beside what is selected or stands out; and none for what is
/// hidden. In other workspaces groups are those workspaces' own. Groups are found on a thread. GUI thread.
class ShownColours : public QObject {
  Q_OBJECT
public:
  /// The viewport may be null. Both must outlive it, the viewport as long as it is used.
  ShownColours(Session& session, Viewport* viewport, QObject* parent = nullptr);
  ~ShownColours() override;

  /// Whether Explore is on the screen.
  void setActive(bool active);
  /// Of the clusters, as the theme has them.
  void setClusterColours(const std::vector<Rgb>& colours, bool dark);
  [[nodiscard]] const std::vector<Rgb>& clusterColours() const { return clusterColours_; }
  /// Colours points by something else than their cluster, as Viewport::setGroups() takes it; null: by
  /// cluster.
  void setBase(PointGroupsPtr groups, std::vector<Rgb> colours, ColourKey key);
  void setFocus(std::optional<ClusterFocus> focus);
  [[nodiscard]] const std::optional<ClusterFocus>& focus() const { return focus_; }
  /// What is selected, and what is hidden, of the session's points; null: nothing.
  void setMarks(PointMarks selected, PointMarks hidden);

Q_SIGNALS:
  void clusterColoursChanged();

private:
  [[nodiscard]] bool alone() const { return focus_ && focus_->alone; }
  /// Whether points need groups to be drawn as they are to be.
  [[nodiscard]] bool marking() const { return selected_ || hidden_ || alone(); }
  void showColours();
  [[nodiscard]] std::vector<Rgb> ofCentroids() const;
  void showGroups();
  void compose();
  [[nodiscard]] std::vector<Rgb> withPale(std::vector<Rgb> colours) const;

  static constexpr int pauseMs = 100; ///< between two states of a run that plays

  Session& session_;
  Viewport* viewport_;
  bool active_ = true;
  bool dark_ = true;
  std::vector<Rgb> clusterColours_;
  std::vector<Rgb> shownColours_; ///< of the clusters, with the focus
  PointGroupsPtr base_;
  std::vector<Rgb> baseColours_;
  ColourKey baseKey_;
  std::optional<ClusterFocus> focus_;
  PointMarks selected_;
  PointMarks hidden_;
  PointGroupsPtr given_; ///< what the viewport has of this
  bool busy_ = false;
  bool due_ = false;
  QTimer pause_;
  HandOver toGui_;
  WorkerThread worker_; // last: joined before what its tasks use is gone
};

/// Groups from labels, or other groups: as they are for what is selected, and so many more for what is not;
/// hiddenGroup for what is hidden. Without a selection all are as they are. A label below 0 stays. Where
/// clusters are given, all of others than the one are hidden too.
[[nodiscard]] std::vector<std::int32_t>
markedGroups(std::span<const std::int32_t> base, const PointMarks& selected, const PointMarks& hidden,
             std::int32_t colours, std::span<const std::int32_t> clusters = {}, std::int32_t one = 0);

} // namespace lloyd
