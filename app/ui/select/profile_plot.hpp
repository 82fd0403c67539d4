// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/profile_figure.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <vector>

namespace lloyd {

/// The profiles of the clusters, as profileFigure() describes them. The watch must outlive it.
class ProfilePlot : public PlotPane {
  Q_OBJECT
public:
  explicit ProfilePlot(const ClusterWatch& watch, QWidget* parent);

  void show(const std::vector<PlotRgb>& colours, int focus);
  [[nodiscard]] PlotTable table() const override { return profileTable(subject()); }

private:
  [[nodiscard]] ProfileSubject subject() const;

  const ClusterWatch& watch_;
  std::vector<PlotRgb> colours_;
  int focus_ = -1;
};

} // namespace lloyd
