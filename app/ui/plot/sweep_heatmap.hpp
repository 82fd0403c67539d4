// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/ui/plot/plot_pane.hpp"
#include "app/ui/plot/plot_ticks.hpp"

#include <QSharedPointer>

#include <array>
#include <optional>
#include <vector>

class QComboBox;
class QCPColorMap;
class QCPColorScale;
class QCPItemText;

namespace lloyd {

/// A sweep over two axes: a heat map of one variant, or of the best at each place with its name. The numbers
/// stand in the cells where they fit. What could not run is a dash that tells the reason.
class SweepHeatmap : public PlotPane {
  Q_OBJECT
public:
  explicit SweepHeatmap(QWidget* parent = nullptr);

  void show(const SweepResultPtr& result, SweepMetric metric); ///< result may be null
  [[nodiscard]] PlotTable table() const override;
  /// Shows the best at each place, or with a candidate's number that alone.
  void choose(std::optional<std::size_t> candidate);

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  void arrange() override;

private:
  void fillChooser();
  void fill();
  void describe();
  void nameTicks(QCPAxis* axis, const QSharedPointer<PlaceTicker>& ticker, double pixels) const;
  /// Which candidate a cell shows: the chosen one, or the best; nothing where none has a value.
  [[nodiscard]] std::optional<std::size_t> candidateAt(std::size_t column, std::size_t row) const;
  [[nodiscard]] bool ofBest() const;

  SweepResultPtr result_;
  SweepMetric metric_ = SweepMetric::median;
  QComboBox* chooser_;
  QCPColorMap* map_;
  QCPColorScale* scale_;
  std::array<QSharedPointer<PlaceTicker>, 2> tickers_;
  std::vector<QCPItemText*> texts_;
};

} // namespace lloyd
