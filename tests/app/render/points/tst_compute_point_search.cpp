// SPDX-License-Identifier: GPL-3.0-or-later
// The point under a pixel that a compute shader finds against a search by hand.
#include "app/render/camera/camera.hpp"
#include "app/render/points/compute_point_search.hpp"
#include "tests/app/render/points/point_bench.hpp"
#include "tests/app/render/points/sourced_points.hpp"

#include <QtTest>

#include <cmath>
#include <limits>
#include <memory>

namespace lloyd {

class TestComputePointSearch : public QObject {
  Q_OBJECT

  struct Points {
    Points(std::size_t count, int columns)
        : d(columns), values(scattered(count, d)), sourced(d, values, striped(count)) {
      camera.setViewport(kWidth, kHeight);
      camera.setData(drawnDimensions(d), drawnBounds(values.data(), count, d, count));
    }
    [[nodiscard]] std::size_t n() const { return values.size() / static_cast<std::size_t>(d); }
    /// How far from the pixel a point is drawn.
    [[nodiscard]] double distance(std::size_t point, glm::dvec2 pixel) const {
      const auto at = camera.project(drawnPosition(values.data(), point, d, n()));
      return at ? glm::length(*at - pixel) : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] double least(glm::dvec2 pixel) const {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < n(); ++i)
        least = std::min(least, distance(i, pixel));
      return least;
    }

    int d;
    std::vector<float> values;
    SourcedPoints sourced;
    Camera camera;
  };

private slots:
  void init() {
    fixture_ = std::make_unique<GlFixture>(QSize(kWidth, kHeight));
    compute_ = computeOf(&fixture_->context());
    if (!compute_) QSKIP("This OpenGL has no compute shaders");
  }
  void cleanup() { fixture_.reset(); }

  void itIsTheNearestWithinReach_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("window");
    QTest::newRow("values") << 1 << 100000;
    QTest::newRow("flat") << 2 << 100000;
    QTest::newRow("flat, memory seen in parts") << 2 << 777;
    QTest::newRow("in space") << 3 << 100000;
    QTest::newRow("of many columns") << 5 << 1003;
  }
  void itIsTheNearestWithinReach() {
    QFETCH(int, d);
    QFETCH(int, window);
    const Points points(3001, d);
    ComputePointSearch search(*compute_, static_cast<std::size_t>(window));
    constexpr double rounding = 1e-3;
    int hits = 0, misses = 0;
    for (double x = 0; x <= kWidth; x += 12.5) {
      for (double y = 0; y <= kHeight; y += 16) {
        const glm::dvec2 pixel(x, y);
        const double least = points.least(pixel);
        if (std::abs(least - 2) < rounding) continue;
        const auto found = search.nearest(points.sourced.points(), points.camera.view(), pixel, 2);
        QCOMPARE(found.has_value(), least < 2);
        if (found) QVERIFY(points.distance(*found, pixel) < least + rounding);
        ++(found ? hits : misses);
      }
    }
    QVERIFY2(hits > 20 && misses > 20, qPrintable(QStringLiteral("%1 %2").arg(hits).arg(misses)));
  }

  void ofPointsInOnePlaceItIsTheFirst() {
    std::vector<float> values(2 * 3000, 0.5F);
    values[0] = values[3000] = 0;
    values[2999] = values[5999] = 1;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    values[1] = nan;
    PointBuffers buffers(3000, 2, values.data(), true);
    Camera camera;
    camera.setViewport(kWidth, kHeight);
    camera.setData(2, {{0, 0, 0}, {1, 1, 0}});
    const auto at = camera.project({0.5, 0.5, 0});
    QVERIFY(at);
    ComputePointSearch search(*compute_);
    const auto found = [&] {
      return search.nearest(ComputePointSource::Points::of(buffers), camera.view(), *at, 1);
    };
    QCOMPARE(found(), std::optional<std::size_t>(2));
    // Points that moved are found where they are drawn now.
    std::fill(values.begin(), values.begin() + 2000, 0.0F);
    const auto labels = striped(3000);
    buffers.upload({labels.data(), LabelWidth::four}, values.data(), 3000);
    QCOMPARE(found(), std::optional<std::size_t>(2000));
    QCOMPARE(buffers.readPositions(std::vector<std::size_t>{2999, 2, 2000}, 2),
             (std::vector<float>{1, 1, 0, 0.5F, 0.5F, 0.5F}));
  }

private:
  std::unique_ptr<GlFixture> fixture_;
  std::optional<GlCompute> compute_;
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestComputePointSearch)
#include "tst_compute_point_search.moc"
