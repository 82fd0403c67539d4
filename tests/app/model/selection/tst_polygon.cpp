// SPDX-License-Identifier: GPL-3.0-or-later
// Points inside a lasso, held against every edge and every point, one after another, where the camera draws
// them.
#include "app/model/selection/polygon.hpp"
#include "app/render/camera/camera.hpp"
#include "gpu/core/math/random.hpp"

#include <QTest>

#include <cmath>

using namespace lloyd;

namespace {

double draw(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(randomBits(seed, 0, i) % 1'000'003) / 1'000'003.0;
}

/// A jagged path around the middle that crosses itself.
std::vector<ScreenPlace> jagged(std::size_t places, double width, double height) {
  std::vector<ScreenPlace> path;
  for (std::size_t i = 0; i < places; ++i) {
    const double angle = 4 * 3.14159265358979 * static_cast<double>(i) / static_cast<double>(places);
    const double reach = 0.15 + 0.3 * draw(3, i);
    path.push_back({std::round(width * (0.5 + reach * std::cos(angle))),
                    std::round(height * (0.5 + reach * std::sin(angle)))});
  }
  return path;
}

bool holdsByEveryEdge(const std::vector<ScreenPlace>& path, glm::dvec2 at) {
  bool inside = false;
  for (std::size_t i = 0, j = path.size() - 1; i < path.size(); j = i++)
    if ((path[j].y > at.y) != (path[i].y > at.y) &&
        at.x < path[j].x + (at.y - path[j].y) / (path[i].y - path[j].y) * (path[i].x - path[j].x))
      inside = !inside;
  return inside;
}

std::vector<float> scattered(std::size_t n, int d) {
  std::vector<float> values;
  for (std::size_t i = 0; i < n * static_cast<std::size_t>(d); ++i)
    values.push_back(static_cast<float>(5000 + 40 * draw(11, i)));
  return values;
}

DrawnRows rowsOf(const std::vector<float>& values, std::size_t n, int d, const Camera& camera) {
  const CameraView view = camera.view();
  DrawnRows rows{.values = values.data(), .n = n, .d = d, .stride = n};
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      rows.clipFromOffset[static_cast<std::size_t>(4 * column + row)] = view.clipFromOffset[column][row];
  for (int axis = 0; axis < 3; ++axis)
    rows.origin[static_cast<std::size_t>(axis)] = view.origin[axis];
  rows.width = view.viewport.x;
  rows.height = view.viewport.y;
  return rows;
}

} // namespace

class TestPolygon : public QObject {
  Q_OBJECT
private slots:
  void equalsBruteForce_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<bool>("orthographic");
    QTest::addColumn<double>("nearer");
    QTest::newRow("values in memory") << 1 << false << 1.0;
    QTest::newRow("flat") << 2 << false << 1.0;
    QTest::newRow("space") << 3 << false << 1.0;
    QTest::newRow("amid the points, some behind the eye") << 3 << false << 6.0;
    QTest::newRow("orthographic") << 3 << true << 1.0;
    QTest::newRow("the first three of five columns") << 5 << false << 1.0;
  }
  void equalsBruteForce() {
    QFETCH(int, d);
    QFETCH(bool, orthographic);
    QFETCH(double, nearer);
    constexpr std::size_t n = 60'000;
    const std::vector<float> values = scattered(n, d);
    Camera camera;
    camera.setViewport(1234, 777);
    camera.setData(drawnDimensions(d), drawnBounds(values.data(), n, d, n));
    camera.setOrthographic(orthographic);
    camera.orbit({37, -21});
    camera.zoom(nearer, {600, 380});
    const Polygon polygon(jagged(301, 1234, 777));
    const std::vector<std::uint8_t> found = pointsInside(polygon, rowsOf(values, n, d, camera));
    QCOMPARE(found.size(), n);
    std::size_t inside = 0;
    std::size_t unseen = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = projectToPixel(camera.view(), drawnPosition(values.data(), i, d, n));
      const bool expected = at && holdsByEveryEdge(polygon.places(), *at);
      if ((found[i] != 0) != expected) QFAIL(qPrintable(QStringLiteral("point %1").arg(i)));
      inside += expected ? 1 : 0;
      unseen += at ? 0 : 1;
    }
    QVERIFY(inside > n / 100 && inside < n); // else it says nothing
    QVERIFY(nearer == 1.0 || unseen > 0);
  }

  /// Neighbouring boxes share no point and leave none out, whatever lies on their edges.
  void edgesBelongToOne() {
    const auto box = [](double left, double top) {
      return Polygon({{left, top}, {left + 10, top}, {left + 10, top + 10}, {left, top + 10}});
    };
    const Polygon boxes[] = {box(0, 0), box(10, 0), box(0, 10), box(10, 10)};
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 20; ++x) {
        int count = 0;
        for (const Polygon& each : boxes)
          count += each.holds({double(x), double(y)}) ? 1 : 0;
        QCOMPARE(count, 1);
      }
  }

  void nothingIsEnclosed() {
    for (const auto& places : std::vector<std::vector<ScreenPlace>>{
             {}, {{1, 1}}, {{1, 1}, {5, 5}}, {{1, 1}, {5, 1}, {9, 1}}, {{2, 1}, {2, 5}, {2, 9}}})
      QVERIFY(!Polygon(places).holds({2, 1}));
    QVERIFY(!Polygon({{0, 0}, {9, 0}, {9, 9}}).holds({std::nan(""), 1}));
  }

  void isCancelled() {
    const std::vector<float> values(10, 0);
    const std::atomic<bool> cancel{true};
    QVERIFY(pointsInside(Polygon({{0, 0}, {9, 0}, {9, 9}}), rowsOf(values, 10, 1, Camera()),
                         {.progress = {}, .cancel = &cancel})
                .empty());
  }
};

QTEST_GUILESS_MAIN(TestPolygon)
#include "tst_polygon.moc"
