// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <vector>

class QCPAbstractItem;
class QCPAxisRect;
class QCPColorMap;
class QCPColorScale;
class QCPGraph;
class QCPItemText;

namespace lloyd {

/// The window's painter of figures: a pane that draws what a description says, and reads it out under the
/// pointer. The panels of all figures that one pane shows are as many, and lie below or beside one another.
class FigurePane : public PlotPane {
  Q_OBJECT
public:
  enum class Panels { one, threeBelow, twoBeside };
  explicit FigurePane(const QString& name, QWidget* parent, Panels panels = Panels::one);

protected:
  /// Draws it. The view stays where a person has moved it to.
  void setFigure(Figure figure);

  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  void arrange() override;
  [[nodiscard]] std::vector<QCPAxis*> axes() const override;

private:
  /// A series with what it is drawn with.
  struct Drawn {
    std::size_t panel;
    const PlotSeries* series;
    QCPGraph* graph; ///< null: bars
  };
  void addPanels(Panels panels);
  void build();
  void addSeries(std::size_t panel, const PlotSeries& series);
  void addSpan(std::size_t panel, const PlotSpan& span);
  void addCaptions(std::size_t panel);
  void addCells();
  void addTexts(std::size_t panel);
  void addCellTexts();
  QCPItemText* addText(std::size_t panel, const QString& text, const QColor& colour);
  [[nodiscard]] QPointF pixelOf(std::size_t panel, QPointF value) const;
  [[nodiscard]] QPointF pixelOf(const Drawn& drawn, std::size_t point) const;

  Figure figure_;
  std::vector<QCPAxisRect*> rects_; ///< one a panel
  std::vector<Drawn> drawn_;
  std::vector<QCPAbstractItem*> items_; ///< that stay while the figure does
  std::vector<QCPAbstractItem*> texts_; ///< that are placed anew for every view
  QCPColorMap* map_ = nullptr;
  QCPColorScale* scale_ = nullptr;
};

} // namespace lloyd
