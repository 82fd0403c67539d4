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

/// "n", "d", "k", "threads in a block", "points a thread".
[[nodiscard]] QString axisTitle(SweepParameter parameter);
/// "1,024", and powers of two that are long to write as "2^20".
[[nodiscard]] QString sweepValueText(std::uint64_t value);
/// "median µs", "GB/s", "% of the limit", "million points/s".
[[nodiscard]] QString metricTitle(SweepMetric metric);
/// "V3", or the whole id where variants of several families are swept; with tuning parameters that are not
/// the variant's own.
[[nodiscard]] QString lineName(const SweepPlan& plan, std::size_t candidate);
/// One measurement with its place and all that was found out, as a hover says it.
[[nodiscard]] QString cellText(const SweepResult& result, std::size_t column, std::size_t row,
                               std::size_t candidate, SweepMetric metric);

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
