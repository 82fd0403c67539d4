// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/race_figures.hpp"
#include "app/ui/plot/plot_pane.hpp"

class QComboBox;

namespace lloyd {

/// The samples of two variants of one race as distribution() describes them.
class DistributionPlot : public PlotPane {
  Q_OBJECT
public:
  explicit DistributionPlot(QWidget* parent = nullptr);

  /// race may be null. Rows of a and b that it lacks, or that have no samples, are reported in its place.
  void show(const RaceResultPtr& race, const Candidate& a, const Candidate& b);
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] const Comparison& comparison() const { return duel_.comparison; }

private:
  void redraw();

  RaceResultPtr race_;
  Duel duel_;
  QComboBox* kind_;
};

} // namespace lloyd
