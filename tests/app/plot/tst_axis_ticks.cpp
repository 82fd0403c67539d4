// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/plot_axis.hpp"
#include "app/render/overlay/axes_frame.hpp"

#include <QtTest>

#include <limits>

namespace lloyd {

class TestAxisTicks : public QObject {
  Q_OBJECT
private slots:
  void roundNumbers() {
    const auto ticks = axisTicks(-0.3, 1.1, 5);
    QStringList labels;
    for (const Tick& tick : ticks)
      labels << QString::fromStdString(tick.label);
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
    const auto ticks = axisTicks(low, high, 6);
    QVERIFY(ticks.size() >= 2);
    QVERIFY(ticks.size() <= 13);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      QVERIFY(ticks[i].value >= low - 1e-6 * (high - low) && ticks[i].value <= high + 1e-6 * (high - low));
      if (i > 0) QVERIFY2(ticks[i].label != ticks[i - 1].label, ticks[i].label.c_str());
    }
  }

  void nothingToDivide() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    QVERIFY(axisTicks(3, 3, 5).empty());
    QVERIFY(axisTicks(4, 3, 5).empty());
    QVERIFY(axisTicks(nan, 3, 5).empty());
    QVERIFY(axisTicks(0, infinity, 5).empty());
    QVERIFY(axisTicks(1e9, 1e9 + 1e-6, 5).empty());
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
      QVERIFY(count >= 2);
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
