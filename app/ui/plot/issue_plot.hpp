// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/timeline/named_timeline.hpp"
#include "app/ui/plot/plot_pane.hpp"

namespace lloyd {

/// Warps on a scheduler, as timelineFigure() draws them: all pictures below one another on one axis.
class IssuePlot : public PlotPane {
  Q_OBJECT
public:
  explicit IssuePlot(QWidget* parent = nullptr);

  /// whyNone: what stands in for a picture where there are none.
  void show(const NamedTimelines& pictures, const QString& whyNone = {});
  [[nodiscard]] const NamedTimelines& seen() const { return seen_; }
  [[nodiscard]] PlotTable table() const override;

private:
  NamedTimelines seen_;
};

} // namespace lloyd
