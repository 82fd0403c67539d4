// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/plot_axis.hpp"
#include "app/render/overlay/axes_frame.hpp"

#include <QPolygonF>
#include <QtTest>

#include <algorithm>
#include <limits>

namespace lloyd {

class TestAxisTicks : public QObject {
  Q_OBJECT
private slots:
  void roundNumbers() {
    const auto ticks = PlotAxis{.low = -0.3, .high = 1.1}.ticksFor(5);
    QStringList labels;
    for (const PlotTick& tick : ticks)
      labels << tick.label;
    QCOMPARE(labels, QStringList({"0.0", "0.5", "1.0"}));
  }

  void staysInsideAndDistinct_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("ordinary") << 0.0 << 255.0;
    QTest::newRow("negative") << -38.59 << -10.72;
    QTest::newRow("narrow at an offset") << 10000.0 << 10001.0;
    QTest::newRow("wide") << -1e7 << 3e7;
    QTest::newRow("tiny") << 2e-9 << 7e-9;
    QTest::newRow("huge") << -1e38 << 1e38;
  }
  void staysInsideAndDistinct() {
    QFETCH(double, low);
    QFETCH(double, high);
    const auto ticks = PlotAxis{.low = low, .high = high}.ticksFor(6);
    QVERIFY(ticks.size() >= 2);
    QVERIFY(ticks.size() <= 13);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      QVERIFY(ticks[i].value >= low - 1e-6 * (high - low) && ticks[i].value <= high + 1e-6 * (high - low));
      if (i > 0) QVERIFY2(ticks[i].label != ticks[i - 1].label, qPrintable(ticks[i].label));
    }
  }

  /// Minutes between eruptions span 43 to 96, of which a coarse grid has 60 and 80 alone; and in the corners
  /// of a view other words stand.
  void threeNumbersTellAScale_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("minutes") << 40.2 << 99.1;
    QTest::newRow("inertia") << 140.0 << 190.0;
    QTest::newRow("iterations") << 0.9 << 7.1;
    QTest::newRow("tiny") << -1.5e-16 << 8e-16;
    QTest::newRow("huge") << -6e16 << 2.1e17;
  }
  void threeNumbersTellAScale() {
    QFETCH(double, low);
    QFETCH(double, high);
    for (int count = 1; count <= 6; ++count) {
      const double edge = 0.08 * (high - low);
      const auto ticks =
          PlotAxis{.low = low, .high = high, .unsureLow = 0.08, .unsureHigh = 0.08}.ticksFor(count);
      QVERIFY(std::count_if(ticks.begin(), ticks.end(), [&](const PlotTick& tick) {
                return tick.value >= low + edge && tick.value <= high - edge;
              }) >= 3);
      const PlotAxis axis{.low = low, .high = high};
      QVERIFY(axis.ticksFor(count).size() >= 3);
      // No more than there is room for.
      QVERIFY(axis.ticksFor(count, 2).size() <= static_cast<std::size_t>(2 * count + 1));
    }
  }

  void oneStyleOnAnAxis_data() {
    QTest::addColumn<PlotAxis>("axis");
    QTest::addColumn<QStringList>("labels");
    const auto row = [](const char* name, const PlotAxis& axis, const QStringList& labels) {
      QTest::newRow(name) << axis << labels;
    };
    row("decimals", {.low = 0.9, .high = 2.6}, {"1.0", "1.5", "2.0", "2.5"});
    row("thousands", {.low = 0, .high = 16000}, {"0", "5,000", "10,000", "15,000"});
    row("ten million", {.low = 0, .high = 1.6e7}, {"0", "5.0e6", "1.0e7", "1.5e7"});
    row("tiny", {.low = 0, .high = 7e-16}, {"0", "2e-16", "4e-16", "6e-16"});
    row("without signs", {.low = -2, .high = 2, .magnitudes = true}, {"2", "1", "0", "1", "2"});
    row("decades", {.log = true, .low = 0.9, .high = 120}, {"1", "10", "100"});
    row("powers", {.log = true, .low = 1e4, .high = 9e7}, {"1e4", "1e5", "1e6", "1e7"});
  }
  void oneStyleOnAnAxis() {
    QFETCH(PlotAxis, axis);
    QFETCH(QStringList, labels);
    QStringList found;
    for (const PlotTick& tick : axis.ticksFor(4))
      found << tick.label;
    QCOMPARE(found, labels);
  }

  void nothingToDivide() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    QVERIFY((PlotAxis{.low = 3, .high = 3}.ticksFor(5).empty()));
    QVERIFY((PlotAxis{.low = nan, .high = 3}.ticksFor(5).empty()));
    QVERIFY((PlotAxis{.low = 0, .high = infinity}.ticksFor(5).empty()));
    QVERIFY((PlotAxis{.low = 1e9, .high = 1e9 + 1e-6}.ticksFor(5).empty()));
  }

  void flatFrameNumbersBothAxes() {
    Camera camera;
    camera.setViewport(800, 600);
    camera.setData(2, {{0, 0, 0}, {10, 10, 0}});
    const AxesFrame frame = axesFrame(camera, 1);
    bool first = false, second = false;
    for (const FrameLabel& label : frame.labels) {
      first = first || label.axis == 0;
      second = second || label.axis == 1;
      const glm::dvec3 at = camera.unproject(label.pixel);
      QVERIFY(std::abs(at[label.axis] - std::stod(label.text)) < 0.05);
    }
    QVERIFY(first && second);
  }

  void boxNumbersAllAxes() {
    Camera camera;
    camera.setViewport(800, 600);
    camera.setData(3, {{0, 0, 0}, {255, 255, 255}});
    std::array<int, 3> numbers{};
    for (const FrameLabel& label : axesFrame(camera, 1).labels)
      numbers[static_cast<std::size_t>(label.axis)] += label.text.empty() ? 0 : 1;
    for (const int count : numbers)
      QVERIFY(count >= 3);
  }

  /// Where points are seen, and names are not: every corner of the data lies on one of the near sides.
  void nearSidesCoverTheData() {
    Camera camera;
    camera.setViewport(800, 600);
    camera.setData(3, {{0, 0, 0}, {1, 2, 3}});
    const AxesFrame frame = axesFrame(camera, 1);
    QCOMPARE(frame.nearSides.size(), std::size_t{3});
    for (int corner = 0; corner < 8; ++corner) {
      const auto at = camera.project(
          {corner % 2 ? 0.999 : 0.001, corner / 2 % 2 ? 1.998 : 0.002, corner / 4 ? 2.997 : 0.003});
      QVERIFY(at);
      QVERIFY(std::ranges::any_of(frame.nearSides, [&](const auto& side) {
        QPolygonF polygon;
        for (const glm::dvec2& pixel : side)
          polygon << QPointF(pixel.x, pixel.y);
        return polygon.containsPoint({at->x, at->y}, Qt::WindingFill);
      }));
    }
  }

  void noFrameFails_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::newRow("nothing") << 0 << 0;
    QTest::newRow("one pixel") << 1 << 1;
    QTest::newRow("a line") << 4000 << 1;
  }
  void noFrameFails() {
    QFETCH(int, width);
    QFETCH(int, height);
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      Camera camera;
      camera.setViewport(width, height);
      camera.setData(dimensions, {});
      for (const FrameLine& line : axesFrame(camera, 0).lines)
        QVERIFY(std::isfinite(line.from.x + line.from.y + line.to.x + line.to.y));
    }
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestAxisTicks)
#include "tst_axis_ticks.moc"
