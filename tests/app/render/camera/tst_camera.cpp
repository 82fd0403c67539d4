// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/camera/camera.hpp"

#include <QtTest>

#include <array>
#include <cmath>
#include <vector>

namespace lloyd {

namespace {

bool near(glm::dvec2 a, glm::dvec2 b, double tolerance) { return glm::length(a - b) <= tolerance; }

bool finite(const glm::dmat4& matrix) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      if (!std::isfinite(matrix[column][row])) return false;
  return true;
}

std::array<glm::dvec3, 8> corners(const Bounds& box) {
  std::array<glm::dvec3, 8> all;
  for (std::size_t i = 0; i < 8; ++i)
    all[i] = {(i & 1) ? box.high.x : box.low.x, (i & 2) ? box.high.y : box.low.y,
              (i & 4) ? box.high.z : box.low.z};
  return all;
}

} // namespace

class TestCamera : public QObject {
  Q_OBJECT
private slots:
  void boundsOfWhatIsDrawn() {
    const std::vector<float> values{1, 5, -2, 7, 8, 9, 0, 0, 4, 100, 200, 300};
    const Bounds solid = drawnBounds(values.data(), 3, 4, 3);
    QCOMPARE(solid.low.x, -2.0);
    QCOMPARE(solid.high.y, 9.0);
    QCOMPARE(solid.high.z, 4.0);
    const Bounds line = drawnBounds(values.data(), 12, 1, 12);
    QCOMPARE(line.high.x, 11.0);
    QCOMPARE(line.high.y, 300.0);
    QVERIFY(drawnBounds(nullptr, 0, 3, 0) == Bounds{});
  }

  /// What a picture to take away is put together from: an enlarged view shows the same places, farther apart,
  /// and so does a part of it, wherever its top left is.
  void enlargedAndInParts_data() {
    QTest::addColumn<int>("dimensions");
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("flat") << 2 << false;
    QTest::newRow("in space") << 3 << false;
    QTest::newRow("orthographic") << 3 << true;
  }
  void enlargedAndInParts() {
    QFETCH(int, dimensions);
    QFETCH(bool, orthographic);
    Camera camera;
    camera.setOrthographic(orthographic);
    camera.setData(dimensions, {{-1, -2, 3}, {4, 5, 6}});
    camera.setViewport(801, 603);
    camera.setHeadroom(170);
    camera.orbit({30, 10});
    camera.zoom(1.7, {100, 200});
    const Camera large = camera.enlarged(5);
    QVERIFY(large.view().viewport == glm::ivec2(801 * 5, 603 * 5));
    const glm::ivec2 topLeft(-37, 1203);
    const CameraView part = partOf(large.view(), topLeft, {512, 300});
    QVERIFY(part.viewport == glm::ivec2(512, 300));
    for (const glm::dvec3& place : corners(camera.bounds())) {
      const auto small = camera.project(place);
      const auto grown = large.project(place);
      const auto cut = projectToPixel(part, place);
      QVERIFY(small && grown && cut);
      QVERIFY(near(*grown, *small * 5.0, 1e-6));
      QVERIFY(near(*cut, *grown - glm::dvec2(topLeft), 1e-6));
    }
  }

  /// Without perspective two equal steps are equal on the screen, wherever they are made.
  void orthographicHasNoPerspective() {
    Camera camera;
    camera.setViewport(800, 600);
    camera.setData(3, {{-1, -2, 3}, {4, 5, 6}});
    const auto step = [&](glm::dvec3 from) {
      const auto a = camera.project(from), b = camera.project(from + glm::dvec3(0.3, 0, 0));
      return a && b ? *b - *a : glm::dvec2(-1);
    };
    const glm::dvec3 front(0, -2, 3), back(0, 5, 6);
    QVERIFY(!near(step(front), step(back), 1e-3));
    camera.setOrthographic(true);
    QVERIFY(near(step(front), step(back), 1e-9));
    for (const glm::dvec3& corner : corners(camera.bounds())) {
      const auto at = camera.project(corner);
      QVERIFY(at && at->x >= 0 && at->x <= 800 && at->y >= 0 && at->y <= 600);
    }
    // What is under a pixel is drawn there, also after the view has turned and come nearer.
    camera.orbit({70, -30});
    for (int i = 0; i < 40; ++i)
      camera.zoom(1.2, {400, 300});
    const auto back2 = camera.project(camera.unproject({123, 456}));
    QVERIFY(back2 && near(*back2, {123, 456}, 1e-6));
    camera.setOrthographic(false);
    QVERIFY(camera.project(camera.unproject({123, 456})));
  }

  void fitShowsEverything_data() {
    QTest::addColumn<int>("dimensions");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("tall");
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      const auto row = [&](const char* name) -> QTestData& {
        return QTest::newRow(qPrintable(QStringLiteral("%1 in %2-D").arg(name).arg(dimensions)));
      };
      row("alike") << dimensions << 10.0 << 8.0;
      row("different units") << dimensions << 10.0 << 1000.0;
      row("a far outlier") << dimensions << 1e7 << 1.0;
      row("one point") << dimensions << 0.0 << 0.0;
      row("a line") << dimensions << 10.0 << 0.0;
    }
  }
  void fitShowsEverything() {
    QFETCH(int, dimensions);
    QFETCH(double, high);
    QFETCH(double, tall);
    Camera camera;
    camera.setViewport(900, 600);
    const Bounds box{{0, 0, 0}, {high, tall, dimensions == 3 ? high : 0}};
    camera.setData(dimensions, box);
    glm::dvec2 low(1e9), most(-1e9);
    for (const glm::dvec3& corner : corners(box)) {
      const auto pixel = camera.project(corner);
      QVERIFY(pixel);
      low = glm::min(low, *pixel);
      most = glm::max(most, *pixel);
    }
    QVERIFY(low.x >= 0 && low.y >= 0 && most.x <= 900 && most.y <= 600);
    // What has an extent fills a good part of one direction.
    if (high > 0) QVERIFY((most.x - low.x) > 400 || (most.y - low.y) > 400);
  }

  void textAtTheTopCoversNothing_data() {
    QTest::addColumn<int>("dimensions");
    for (int dimensions = 1; dimensions <= 3; ++dimensions)
      QTest::newRow(qPrintable(QStringLiteral("%1-D").arg(dimensions))) << dimensions;
  }
  void textAtTheTopCoversNothing() {
    QFETCH(int, dimensions);
    Camera camera;
    camera.setViewport(400, 150);
    const Bounds box{{0, 0, 0}, {10, 10, dimensions == 3 ? 10.0 : 0.0}};
    camera.setData(dimensions, box);
    const auto highest = [&] {
      double least = 1e9;
      for (const glm::dvec3& corner : corners(box))
        least = std::min(least, camera.project(corner)->y);
      return least;
    };
    QVERIFY(highest() < 40);
    camera.setHeadroom(40);
    QVERIFY(highest() >= 40 - 1e-6);
    for (const glm::dvec3& corner : corners(box))
      QVERIFY(camera.project(corner)->y <= 150);
    QVERIFY(near(*camera.project(camera.unproject({123, 45})), {123, 45}, 1e-6));
    QVERIFY(std::abs(camera.project({5, 5, box.high.z / 2})->x - 200) < 1e-6);
    if (dimensions == 3) {
      const auto lowest = [&] {
        double most = 0;
        for (const glm::dvec3& corner : corners(box))
          most = std::max(most, camera.project(corner)->y);
        return most;
      };
      const double before = lowest();
      camera.setFootroom(22);
      QVERIFY(lowest() <= before - 10 && highest() >= 40 - 1e-6);
      camera.setFootroom(0);
    }
    // A large view has the room anyway, and one of next to no height keeps most of it for the points.
    camera.setViewport(900, 1200);
    QVERIFY(std::abs(camera.project({5, 5, box.high.z / 2})->y - 600) < 1e-6);
    camera.setViewport(400, 50);
    QVERIFY(camera.project({5, 0, 0})->y - camera.project({5, 10, box.high.z})->y > 20);
  }

  void unitsAlikeKeepTheirShape() {
    Camera camera;
    camera.setViewport(900, 600);
    camera.setData(2, {{0, 0, 0}, {10, 9, 0}});
    QVERIFY(camera.equalAxes());
    const double across = camera.project({1, 0, 0})->x - camera.project({0, 0, 0})->x;
    const double up = camera.project({0, 0, 0})->y - camera.project({0, 1, 0})->y;
    QVERIFY(std::abs(across - up) < 1e-9);
    camera.setData(2, {{0, 0, 0}, {10, 41, 0}});
    QVERIFY(!camera.equalAxes());
  }

  void zoomKeepsThePlaceUnderTheCursor() {
    Camera camera;
    camera.setViewport(900, 600);
    camera.setData(2, {{10000, -1, 0}, {10001, 1, 0}});
    const glm::dvec2 cursor(713, 122);
    const glm::dvec3 under = camera.unproject(cursor);
    for (int i = 0; i < 40; ++i)
      camera.zoom(1.25, cursor);
    QVERIFY(near(*camera.project(under), cursor, 1e-3));
    for (int i = 0; i < 400; ++i)
      camera.zoom(1.25, cursor);
    QVERIFY(finite(camera.view().clipFromOffset));
    camera.zoom(0, cursor);
    camera.zoom(std::nan(""), cursor);
    QVERIFY(finite(camera.view().clipFromOffset));
  }

  void panFollowsTheCursor() {
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      Camera camera;
      camera.setViewport(900, 600);
      camera.setData(dimensions, {{0, 0, 0}, {1, 2, 3}});
      // In space only the plane of the point looked at moves by exactly the drag.
      const glm::dvec3 middle = camera.bounds().centre();
      const glm::dvec2 before = *camera.project(middle);
      camera.pan({31, -17});
      QVERIFY(near(*camera.project(middle), before + glm::dvec2(31, -17), 1e-6));
    }
  }

  void unprojectUndoesProject() {
    for (int dimensions = 2; dimensions <= 3; ++dimensions) {
      Camera camera;
      camera.setViewport(640, 480);
      camera.setData(dimensions, {{-5, 0, 2}, {5, 9, 4}});
      camera.orbit({50, 20});
      const glm::dvec2 pixel(200, 333);
      QVERIFY(near(*camera.project(camera.unproject(pixel)), pixel, 1e-6));
    }
  }

  void axisViewsLookAlongTheirAxis() {
    Camera camera;
    camera.setViewport(640, 480);
    camera.setData(3, {{0, 0, 0}, {1, 1, 1}});
    for (int axis = 0; axis < 3; ++axis) {
      camera.axisView(axis);
      QVERIFY(std::abs(camera.towardsEye()[axis]) > 0.99);
      glm::dvec3 off = camera.bounds().centre();
      off[axis] += 0.5;
      QVERIFY(near(*camera.project(off), {320, 240}, 8));
    }
  }

  void centreAndReset() {
    Camera camera;
    camera.setViewport(640, 480);
    camera.setData(3, {{0, 0, 0}, {1, 1, 1}});
    const CameraView first = camera.view();
    camera.centreOn({1, 0, 0});
    QVERIFY(near(*camera.project({1, 0, 0}), {320, 240}, 1e-9));
    camera.orbit({100, 40});
    camera.zoom(3, {0, 0});
    QVERIFY(camera.view() != first);
    camera.reset();
    QVERIFY(camera.view() == first);
  }

  void untouchedViewFollowsData() {
    Camera camera;
    camera.setViewport(640, 480);
    camera.setData(2, {{0, 0, 0}, {1, 1, 0}});
    camera.setBounds({{0, 0, 0}, {3, 3, 0}});
    QVERIFY(camera.project({3, 3, 0})->y > 0);
    camera.pan({5, 5});
    const CameraView kept = camera.view();
    camera.setBounds({{0, 0, 0}, {9, 9, 0}});
    QVERIFY(camera.view() == kept);
  }

  void behindTheEyeIsNowhere() {
    Camera camera;
    camera.setViewport(640, 480);
    camera.setData(3, {{0, 0, 0}, {1, 1, 1}});
    QVERIFY(!camera.project(camera.bounds().centre() + 50.0 * camera.towardsEye()));
  }

  void anyViewport_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::newRow("0x0") << 0 << 0;
    QTest::newRow("1x1") << 1 << 1;
    QTest::newRow("negative") << -5 << -7;
    QTest::newRow("8K") << 7680 << 4320;
    QTest::newRow("flat") << 2000 << 0;
  }
  void anyViewport() {
    QFETCH(int, width);
    QFETCH(int, height);
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      Camera camera;
      camera.setData(dimensions, {{0, 0, 0}, {1, 2, 3}});
      camera.setViewport(width, height);
      camera.pan({1, 1});
      camera.orbit({1, 1});
      camera.zoom(2, {0, 0});
      camera.setViewport(640, 480);
      camera.setViewport(width, height);
      QVERIFY(finite(camera.view().clipFromOffset));
      QVERIFY(camera.view().viewport.x >= 1 && camera.view().viewport.y >= 1);
      camera.fit();
      QVERIFY(camera.project(camera.bounds().centre()));
    }
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestCamera)
#include "tst_camera.moc"
