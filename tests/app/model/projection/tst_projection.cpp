// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/read_points.hpp"
#include "app/model/projection/projection.hpp"

#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

using namespace lloyd;

namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

/// A long, thin and flat cloud turned by a rotation whose columns are `to`, far from the origin.
PointSet turned(const std::array<std::array<double, 3>, 3>& to, std::size_t n) {
  constexpr std::array<double, 3> spread{10, 3, 0.5};
  constexpr std::array<double, 3> middle{1000, -500, 20};
  PointSet points;
  points.n = n;
  points.d = 3;
  points.values.resize(3 * n);
  points.columns = {"x", "y", "z"};
  points.scales.resize(3);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 3> at = middle;
    for (std::size_t c = 0; c < 3; ++c) {
      const double along = spread[c] * normal(random);
      for (std::size_t j = 0; j < 3; ++j)
        at[j] += along * to[c][j];
    }
    for (std::size_t j = 0; j < 3; ++j)
      points.values[j * n + i] = static_cast<float>(at[j]);
  }
  return points;
}

std::array<std::array<double, 3>, 3> rotation() {
  const double a = 0.6, b = -0.9;
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  return {{{ca, sa, 0}, {-sa * cb, ca * cb, sb}, {sa * sb, -ca * sb, cb}}};
}

PrincipalComponents componentsOf(const PointSet& points) {
  auto found = principalComponents(points, {});
  return found && *found ? std::move(**found) : PrincipalComponents();
}

} // namespace

class TestProjection : public QObject {
  Q_OBJECT
private slots:
  /// Values of scikit-learn 1.9.1: PCA().fit(iris), explained_variance_ and explained_variance_ratio_.
  void irisVariesAsScikitLearnSays() {
    const auto points = readPoints(LLOYD_SOURCE_DIR "/resources/data/iris.csv");
    QVERIFY(points);
    const PrincipalComponents found = componentsOf(*points);
    QCOMPARE(found.d(), std::size_t{4});
    constexpr std::array<double, 4> variances{4.22824171, 0.24267075, 0.07820950, 0.02383509};
    constexpr std::array<double, 4> shares{0.92461872, 0.05306648, 0.01710261, 0.00521218};
    constexpr std::array<double, 4> first{0.36138659, -0.08452251, 0.85667061, 0.35828920};
    for (std::size_t i = 0; i < 4; ++i) {
      QVERIFY2(near(found.variances[i], variances[i], 1e-5),
               qPrintable(QString::number(found.variances[i], 'g', 12)));
      QVERIFY(near(found.share(i), shares[i], 1e-6));
      QVERIFY2(near(found.direction(0)[i], first[i], 1e-5),
               qPrintable(QString::number(found.direction(0)[i], 'g', 12)));
    }
  }

  /// 64 columns, as small pictures of digits have; values of scikit-learn 1.9.1 on the same numbers.
  void sixtyFourColumnsVaryAsScikitLearnSays() {
    PointSet points;
    points.n = 1797;
    points.d = 64;
    points.columns.assign(64, "pixel");
    for (std::size_t j = 0; j < 64; ++j)
      for (std::size_t i = 0; i < points.n; ++i) {
        const std::size_t group = i % 10;
        const std::size_t shape = (group * group * 7 + j * (3 + group)) % 17;
        const std::size_t noise = (i * i * 31 + j * j * 17 + i * j * 5) % 23;
        points.values.push_back(
            static_cast<float>(0.6 * static_cast<double>(shape) + 6.0 * (static_cast<double>(noise) / 23.0)));
      }
    const PrincipalComponents found = componentsOf(points);
    constexpr std::array<double, 3> variances{134.682121, 118.872054, 76.805804};
    constexpr std::array<double, 3> shares{0.19302750, 0.17036838, 0.11007870};
    for (std::size_t i = 0; i < 3; ++i) {
      QVERIFY2(near(found.variances[i], variances[i], 1e-4 * variances[i]),
               qPrintable(QString::number(found.variances[i], 'g', 12)));
      QVERIFY(near(found.share(i), shares[i], 1e-4));
    }
  }

  void aKnownRotationIsFound() {
    const auto to = rotation();
    const PrincipalComponents found = componentsOf(turned(to, 200'000));
    for (std::size_t c = 0; c < 3; ++c) {
      double along = 0;
      for (std::size_t j = 0; j < 3; ++j)
        along += found.direction(c)[j] * to[c][j];
      QVERIFY2(std::abs(along) > 0.99999, qPrintable(QString::number(along, 'g', 12)));
    }
    QVERIFY(near(found.variances[0], 100, 1) && near(found.variances[1], 9, 0.1) &&
            near(found.variances[2], 0.25, 0.005));
  }

  void rowsAndPlacesAgreeAndTheWayBackIsExact() {
    const PointSet points = turned(rotation(), 5000);
    const PrincipalComponents components = componentsOf(points);
    for (const char* words : {"PC1,PC2,PC3", "z,x", "PC2,y", "PC1,x,PC3"}) {
      const auto axes = axesFrom(words, points);
      QVERIFY2(axes, words);
      const Projection projection(*axes, points, &components);
      const auto rows = projection.rows(points, {});
      QVERIFY(rows && rows->size() == axes->size() * points.n);
      for (const std::size_t i : {std::size_t{0}, points.n / 2, points.n - 1}) {
        std::vector<float> coordinates(static_cast<std::size_t>(points.d));
        for (std::size_t j = 0; j < coordinates.size(); ++j)
          coordinates[j] = points.row(static_cast<int>(j))[i];
        auto place = projection.place(coordinates);
        for (std::size_t a = 0; a < axes->size(); ++a)
          QVERIFY(near(place[a], static_cast<double>((*rows)[a * points.n + i]), 1e-4));
        // Dragged: it is drawn where it was let go, and comes back to where it was.
        for (std::size_t a = 0; a < axes->size(); ++a)
          place[a] += 1.5;
        const auto moved = projection.moved(coordinates, place);
        const auto there = projection.place(moved);
        for (std::size_t a = 0; a < axes->size(); ++a)
          QVERIFY(near(there[a], place[a], 2e-3));
        const auto back = projection.moved(moved, projection.place(coordinates));
        for (std::size_t j = 0; j < back.size(); ++j)
          QVERIFY(near(static_cast<double>(back[j]), static_cast<double>(coordinates[j]), 2e-3));
      }
    }
  }

  /// Nothing that the axes do not show is changed.
  void movingByColumnsLeavesTheOthers() {
    const PointSet points = turned(rotation(), 100);
    const Projection projection(*axesFrom("z,x", points), points, nullptr);
    const std::vector<float> from{1, 2, 3};
    QCOMPARE(projection.moved(from, {30, 10, 0}), (std::vector<float>{10, 2, 30}));
    QCOMPARE(projection.name(0), std::string("z"));
  }

  void wordsThatAreNoAxesAreExplained() {
    PointSet points = turned(rotation(), 10);
    const auto error = [&](const char* words) {
      const auto axes = axesFrom(words, points);
      return axes ? std::string() : axes.error();
    };
    QVERIFY(QString::fromStdString(error("x,depth")).contains("'depth' is no axis"));
    QVERIFY(QString::fromStdString(error("x,3")).contains("0 to 2"));
    QVERIFY(QString::fromStdString(error("x,PC4")).contains("PC1 to PC3"));
    QVERIFY(QString::fromStdString(error("x")).contains("names 1 axis"));
    QVERIFY(QString::fromStdString(error("x,0")).contains("twice"));
    QCOMPARE(axesFrom("pc3,1", points), (Axes{{Axis::Kind::component, 2}, {Axis::Kind::column, 1}}));
    points.columns[1] = "PC1";
    QCOMPARE(axesFrom("PC1,PC2", points), (Axes{{Axis::Kind::column, 1}, {Axis::Kind::component, 1}}));
  }

  void pointsWithoutSpreadHaveNoShare() {
    PointSet points;
    points.n = 3;
    points.d = 2;
    points.values = {7, 7, 7, 7, 7, 7};
    points.columns = {"a", "b"};
    const PrincipalComponents found = componentsOf(points);
    QCOMPARE(found.share(0), 0.0);
    QCOMPARE(found.variances, (std::vector<double>{0, 0}));
  }

  void cancelEndsIt() {
    const PointSet points = turned(rotation(), 100'000);
    std::atomic<bool> cancel{true};
    const auto found = principalComponents(points, {.progress = {}, .cancel = &cancel});
    QVERIFY(found && !*found);
    const Projection projection(*axesFrom("x,y", points), points, nullptr);
    QVERIFY(!projection.rows(points, {.progress = {}, .cancel = &cancel}));
  }

  void tooManyColumnsAreRefused() {
    PointSet points;
    points.n = 1;
    points.d = mostComponentColumns + 1;
    points.values.resize(static_cast<std::size_t>(points.d));
    const auto found = principalComponents(points, {});
    QVERIFY(!found && QString::fromStdString(found.error()).contains("at most 1024"));
  }
};

QTEST_GUILESS_MAIN(TestProjection)
#include "tst_projection.moc"
