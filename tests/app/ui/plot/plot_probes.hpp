// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/plot/plot_kinds.hpp"
#include "app/ui/plot/sweep_heatmap.hpp"
#include "tests/app/ui/plot/plot_fixture.hpp"

#include <QTest>
#include <QXmlStreamReader>
#include <qcustomplot.h>

#include <cmath>
#include <memory>
#include <vector>

namespace lloyd::test {

inline SweepAxis axisOf(SweepParameter parameter, const char* text) {
  return parseSweepAxis(parameter, text);
}

/// Every plot with scripted data, by name.
inline std::unique_ptr<PlotPane> makePlot(const QString& name) {
  const RaceResultPtr race = scriptedRace();
  if (name == QLatin1String("stages")) {
    auto plot = std::make_unique<FrameTimePlot>();
    plot->show(scriptedFrames(false), false);
    return plot;
  }
  if (name == QLatin1String("distribution")) {
    auto plot = std::make_unique<DistributionPlot>();
    plot->show(race, race->rows[6].candidate, race->rows[0].candidate);
    return plot;
  }
  if (name == QLatin1String("roofline")) {
    auto plot = std::make_unique<RooflinePlot>();
    plot->show(race);
    return plot;
  }
  if (name == QLatin1String("run")) {
    auto plot = std::make_unique<ConvergencePlot>();
    const auto other = scriptedRun(31, 1.75e8);
    plot->show(scriptedRun(24, 1.7e8), &other);
    return plot;
  }
  if (name == QLatin1String("sweep")) {
    auto plot = std::make_unique<SweepPlot>();
    plot->show(scriptedSweep({axisOf(SweepParameter::block, "32:1024")}), SweepMetric::median);
    return plot;
  }
  auto plot = std::make_unique<SweepHeatmap>();
  plot->show(scriptedSweep({axisOf(SweepParameter::k, "2:64"), axisOf(SweepParameter::block, "32:1024")}),
             SweepMetric::median);
  return plot;
}

inline const QStringList plotNames{"stages", "distribution", "roofline", "run", "sweep", "map"};

inline void addPlots() {
  QTest::addColumn<QString>("name");
  for (const QString& name : plotNames)
    QTest::addRow("%s", qPrintable(name)) << name;
}

inline bool appears(PlotPane& plot, QSize size = {620, 360}) {
  plot.resize(size);
  plot.show();
  if (!QTest::qWaitForWindowExposed(&plot)) return false;
  QTest::qWait(30); // the drawing is queued
  return true;
}

/// The first answer of the read-out along the diagonals of all axis rectangles.
inline QPointF somethingIn(const PlotPane& plot, QString* text = nullptr) {
  for (const QCPAxisRect* rect : plot.plot().axisRects())
    for (int y = rect->top() + 2; y < rect->bottom(); y += 4)
      for (int x = rect->left() + 2; x < rect->right(); x += 4) {
        const QString said = plot.readAt({double(x), double(y)});
        if (said.isEmpty()) continue;
        if (text) *text = said;
        return {double(x), double(y)};
      }
  return {-1, -1};
}

inline std::vector<QCPRange> rangesOf(const PlotPane& plot) {
  std::vector<QCPRange> ranges;
  for (const QCPAxisRect* rect : plot.plot().axisRects())
    for (QCPAxis* axis : {rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)})
      ranges.push_back(axis->range());
  return ranges;
}

/// How far along the axis a value lies, 0 to 1: unlike pixels, whatever the width of its labels.
inline double partOf(const QCPAxis& axis, double value) {
  const QCPRange range = axis.range();
  return axis.scaleType() == QCPAxis::stLogarithmic
             ? std::log(value / range.lower) / std::log(range.upper / range.lower)
             : (value - range.lower) / range.size();
}

/// Whether it is XML to the end, and how many paths and lines it draws.
inline int pathsOf(const QByteArray& svg) {
  QXmlStreamReader xml(svg);
  int paths = 0;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    paths += xml.name() == QLatin1String("path") || xml.name() == QLatin1String("polyline");
  }
  return xml.hasError() ? -1 : paths;
}

} // namespace lloyd::test
