// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/roofline.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <QRectF>

#include <vector>

class QComboBox;
class QCPGraph;
class QCPItemLine;
class QCPItemText;

namespace lloyd {

/// The roofline of a race: what memory and arithmetic allow, and how near each variant comes, both axes
/// logarithmic.
class RooflinePlot : public PlotPane {
  Q_OBJECT
public:
  explicit RooflinePlot(QWidget* parent = nullptr);

  void show(const RaceResultPtr& race); ///< may be null
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] const Roofline& roofline() const { return roofline_; }

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  void arrange() override;

private:
  void fill();
  void describe();
  void drawRoofs();
  void nameSlope(const MemoryRoof& roof, double right, bool above);
  void drawLabels();
  [[nodiscard]] bool shown(const RooflinePoint& point) const;
  [[nodiscard]] QString pointText(const RooflinePoint& point) const;
  QCPItemText* text(const QString& words, QPointF at, int alignment, const QColor& colour);

  RaceResultPtr race_;
  Roofline roofline_;
  QComboBox* stages_;
  std::vector<QCPGraph*> marks_; ///< one a stage that can stand here
  std::vector<QCPGraph*> roofs_; ///< the main roof, then those of other footprints
  std::vector<QCPItemText*> texts_;
  std::vector<QCPItemLine*> leaders_;
  std::vector<QRectF> taken_; ///< by roofs and their names
};

} // namespace lloyd
