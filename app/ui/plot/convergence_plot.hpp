// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/plot/run_figures.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <deque>
#include <memory>

class QCheckBox;

namespace lloyd {

/// A run, or two beside each other, as convergence() describes them.
class ConvergencePlot : public PlotPane {
  Q_OBJECT
public:
  enum class Extent {
    inertia, ///< alone in a small pane, whose title tells the newest value
    all,
  };
  explicit ConvergencePlot(QWidget* parent = nullptr, Extent extent = Extent::all);

  /// other may be null: there is one run.
  void show(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other = nullptr);
  [[nodiscard]] PlotTable table() const override;

private:
  void redraw();

  Extent extent_;
  std::shared_ptr<const ConvergenceRuns> runs_ = std::make_shared<ConvergenceRuns>();
  QCheckBox* logarithmic_;
};

} // namespace lloyd
