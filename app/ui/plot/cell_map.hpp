// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"

#include <QColor>

class QCPAxisRect;
class QCPColorMap;
class QCPColorScale;
class QCustomPlot;

namespace lloyd {

/// The plane of values of a plot's first panel, and the scale beside it that says what its colours mean.
class CellMap {
public:
  CellMap(QCustomPlot& plot, QCPAxisRect& rect) : plot_(plot), rect_(rect) {}

  /// Draws cells, which must outlive the drawing; null: there are none. The scale, once there, stays.
  void build(const PlotCells* cells);
  [[nodiscard]] bool drawn() const { return map_ != nullptr; }
  /// Cuts the scale's title to the room that it has.
  void arrangeTitle() const;
  /// What a value is drawn in.
  [[nodiscard]] QColor colourOf(double value) const;

private:
  void addScale();
  void showScale();
  void removeScale();

  QCustomPlot& plot_;
  QCPAxisRect& rect_;
  const PlotCells* cells_ = nullptr;
  QCPColorMap* map_ = nullptr; ///< the plot owns it, and takes it with its other plottables
  QCPColorScale* scale_ = nullptr;
};

} // namespace lloyd
