// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/step_apart.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <optional>

namespace lloyd {

/// The waterfall of a step that was taken apart, as apartFigure() draws it.
class ApartPlot : public PlotPane {
  Q_OBJECT
public:
  explicit ApartPlot(QWidget* parent = nullptr);

  /// whyNone: what stands in for it where there is none.
  void show(const std::optional<StepApart>& apart, const QString& whyNone = {});
  /// One row a combination.
  [[nodiscard]] PlotTable table() const override;

private:
  std::optional<StepApart> apart_;
};

} // namespace lloyd
