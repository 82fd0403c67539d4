// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/select/profile_plot.hpp"

namespace lloyd {

ProfilePlot::ProfilePlot(const ClusterWatch& watch, QWidget* parent)
    : PlotPane(tr("Profiles"), parent), watch_(watch) {
  setSmall(tr("Profiles"));
  setMinimumWidth(1); // beside the table, its title is cut where there is no room
  show({}, -1);
}

ProfileSubject ProfilePlot::subject() const {
  return {.points = watch_.points().get(),
          .numbers = watch_.numbers().get(),
          .colours = colours_,
          .focus = focus_,
          .title = [this](std::size_t cluster) { return watch_.title(cluster); }};
}

void ProfilePlot::show(const std::vector<PlotRgb>& colours, int focus) {
  colours_ = colours;
  focus_ = focus;
  setFigure(profileFigure(subject()));
}

} // namespace lloyd
