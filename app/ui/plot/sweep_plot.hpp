// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/ui/plot/plot_pane.hpp"

class QCheckBox;

namespace lloyd {

/// A sweep over one axis as sweepLines() describes it, linear or logarithmic.
class SweepPlot : public PlotPane {
  Q_OBJECT
public:
  explicit SweepPlot(QWidget* parent = nullptr);

  void show(const SweepResultPtr& result, SweepMetric metric); ///< result may be null
  [[nodiscard]] PlotTable table() const override;

private:
  void redraw();

  SweepResultPtr result_;
  SweepMetric metric_ = SweepMetric::median;
  bool scaleChosen_ = false; ///< by a person
  QCheckBox* logarithmic_;
};

} // namespace lloyd
