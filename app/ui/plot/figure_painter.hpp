// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"
#include "app/ui/plot/cell_map.hpp"

#include <QColor>
#include <QPointF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QCPAbstractItem;
class QCPAxis;
class QCPAxisRect;
class QCPGraph;
class QCPItemText;
class QCustomPlot;

namespace lloyd {

/// What lies under the pointer: the nearest mark in words with units, and where it is. Pixels of the plot.
struct PlotHover {
  QString text;
  QPointF at;
};

/// The window's painter of figures: draws what a description says with QCustomPlot, in the colours of the
/// theme. The panels of all figures that one painter draws are as many, and lie below or beside one another.
class FigurePainter {
public:
  enum class Panels { one, threeBelow, twoBeside };
  FigurePainter(QCustomPlot& plot, Panels panels);

  void paint(Figure figure);
  void renewColours();
  /// Puts the legend below the axes, in as many columns as fit.
  void useLegend();
  /// Gives the axes the ranges that show all data.
  void fit();
  /// To be called before every drawing, when the plot has its size: ticks and labels find their places.
  void arrange();
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const;
  /// The axes that keys move; each once.
  [[nodiscard]] std::vector<QCPAxis*> axes() const;

private:
  /// A series with what it is drawn with.
  struct Drawn {
    std::size_t panel;
    const PlotSeries* series;
    QCPGraph* graph; ///< null: bars
  };
  void addPanels(Panels panels);
  void build();
  void arrangeLegend();
  void colourLegend();
  void arrangeTicks();
  void arrangeMargins();
  void arrangeTitles();
  void addSeries(std::size_t panel, const PlotSeries& series);
  void addPair(std::size_t panel, const PlotSeries& series, QPointF from, QPointF to);
  void addSpan(std::size_t panel, const PlotSpan& span);
  void addCaptions(std::size_t panel);
  void addTexts(std::size_t panel);
  void addCellTexts();
  QCPItemText* addText(std::size_t panel, const QString& text, const QColor& colour);
  [[nodiscard]] QPointF pixelOf(std::size_t panel, QPointF value) const;
  [[nodiscard]] QPointF pixelOf(const Drawn& drawn, std::size_t point) const;

  QCustomPlot& plot_;
  Figure figure_;
  bool hasLegend_ = false;
  std::vector<QCPAxisRect*> rects_; ///< one a panel
  std::vector<Drawn> drawn_;
  std::vector<QCPAbstractItem*> items_; ///< that stay while the figure does
  std::vector<QCPAbstractItem*> texts_; ///< that are placed anew for every view
  std::unique_ptr<CellMap> map_;        ///< of the first panel
};

} // namespace lloyd
