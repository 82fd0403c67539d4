// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/roofline.hpp"
#include "app/ui/plot/plot_pane.hpp"

class QComboBox;

namespace lloyd {

/// The roofline of a race as rooflineFigure() describes it, of all stages over points or of one stage.
class RooflinePlot : public PlotPane {
  Q_OBJECT
public:
  explicit RooflinePlot(QWidget* parent = nullptr);

  void show(const RaceResultPtr& race); ///< may be null
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] const Roofline& roofline() const { return roofline_; }

private:
  void redraw();

  RaceResultPtr race_;
  Roofline roofline_;
  QComboBox* stages_;
};

} // namespace lloyd
