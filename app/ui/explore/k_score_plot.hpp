// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/quality/k_curve_points.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <vector>

namespace lloyd {

/// One score over k, as kCurveFigure() describes it, in a small pane. A click takes the k under it.
class KScorePlot : public PlotPane {
  Q_OBJECT
public:
  KScorePlot(Score score, QWidget* parent);

  void show(const std::vector<KPoint>& points, int shownK);
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] Score score() const { return score_; }

Q_SIGNALS:
  void chosen(int k);

private:
  Score score_;
  std::vector<KPoint> points_;
};

} // namespace lloyd
