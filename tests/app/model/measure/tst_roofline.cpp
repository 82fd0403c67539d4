// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/roofline.hpp"
#include "tests/support/scripted_race.hpp"

#include <QTest>

using namespace lloyd;
using test::candidateOf;
using test::rowOf;

namespace {

constexpr Problem problem{.n = 1'000'000, .d = 2, .k = 16};

/// One sample of us microseconds, on memory that copies a byte a picosecond.
Measurement timed(const char* id, Stage stage, double us) {
  return rowOf(candidateOf(id, stage), problem, {us}, 1e6);
}

} // namespace

/// The roofline's numbers against a calculation by hand.
class TestRoofline : public QObject {
  Q_OBJECT

private slots:
  void aPointByHand() {
    RaceResult race;
    race.device.peakFlops = 6e13;
    race.rows.push_back(timed("classify.v1", Stage::classify, 50));
    const Roofline roofline = rooflineOf(race);
    QCOMPARE(roofline.points.size(), std::size_t{1});
    // 3 operations for each of 16 clusters, 2 dimensions and 1e6 points; 8 bytes of point, 8 of two labels,
    // and 128 of centroids.
    const double operations = 3.0 * 16 * 2 * 1e6;
    const double bytes = 16e6 + 128;
    QCOMPARE(roofline.points[0].operationsPerByte, operations / bytes);
    QCOMPARE(roofline.points[0].operationsPerSecond, operations / 50e-6);
    // A byte a picosecond is 1e12 bytes a second, and there the bytes decide.
    QCOMPARE(roofline.memory.size(), std::size_t{1});
    QVERIFY(std::abs(roofline.memory[0].bytesPerSecond / 1e12 - 1) < 1e-12);
    QVERIFY(std::abs(roofline.points[0].roof / (1e12 * operations / bytes) - 1) < 1e-12);
    QCOMPARE(roofline.roofAt(1), roofline.memory[0].bytesPerSecond);
    QCOMPARE(roofline.roofAt(1000), 6e13);
  }

  void noPointIsAboveItsRoof() {
    RaceResult race;
    race.device.peakFlops = 1e12; // stated too low: the fastest below does 9.6e12
    race.rows.push_back(timed("classify.v1", Stage::classify, 50));
    race.rows.push_back(timed("classify.v7", Stage::classify, 10));
    race.rows.push_back(timed("reduce.v1", Stage::reduce, 11)); // 12 MB in 11 us: faster than the copy
    race.rows.push_back(timed("update.v1", Stage::update, 2));
    const Roofline roofline = rooflineOf(race);
    QCOMPARE(roofline.points.size(), std::size_t{4});
    for (const RooflinePoint& point : roofline.points)
      QVERIFY2(point.operationsPerSecond <= point.roof * (1 + 1e-12),
               qPrintable(QStringLiteral("row %1").arg(point.row)));
    QCOMPARE(roofline.peak, 3.0 * 16 * 2 * 1e6 / 10e-6);
    for (std::size_t i = 1; i < roofline.memory.size(); ++i)
      QVERIFY(roofline.memory[i - 1].bytesPerSecond >= roofline.memory[i].bytesPerSecond);
  }

  void withoutALimitThereIsNoRoof() {
    RaceResult race;
    race.device.peakFlops = 6e13;
    race.rows.push_back(timed("classify.v1", Stage::classify, 50));
    race.rows.push_back(timed("update.v1", Stage::update, 2));
    race.rows.back().limitUs = 0;
    const Roofline roofline = rooflineOf(race);
    QCOMPARE(roofline.points.size(), std::size_t{2});
    QCOMPARE(roofline.memory.size(), std::size_t{1});
    QCOMPARE(roofline.memory[0].bytes, race.rows[0].bytes);
    QVERIFY(std::isfinite(roofline.points[0].roof));
    QVERIFY(std::isinf(roofline.points[1].roof));
  }

  void whatHasNoArithmeticIsNamed() {
    RaceResult race;
    race.rows.push_back(timed("layout.v1", Stage::layout, 20));
    const Roofline roofline = rooflineOf(race);
    QVERIFY(roofline.points.empty());
    QCOMPARE(roofline.notArithmetic, std::vector<std::size_t>{0});
  }

  void whatIsWrongOrDidNotRunIsNotShown() {
    RaceResult race;
    race.rows.push_back(timed("classify.v1", Stage::classify, 50));
    race.rows.back().verified = false;
    race.rows.push_back({});
    race.rows.back().candidate = candidateOf("classify.v2", Stage::classify);
    race.rows.back().skipped = "it cannot";
    race.rows.push_back(timed("classify.v3", Stage::classify, std::nan("")));
    QVERIFY(rooflineOf(race).points.empty());
  }

  void withoutAPeakThereIsNoLevelRoof() {
    RaceResult race;
    race.rows.push_back(timed("classify.v1", Stage::classify, 50));
    const Roofline roofline = rooflineOf(race);
    QCOMPARE(roofline.peak, 0.0);
    QVERIFY(roofline.roofAt(1e6) > 1e17);
    QVERIFY(std::isinf(Roofline{}.roofAt(1)));
  }

  /// Where the operations decide a row's limit, another row of that footprint tells the memory's rate.
  void theFastestRowTellsTheMemorysRate() {
    RaceResult race;
    race.device.peakFlops = 1e12;
    race.rows.push_back(timed("classify.v1", Stage::classify, 120));
    race.rows.back().limitUs = 96; // 9.6e7 operations at the peak
    race.rows.push_back(timed("classify.v2", Stage::classify, 110));
    const Roofline roofline = rooflineOf(race);
    QCOMPARE(roofline.memory.size(), std::size_t{1});
    QVERIFY(std::abs(roofline.memory[0].bytesPerSecond / 1e12 - 1) < 1e-12);
    QCOMPARE(roofline.points[0].roof, 1e12);
  }
};

QTEST_GUILESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
