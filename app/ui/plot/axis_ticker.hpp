// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/plot_axis.hpp"

#include <QString>
#include <QVector>
#include <qcustomplot.h>

#include <utility>
#include <vector>

namespace lloyd {

/// The ticks of a described axis, as many as there is room for.
class AxisTicker : public QCPAxisTicker {
public:
  explicit AxisTicker(PlotAxis axis) : axis_(std::move(axis)) {}
  /// Looks how long the axis is that has these ticks.
  void fit(const QCPAxis& axis);

protected:
  int getSubTickCount(double) override { return 0; }
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
  /// The axis with the range that is on the screen.
  [[nodiscard]] PlotAxis seen(const QCPRange& range) const;
  void putInRows(const QFontMetrics& metrics, double apart);

  PlotAxis axis_;
  std::vector<PlotTick> ticks_;    ///< those made last
  int most_ = 0;                   ///< for how many there is room; 0: not known yet
  int every_ = 1;                  ///< of the places
  std::vector<QString> shortened_; ///< texts of the places that stand in two rows; empty: in one
};

/// Gives an axis the scale, the ticks and the title of a description.
void describeAxis(QCPAxis& axis, const PlotAxis& description);

} // namespace lloyd
