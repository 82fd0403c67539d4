// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/voronoi.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace lloyd {

namespace {

/// Numbers from 0 to 1, the same ones on every machine.
class Numbers {
public:
  explicit Numbers(std::uint32_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<double>(state_ >> 8) / 16777216.0;
  }

private:
  std::uint32_t state_;
};

std::vector<glm::dvec3> scattered(std::size_t k, std::uint32_t seed, glm::dvec2 corner = {0, 0},
                                  glm::dvec2 extent = {1, 1}) {
  Numbers numbers(seed);
  std::vector<glm::dvec3> centroids(k);
  for (glm::dvec3& centroid : centroids) {
    const double x = numbers.next(), y = numbers.next();
    centroid = {corner.x + x * extent.x, corner.y + y * extent.y, 0};
  }
  return centroids;
}

std::vector<glm::dvec3> grid(int columns, int rows) {
  std::vector<glm::dvec3> centroids;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      centroids.emplace_back(x, y, 0);
  return centroids;
}

double distance(glm::dvec3 centroid, glm::dvec2 place) {
  return std::hypot(centroid.x - place.x, centroid.y - place.y);
}

/// The centroid with the place, of equally near ones the first.
int nearest(const std::vector<glm::dvec3>& centroids, glm::dvec2 place) {
  int best = 0;
  for (int c = 1; c < static_cast<int>(centroids.size()); ++c)
    if (distance(centroids[static_cast<std::size_t>(c)], place) <
        distance(centroids[static_cast<std::size_t>(best)], place))
      best = c;
  return best;
}

/// What is wrong with the borders along themselves: on every one its two centroids must be nearest, equally
/// far, and each of them alone on its own side.
QString wrongAlong(const std::vector<glm::dvec3>& centroids, const std::vector<RegionBorder>& borders,
                   double unit) {
  for (const RegionBorder& border : borders) {
    const auto& a = centroids[static_cast<std::size_t>(border.first)];
    const auto& b = centroids[static_cast<std::size_t>(border.second)];
    if (border.first >= border.second) return QStringLiteral("the numbers are not in order");
    const double length = std::hypot(border.to.x - border.from.x, border.to.y - border.from.y);
    for (const double share : {0.02, 0.5, 0.98}) {
      const glm::dvec2 at = border.from + share * (border.to - border.from);
      if (std::abs(distance(a, at) - distance(b, at)) > 1e-9 * unit) return QStringLiteral("not equally far");
      for (const glm::dvec3& other : centroids)
        if (distance(other, at) < distance(a, at) - 1e-9 * unit)
          return QStringLiteral("another one is nearer");
      if (length < 1e-5 * unit) continue;
      const glm::dvec2 across = glm::normalize(glm::dvec2(b) - glm::dvec2(a)) * (1e-7 * unit);
      if (nearest(centroids, at - across) != border.first || nearest(centroids, at + across) != border.second)
        return QStringLiteral("beside a border are others than its two");
    }
  }
  return {};
}

/// Walks across the rectangle: where the nearest centroid changes there must be a border of the two.
QString wrongAcross(const std::vector<glm::dvec3>& centroids, const std::vector<RegionBorder>& borders,
                    const FlatRectangle& within) {
  std::set<std::pair<int, int>> known;
  for (const RegionBorder& border : borders)
    known.emplace(border.first, border.second);
  constexpr int steps = 400;
  for (int row = 0; row < 60; ++row) {
    int before = -1;
    for (int step = 0; step < steps; ++step) {
      const glm::dvec2 share((step + 0.5) / steps, (row + 0.5) / 60);
      const glm::dvec2 here = within.low + share * (within.high - within.low);
      const int now = nearest(centroids, here);
      const auto pair = std::minmax(before, now);
      // A cell that is narrower than a step may be missed between the two.
      const glm::dvec2 last = here - glm::dvec2((within.high.x - within.low.x) / steps, 0);
      const int between = nearest(centroids, (here + last) / 2.0);
      if (before >= 0 && before != now && (between == before || between == now) &&
          !known.contains({pair.first, pair.second})) {
        bool narrow = false;
        for (int part = 1; part < 64; ++part) {
          const int there = nearest(centroids, last + (here - last) * (part / 64.0));
          narrow = narrow || (there != before && there != now);
        }
        if (!narrow) return QStringLiteral("no border between %1 and %2").arg(pair.first).arg(pair.second);
      }
      before = now;
    }
  }
  return {};
}

} // namespace

class TestVoronoi : public QObject {
  Q_OBJECT

private slots:
  void bordersAreWhereTwoAreNearest_data() {
    QTest::addColumn<int>("k");
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("width");
    QTest::newRow("two") << 2 << 0.0 << 1.0;
    QTest::newRow("three") << 3 << 0.0 << 1.0;
    QTest::newRow("many") << 40 << 0.0 << 1.0;
    QTest::newRow("more") << 256 << 0.0 << 1.0;
    QTest::newRow("small") << 16 << 0.0 << 1e-6;
    QTest::newRow("far from the origin") << 30 << 1e4 << 1.0;
  }
  void bordersAreWhereTwoAreNearest() {
    QFETCH(int, k);
    QFETCH(double, offset);
    QFETCH(double, width);
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      const auto centroids = scattered(static_cast<std::size_t>(k), seed, {offset, offset}, {width, width});
      const FlatRectangle within{{offset - 0.1 * width, offset - 0.2 * width},
                                 {offset + 1.2 * width, offset + 1.1 * width}};
      const auto borders = regionBorders(centroids, within);
      QVERIFY(static_cast<int>(borders.size()) >= k - 1);
      const QString along = wrongAlong(centroids, borders, std::max(width, 1e-4 * offset));
      QVERIFY2(along.isEmpty(), qPrintable(along));
      const QString across = wrongAcross(centroids, borders, within);
      QVERIFY2(across.isEmpty(), qPrintable(across));
    }
  }

  void eachPairHasItsBorderOnceAndInTheRectangle() {
    const auto centroids = scattered(60, 5);
    const FlatRectangle within{{0.2, 0.3}, {0.7, 0.6}};
    std::set<std::pair<int, int>> pairs;
    for (const RegionBorder& border : regionBorders(centroids, within)) {
      QVERIFY(pairs.emplace(border.first, border.second).second);
      for (const glm::dvec2 end : {border.from, border.to}) {
        QVERIFY(end.x >= 0.2 - 1e-12 && end.x <= 0.7 + 1e-12);
        QVERIFY(end.y >= 0.3 - 1e-12 && end.y <= 0.6 + 1e-12);
      }
    }
    QVERIFY(pairs.size() > 10);
  }

  /// What is enlarged is cut from the whole: the same lines, at the same places.
  void anEnlargedViewHasTheSameBorders() {
    const auto centroids = scattered(200, 9);
    const auto whole = regionBorders(centroids, {{-1, -1}, {2, 2}});
    const FlatRectangle small{{0.49998, 0.49998}, {0.50002, 0.50002}};
    // About a place that three cells share.
    const auto inner = std::ranges::find_if(
        whole, [](const RegionBorder& border) { return glm::length(border.from - glm::dvec2(0.5)) < 0.3; });
    QVERIFY(inner != whole.end());
    const glm::dvec2 corner = inner->from;
    const FlatRectangle there{corner - 1e-6, corner + 1e-6};
    const auto enlarged = regionBorders(centroids, there);
    QCOMPARE(enlarged.size(), std::size_t{3});
    for (const RegionBorder& border : enlarged) {
      const auto same = std::ranges::find_if(whole, [&](const RegionBorder& other) {
        return other.first == border.first && other.second == border.second;
      });
      QVERIFY(same != whole.end());
    }
    QVERIFY(wrongAlong(centroids, enlarged, 1e-3).isEmpty());
    QVERIFY(regionBorders(centroids, small).size() <= 3);
  }

  void gridsHaveAsManyBordersAsNeighbours() {
    const auto borders = regionBorders(grid(5, 4), {{-1, -1}, {5, 4}});
    QCOMPARE(borders.size(), std::size_t{5 * 3 + 4 * 4});
    // None between those that meet in a corner.
    for (const RegionBorder& border : borders)
      QVERIFY(border.second - border.first == 1 || border.second - border.first == 5);
    QVERIFY(wrongAlong(grid(5, 4), borders, 1).isEmpty());
  }

  void onALineAreParallels() {
    std::vector<glm::dvec3> centroids;
    for (const double at : {3.0, 0.0, 7.0, 1.0})
      centroids.emplace_back(at, 2 * at, 0);
    const auto borders = regionBorders(centroids, {{-20, -20}, {30, 30}});
    QCOMPARE(borders.size(), std::size_t{3});
    QVERIFY(wrongAlong(centroids, borders, 10).isEmpty());
  }

  void oneAndTwo() {
    const FlatRectangle within{{0, 0}, {4, 2}};
    QVERIFY(regionBorders({}, within).empty());
    const std::vector<glm::dvec3> one{{1, 1, 0}};
    QVERIFY(regionBorders(one, within).empty());
    const std::vector<glm::dvec3> two{{1, 1, 0}, {2, 1, 0}};
    const auto borders = regionBorders(two, within);
    QCOMPARE(borders.size(), std::size_t{1});
    QCOMPARE(std::min(borders[0].from.y, borders[0].to.y), 0.0);
    QCOMPARE(std::max(borders[0].from.y, borders[0].to.y), 2.0);
    QCOMPARE(borders[0].from.x, 1.5);
    QCOMPARE(borders[0].to.x, 1.5);
    // Where all of the rectangle is in one cell there is none.
    QVERIFY(regionBorders(two, {{2, 0}, {4, 2}}).empty());
    QVERIFY(regionBorders(two, {{0, 0}, {0, 2}}).empty());
  }

  /// They share what the first of them has.
  void equalCentroidsHaveOneCell() {
    const std::vector<glm::dvec3> centroids{{1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {0, 0, 0}};
    const std::vector<glm::dvec3> once{{1, 1, 0}, {0, 0, 0}, {100, 100, 0}, {2, 0, 0}};
    const FlatRectangle within{{-3, -3}, {5, 4}};
    const auto borders = regionBorders(centroids, within);
    const auto expected = regionBorders(once, within);
    QCOMPARE(borders.size(), std::size_t{3});
    QCOMPARE(expected.size(), borders.size());
    for (const RegionBorder& border : borders)
      QVERIFY(border.first != 2 && border.second != 2 && border.first != 4 && border.second != 4);
    const std::vector<glm::dvec3> alike(5, {1, 1, 0});
    QVERIFY(regionBorders(alike, within).empty());
  }

  /// A cluster without points stays where it is, and takes what comes near; one that is no number takes none.
  void whatIsNoNumberHasNoCell() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const std::vector<glm::dvec3> centroids{{1, 1, 0}, {none, 1, 0}, {3, 1, 0}};
    const auto borders = regionBorders(centroids, {{0, 0}, {4, 2}});
    QCOMPARE(borders.size(), std::size_t{1});
    QCOMPARE(borders[0].first, 0);
    QCOMPARE(borders[0].second, 2);
  }

  /// The nearest in data units, whatever the axes are stretched by.
  void aViewShowsItsRectangle() {
    Camera camera;
    camera.setViewport(400, 300);
    camera.setData(2, {{0, 0, 0}, {1000, 1, 0}});
    for (int zooms = 0; zooms < 3; ++zooms) {
      const FlatRectangle seen = seenRectangle(camera.view(), 20);
      const glm::dvec3 low = camera.unproject({-20, 320}), high = camera.unproject({420, -20});
      for (int axis = 0; axis < 2; ++axis) {
        const double extent = high[axis] - low[axis];
        QVERIFY(std::abs(seen.low[axis] - low[axis]) < 1e-9 * extent);
        QVERIFY(std::abs(seen.high[axis] - high[axis]) < 1e-9 * extent);
      }
      // A part of it is what the part shows.
      const FlatRectangle part = seenRectangle(partOf(camera.view(), {100, 50}, {40, 30}), 0);
      QVERIFY(std::abs(part.low.x - camera.unproject({100, 80}).x) < 1e-9 * 1000);
      QVERIFY(std::abs(part.high.y - camera.unproject({140, 50}).y) < 1e-9);
      camera.zoom(50, {130, 70});
    }
  }

  void keptBordersAreThoseOfTheCentroids() {
    KeptBorders kept;
    const FlatRectangle within{{0, 0}, {1, 1}};
    auto centroids = scattered(3, 1);
    QCOMPARE(kept.of(centroids, within).size(), regionBorders(centroids, within).size());
    const glm::dvec2 before = kept.of(centroids, within).front().from;
    centroids[0].x += 0.05;
    centroids[1].y -= 0.05;
    QVERIFY(kept.of(centroids, within).front().from != before);
    const FlatRectangle other{{0.5, 0}, {1, 1}};
    for (const RegionBorder& border : kept.of(centroids, other))
      QVERIFY(border.from.x >= 0.5 - 1e-12 && border.to.x >= 0.5 - 1e-12);
  }

  /// How long a frame waits for borders where every centroid moves.
  void manyCentroids_data() {
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("enlarged");
    for (const int k : {16, 256, 1000}) {
      QTest::addRow("%d", k) << k << false;
      QTest::addRow("%d enlarged", k) << k << true;
    }
  }
  void manyCentroids() {
    QFETCH(int, k);
    QFETCH(bool, enlarged);
    const auto centroids = scattered(static_cast<std::size_t>(k), 3);
    const FlatRectangle within =
        enlarged ? FlatRectangle{{0.5, 0.5}, {0.51, 0.51}} : FlatRectangle{{-0.1, -0.1}, {1.1, 1.1}};
    std::vector<RegionBorder> borders;
    QBENCHMARK { borders = regionBorders(centroids, within); }
    // Of a plane with many cells: at most three borders a cell.
    QVERIFY(borders.size() <= 3 * static_cast<std::size_t>(k));
    QVERIFY(enlarged || borders.size() > 2 * static_cast<std::size_t>(k) - 20);
  }
};

} // namespace lloyd

QTEST_APPLESS_MAIN(lloyd::TestVoronoi)
#include "tst_voronoi.moc"
