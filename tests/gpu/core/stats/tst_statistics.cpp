// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/stage.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <QTest>

#include <vector>

using namespace lloyd;

/// The numbers in the timing table.
class TestStatistics : public QObject {
  Q_OBJECT

private slots:
  void nothingGivesZeros() {
    const Summary none = summarise({});
    QCOMPARE(none.samples, std::size_t{0});
    QCOMPARE(none.median, 0.0);
    QCOMPARE(none.noise, 0.0);
  }

  void oneSampleIsEverything() {
    const std::vector<double> one{7};
    const Summary summary = summarise(one);
    QCOMPARE(summary.median, 7.0);
    QCOMPARE(summary.p95, 7.0);
    QCOMPARE(summary.min, 7.0);
    QCOMPARE(summary.iqr, 0.0);
  }

  void quantilesInterpolate() {
    std::vector<double> us;
    for (int i = 100; i >= 0; --i)
      us.push_back(i); // the order does not matter, except for the last
    const Summary summary = summarise(us);
    QCOMPARE(summary.samples, std::size_t{101});
    QCOMPARE(summary.last, 0.0);
    QCOMPARE(summary.median, 50.0);
    QCOMPARE(summary.p95, 95.0);
    QCOMPARE(summary.min, 0.0);
    QCOMPARE(summary.iqr, 50.0);
    QCOMPARE(summary.noise, 1.0);
    const std::vector<double> two{1, 2};
    QCOMPARE(summarise(two).median, 1.5);
  }

  void oneSlowSampleMovesNothing() {
    std::vector<double> us(99, 10.0);
    us.push_back(1e6);
    const Summary summary = summarise(us);
    QCOMPARE(summary.median, 10.0);
    QCOMPARE(summary.p95, 10.0);
    QCOMPARE(summary.noise, 0.0);
  }

  void seriesForgetsWarmUpAndThePast() {
    SampleSeries series(4, 2);
    for (int i = 1; i <= 8; ++i)
      series.add(i);
    QCOMPARE(series.samples(), (std::vector<double>{5, 6, 7, 8}));
    QCOMPARE(series.summary().last, 8.0);
    series.clear();
    series.add(1);
    QVERIFY(series.samples().empty()); // warming up again
  }

  void stagesAdd() {
    StageTimes times;
    QVERIFY(!times[Stage::classify]);
    times.set(Stage::classify, 3);
    times.add(Stage::reduce, 2);
    times.add(Stage::reduce, 2);
    QCOMPARE(*times[Stage::reduce], 4.0);
    QCOMPARE(times.sumUs(), 7.0);
    for (std::size_t stage = 0; stage < stageCount; ++stage)
      QVERIFY(!name(static_cast<Stage>(stage)).empty());
  }
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
