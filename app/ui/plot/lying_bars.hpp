// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"

#include <qcustomplot.h>

#include <cstddef>
#include <vector>

namespace lloyd {

/// The lying bars of one series. What a drawing costs depends on what is seen of them, not on how many there
/// are: the bars of a row that ascend are searched, and those narrower than a pixel are drawn as one. The
/// series must outlive it.
class LyingBars : public QCPAbstractPlottable {
  Q_OBJECT
public:
  LyingBars(QCPAxis* x, QCPAxis* y, const PlotSeries& series);

  [[nodiscard]] const PlotSeries& series() const { return series_; }
  /// How many rectangles the last drawing had.
  [[nodiscard]] std::size_t drawn() const { return drawn_; }

  // Bars are not picked with the mouse; FigurePainter reads them.
  double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain sign = QCP::sdBoth) const override;
  QCPRange getValueRange(bool& found, QCP::SignDomain sign = QCP::sdBoth,
                         const QCPRange& keys = QCPRange()) const override;

protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
  /// Neighbours with one y whose begins ascend.
  struct Row {
    double y = 0;
    std::size_t first = 0;
    std::size_t last = 0; ///< behind the last
  };
  void drawRow(QCPPainter& painter, const Row& row);
  void drawBar(QCPPainter& painter, const QRectF& bar, const QString& words);
  [[nodiscard]] double beginOf(std::size_t bar) const { return series_.points[2 * bar].x(); }
  [[nodiscard]] double endOf(std::size_t bar) const { return series_.points[2 * bar + 1].x(); }

  const PlotSeries& series_;
  std::vector<Row> rows_;
  std::vector<double> reached_; ///< by bar: the farthest end of it and of those before it in its row
  std::size_t drawn_ = 0;
};

} // namespace lloyd
