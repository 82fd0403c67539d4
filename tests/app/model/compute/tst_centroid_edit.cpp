// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/centroid_edit.hpp"
#include "app/model/compute/load_points.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QtTest>

#include <algorithm>
#include <cstring>

namespace lloyd {

/// States with a centroid more or less, and what a runner makes of them.
class TestCentroidEdit : public QObject {
  Q_OBJECT

  static SharedPointSet pointsOf(const char* text) {
    const auto points = loadPoints(generator(text), {}, nullptr);
    return points ? *points : nullptr;
  }
  static std::vector<float> rowsOf(const std::vector<float>& all, std::initializer_list<int> rows, int d) {
    std::vector<float> some;
    for (const int row : rows)
      some.insert(some.end(), all.begin() + std::ptrdiff_t{row} * d,
                  all.begin() + std::ptrdiff_t{row + 1} * d);
    return some;
  }
  static RunState stateOf(KMeansRunner& runner, const IterationResult& result) {
    RunState state = runner.stateBeside();
    state.result = result;
    return state;
  }
  static std::uint64_t total(const IterationResult& result) {
    std::uint64_t sum = 0;
    for (const std::uint32_t size : result.sizes)
      sum += size;
    return sum;
  }

private slots:
  void allOthersStayWhereTheyAre() {
    RunState state;
    state.result.iteration = 7;
    state.result.centroids = {0, 0, 1, 1, 2, 2};
    state.result.usedCentroids = {9, 9, 9, 9, 9, 9};
    state.result.sizes = {1, 2, 3};
    state.result.inertia = 5;
    state.result.anyChanged = false;
    const std::vector<float> position{4, 5};
    const RunState more = withCentroid(state, position);
    QCOMPARE(more.result.centroids, (std::vector<float>{0, 0, 1, 1, 2, 2, 4, 5}));
    QCOMPARE(more.result.usedCentroids, more.result.centroids);
    QCOMPARE(more.usedLast, more.result.centroids);
    QCOMPARE(more.result.sizes, std::vector<std::uint32_t>(4, 0));
    QVERIFY(!more.result.inertia && more.result.anyChanged && more.byHand && more.result.iteration == 7);
    const RunState less = withoutCentroid(state, 2, 1);
    QCOMPARE(less.result.centroids, (std::vector<float>{0, 0, 2, 2}));
    QCOMPARE(less.result.sizes.size(), std::size_t{2});
    QVERIFY(less.byHand);
    const RunState moved =
        withMoves(state, 2, std::vector<std::pair<int, std::vector<float>>>{{1, {8, 8}}, {3, {7, 7}}});
    QCOMPARE(moved.result.centroids, (std::vector<float>{0, 0, 8, 8, 2, 2}));
    QVERIFY(moved.byHand);
    QVERIFY(!withMoves(state, 2, {}).byHand);
  }

  void halfAnIterationIsTakenBack() {
    RunState state;
    state.result.iteration = 3;
    state.result.halfway = true;
    state.result.centroids = state.result.usedCentroids = {0, 1, 2};
    state.usedBefore = {3, 4, 5};
    state.driftTime = 3;
    const RunState less = withoutCentroid(state, 1, 0);
    QCOMPARE(less.result.iteration, 2);
    QVERIFY(!less.result.halfway && less.usedBefore.empty());
    QCOMPARE(less.driftTime, 2.0);
    state.result.iteration = 1;
    QVERIFY(withoutCentroid(state, 1, 0).usedLast.empty()); // the start has labelled nothing
  }

  void numbersAndColoursGoWithTheirClusters() {
    QCOMPARE(numbersWithCentroid(2), (std::vector<int>{0, 1, -1}));
    QCOMPARE(numbersWithoutCentroid(5, 2), (std::vector<int>{0, 1, 3, 4}));
    const std::vector<std::size_t> colours{3, 0, 4, 1, 2};
    QCOMPARE(renumberedColours(colours, numbersWithoutCentroid(5, 2)),
             (std::vector<std::size_t>{3, 0, 1, 2}));
    QCOMPARE(renumberedColours(colours, numbersWithCentroid(5)),
             (std::vector<std::size_t>{3, 0, 4, 1, 2, 5}));
    // The colour of a cluster that is gone is free again.
    const std::vector<std::size_t> fewer{3, 0, 1, 2};
    QCOMPARE(renumberedColours(fewer, numbersWithCentroid(4)).back(), std::size_t{4});
    QVERIFY(renumberedColours(fewer, numbersWithCentroid(6)).empty());
  }

  void aRunnerGoesOnFromThere_data() {
    QTest::addColumn<QString>("backend");
    QTest::newRow("cpu") << "cpu";
    QTest::newRow("simulator") << "simt";
  }
  void aRunnerGoesOnFromThere() {
    QFETCH(QString, backend);
    const bool cpu = backend == QLatin1String("cpu");
    const SharedPointSet points = pointsOf("blobs:n=600,d=2,k=5");
    QVERIFY(points);
    KMeansRunner runner;
    runner.chooseDevice(cpu ? BackendRequest::cpu : BackendRequest::simt);
    runner.setData(points);
    runner.usePrivatePoints(Sharing::none);
    Settings settings = cpuSettings(5);
    settings.backend = cpu ? BackendRequest::cpu : BackendRequest::simt;
    runner.configure(settings);
    runner.iterate(true);
    const IterationResult before = runner.iterate(true);
    const std::vector<float> place{before.centroids[0] + 1, before.centroids[1] - 1};
    const RunState more = withCentroid(stateOf(runner, before), place);
    settings.k = 6;
    runner.configure(settings);
    const IterationResult taken = runner.takeState(more);
    QCOMPARE(taken.iteration, 2);
    QCOMPARE(taken.centroids, more.result.centroids);
    QCOMPARE(total(taken), std::uint64_t{600});
    QVERIFY(taken.sizes.size() == 6 && taken.sizes[5] > 0 && taken.inertia);
    QVERIFY(taken.anyChanged && !taken.changed);
    QVERIFY(runner.stateBeside().byHand && !runner.stateBeside().usedLast.empty());
    // The next iteration is that of any run which has these centroids.
    const IterationResult next = runner.iterate(true);
    QCOMPARE(next.iteration, 3);
    QCOMPARE(next.usedCentroids, more.result.centroids);
    QVERIFY(next.anyChanged);
    QVERIFY(next.centroids != more.result.centroids);
    KMeansRunner other;
    other.chooseDevice(settings.backend);
    other.setData(points);
    other.usePrivatePoints(Sharing::none);
    Settings given = settings;
    given.init = {.kind = InitKind::given, .given = more.result.centroids, .path = "file"};
    other.configure(given);
    const IterationResult same = other.iterate(true);
    QCOMPARE(next.centroids, same.centroids);
    QCOMPARE(next.sizes, same.sizes);
    // And one less.
    const RunState less = withoutCentroid(stateOf(runner, next), 2, 2);
    QCOMPARE(less.result.centroids, rowsOf(next.centroids, {0, 1, 3, 4, 5}, 2));
    settings.k = 5;
    runner.configure(settings);
    QCOMPARE(total(runner.takeState(less)), std::uint64_t{600});
    // A restart is a seeded run again.
    runner.restart();
    runner.iterate(true);
    QVERIFY(!runner.stateBeside().byHand);
  }

  void aMovedCentroidIsByHandToo() {
    KMeansRunner runner;
    runner.chooseDevice(BackendRequest::cpu);
    runner.setData(pointsOf("blobs:n=300,d=2,k=3"));
    runner.usePrivatePoints(Sharing::none);
    runner.configure(cpuSettings(3));
    runner.iterate(true);
    QVERIFY(!runner.stateBeside().byHand);
    runner.moveCentroid(0, {1, 1});
    QVERIFY(runner.stateBeside().byHand);
    runner.iterate(true);
    QVERIFY(runner.stateBeside().byHand);
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestCentroidEdit)
#include "tst_centroid_edit.moc"
