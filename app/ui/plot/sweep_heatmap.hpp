// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <optional>

class QComboBox;

namespace lloyd {

/// A sweep over two axes as sweepMap() describes it, of one variant or of the best at each place.
class SweepHeatmap : public PlotPane {
  Q_OBJECT
public:
  explicit SweepHeatmap(QWidget* parent = nullptr);

  void show(const SweepResultPtr& result, SweepMetric metric); ///< result may be null
  [[nodiscard]] PlotTable table() const override;
  /// Shows the best at each place, or with a candidate's number that alone.
  void choose(std::optional<std::size_t> candidate);

private:
  void fillChooser();
  void redraw();

  SweepResultPtr result_;
  SweepMetric metric_ = SweepMetric::median;
  QComboBox* chooser_;
};

} // namespace lloyd
