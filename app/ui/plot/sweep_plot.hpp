// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/ui/plot/plot_pane.hpp"
#include "app/ui/plot/plot_ticks.hpp"

#include <QSharedPointer>

#include <vector>

class QCheckBox;
class QCPGraph;

namespace lloyd {

/// A sweep over one axis (or one of which the other has a single value): a line for each variant. What could
/// not run is a gap, with a cross at the foot that tells the reason.
class SweepPlot : public PlotPane {
  Q_OBJECT
public:
  explicit SweepPlot(QWidget* parent = nullptr);

  void show(const SweepResultPtr& result, SweepMetric metric); ///< result may be null
  [[nodiscard]] PlotTable table() const override;

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  void arrange() override;

private:
  void fill();
  void describe();
  [[nodiscard]] bool overRows() const; ///< the second axis is the one with several values
  [[nodiscard]] const SweepAxis& axis() const;
  [[nodiscard]] const Measurement* at(std::size_t place, std::size_t candidate) const;
  [[nodiscard]] QPointF footOf(std::size_t place) const; ///< pixel of a gap's cross

  SweepResultPtr result_;
  SweepMetric metric_ = SweepMetric::median;
  bool scaleChosen_ = false; ///< by a person
  std::vector<QCPGraph*> lines_;
  QCPGraph* gaps_;
  std::vector<std::size_t> gapPlaces_;
  QSharedPointer<PlaceTicker> ticker_;
  QCheckBox* logarithmic_;
};

} // namespace lloyd
