// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/cluster_table_model.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/render/points/colour.hpp"
#include "app/ui/select/shown_colours.hpp"

#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

#include <optional>
#include <vector>

namespace lloyd {

class ElidedLabel;
class ProfilePlot;

/// The table of the clusters: a click, or Enter, has a cluster stand out, a double click, or Shift+Enter,
/// shows it alone, and Escape all of them again.
class ClusterTable : public QTableView {
  Q_OBJECT
public:
  ClusterTable(ClusterTableModel& model, QWidget* parent);

  /// Makes its row the current one.
  void setCurrentCluster(int cluster);

Q_SIGNALS:
  void picked(int cluster, bool alone);
  void moved(int cluster); ///< keys went to its row
  void givenBack();
  void selectWanted(int cluster);

protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
  [[nodiscard]] int clusterAt(const QModelIndex& index) const;

  bool doubled_ = false; ///< the button was pressed for the second time

  QSortFilterProxyModel sorted_;
};

/// What the clusters are like: a table of them beside their profiles. Numbers are found while it is seen.
class ClustersPanel : public QWidget {
  Q_OBJECT
public:
  ClustersPanel(Session& session, DeviceLease& lease, QWidget* parent = nullptr);

  [[nodiscard]] ClusterWatch& watch() { return watch_; }
  [[nodiscard]] ClusterTable& table() { return *table_; }
  [[nodiscard]] ClusterTableModel& model() { return model_; }
  [[nodiscard]] ProfilePlot& profile() { return *profile_; }
  [[nodiscard]] QString sentence() const;
  void setColours(const std::vector<Rgb>& colours);
  /// The cluster that stands out.
  void showFocus(std::optional<ClusterFocus> focus);
  /// A centroid in the view is pointed at, so that its numbers are wanted.
  void setPointed(bool pointed);

Q_SIGNALS:
  void focusWanted(std::optional<lloyd::ClusterFocus> focus);
  void selectWanted(int cluster);

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void pick(int cluster, bool alone);
  void show();
  void look() { watch_.setWatched(isVisible() || pointed_); }

  Session& session_;
  ClusterWatch watch_;
  ClusterTableModel model_{watch_};
  std::vector<PlotRgb> colours_;
  std::optional<ClusterFocus> focus_;
  bool pointed_ = false;
  ElidedLabel* words_;
  ClusterTable* table_;
  ProfilePlot* profile_;
};

} // namespace lloyd
