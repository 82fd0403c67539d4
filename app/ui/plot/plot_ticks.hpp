// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/plot_axis.hpp"

#include <QVector>
#include <qcustomplot.h>

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
  PlotAxis axis_;
  int every_ = 1; ///< of the places
};

/// Gives an axis the scale, the ticks and the title of a description.
void describeAxis(QCPAxis& axis, const PlotAxis& description);

} // namespace lloyd
