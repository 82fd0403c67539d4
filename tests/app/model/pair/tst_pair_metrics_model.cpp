// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/pair_metrics_model.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/model/session/session_halves.hpp"

#include <QAbstractItemModelTester>

#include <cmath>
#include <limits>
#include <tuple>

using namespace lloyd;

namespace {

const Variant* variant(const char* id) { return Registry::instance().find(id); }

Plan apartPlan(const char* classify, const char* reduce) {
  Plan plan;
  plan.classify = variant(classify);
  plan.reduce = variant(reduce);
  plan.update = variant("update.v1");
  return plan;
}

void time(TimingSeries& timings, Stage stage, const char* id, double us) {
  for (int i = 0; i < 9; ++i)
    timings.add(stage, id, us, true, false);
}

IterationPtr resultAt(int iteration, double inertia) {
  IterationResult result;
  result.iteration = iteration;
  result.inertia = inertia;
  result.centroids = {0, 0};
  return std::make_shared<const IterationResult>(result);
}

QString textOf(const PairMetricsModel& model, const QString& row, int column) {
  for (int i = 0; i < model.rowCount(); ++i)
    if (model.index(i, PairMetricsModel::nameColumn).data().toString() == row)
      return model.index(i, column).data().toString();
  return QStringLiteral("no such row");
}
QString tipOf(const PairMetricsModel& model, const QString& row, int column) {
  for (int i = 0; i < model.rowCount(); ++i)
    if (model.index(i, PairMetricsModel::nameColumn).data().toString() == row)
      return model.index(i, column).data(Qt::ToolTipRole).toString();
  return {};
}
int headings(const PairMetricsModel& model) {
  int count = 0;
  for (int i = 0; i < model.rowCount(); ++i)
    count += model.index(i, 0).data(PairMetricsModel::headingRole).toBool() ? 1 : 0;
  return count;
}

Measurement measured(const char* id, Stage stage, const Problem& problem, std::vector<double> us) {
  Measurement row;
  row.candidate = {variant(id), stage, variant(id)->complete({})};
  row.problem = problem;
  row.times = summarise(us);
  row.us = std::move(us);
  row.verified = true;
  return row;
}

} // namespace

/// The figures of two sides, from made-up results.
class TestPairModel : public QObject {
  Q_OBJECT

private slots:
  void differencesAreInWordsAndSign() {
    QCOMPARE(timeDifferenceText(10, 8), QStringLiteral("20.0 % less (\u22122.00)"));
    QCOMPARE(timeDifferenceText(10, 12.5), QStringLiteral("25.0 % more (+2.50)"));
    QCOMPARE(timeDifferenceText(10, 10.05), QStringLiteral("less than 1 % apart"));
    QCOMPARE(timeDifferenceText(10, 95), QStringLiteral("9.5\u00d7 the time (+85.0)"));
    QCOMPARE(timeDifferenceText(0, 95), unknownText());
    QCOMPARE(timeDifferenceText(std::nan(""), 95), unknownText());
    QCOMPARE(timeDifferenceText(10, std::numeric_limits<double>::infinity()), unknownText());
  }

  void whatIsTheSameOnBothSidesIsNoDifference() {
    PairMetricsModel model;
    TimingSeries a;
    TimingSeries b;
    PairMetrics figures;
    for (auto [series, side, us] : {std::tuple(&a, &figures.a, 30.0), std::tuple(&b, &figures.b, 33.0)}) {
      time(*series, Stage::fused, "cpu.v3", us);
      for (int i = 0; i < 9; ++i)
        series->addIterationSum(2 * us);
      side->timings = series;
      side->plan.fused = variant("cpu.v3");
      side->plan.update = variant("update.v1");
    }
    figures.problem = {1000, 2, 1};
    model.show(figures);
    QCOMPARE(textOf(model, "fused", PairMetricsModel::differenceColumn), QStringLiteral("the same variant"));
    QCOMPARE(textOf(model, "whole iteration", PairMetricsModel::differenceColumn),
             QStringLiteral("the same variants"));
    figures.b.backend = Backend::cuda;
    model.show(figures);
    QVERIFY(textOf(model, "fused", PairMetricsModel::differenceColumn).contains("10.0 % more"));
  }

  void twoStagesAreHeldAgainstOnePass() {
    PairMetricsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show({});
    QCOMPARE(model.rowCount(), 0);
    TimingSeries a;
    TimingSeries b;
    time(a, Stage::classify, "cpu.v2", 30);
    time(a, Stage::reduce, "cpu.v1", 20);
    time(a, Stage::update, "update.v1", 2);
    time(b, Stage::fused, "cpu.v3", 40);
    time(b, Stage::update, "update.v1", 2);
    for (int i = 0; i < 9; ++i) {
      a.addIterationSum(60);
      b.addIterationSum(48);
    }
    PairMetrics figures;
    figures.problem = {1000, 2, 1};
    figures.a = {&a, apartPlan("cpu.v2", "cpu.v1"), false, resultAt(12, 100)};
    figures.b.timings = &b;
    figures.b.result = resultAt(12, 100);
    figures.b.plan.fused = variant("cpu.v3");
    figures.b.plan.update = variant("update.v1");
    model.show(figures);
    QCOMPARE(textOf(model, "classify", PairMetricsModel::aColumn), QStringLiteral("30.0"));
    QCOMPARE(textOf(model, "classify", PairMetricsModel::bColumn), unknownText());
    QCOMPARE(textOf(model, "classify", PairMetricsModel::differenceColumn), unknownText());
    QVERIFY(tipOf(model, "classify", PairMetricsModel::differenceColumn).contains("Only one side"));
    QCOMPARE(textOf(model, "labels and sums", PairMetricsModel::aColumn), QStringLiteral("50.0"));
    QCOMPARE(textOf(model, "labels and sums", PairMetricsModel::bColumn), QStringLiteral("40.0"));
    QCOMPARE(textOf(model, "labels and sums", PairMetricsModel::differenceColumn),
             QStringLiteral("20.0 % less (\u221210.0)"));
    QCOMPARE(textOf(model, "update", PairMetricsModel::differenceColumn), QStringLiteral("the same variant"));
    QCOMPARE(textOf(model, "whole iteration", PairMetricsModel::differenceColumn),
             QStringLiteral("20.0 % less (\u221212.0)"));
    QCOMPARE(textOf(model, "inertia", PairMetricsModel::differenceColumn), unknownText());
    QCOMPARE(headings(model), 2);
    for (int column = 0; column < model.columnCount(); ++column) {
      QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
      QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }
    // Without a side B its cells are unknown, and A's stay.
    figures.b = {};
    model.show(figures);
    QCOMPARE(textOf(model, "classify", PairMetricsModel::aColumn), QStringLiteral("30.0"));
    QCOMPARE(textOf(model, "whole iteration", PairMetricsModel::bColumn), unknownText());
  }

  void aSimulatorsTimeIsHeldAgainstNone() {
    PairMetricsModel model;
    TimingSeries a;
    TimingSeries b;
    time(a, Stage::classify, "classify.v1", 900);
    time(b, Stage::classify, "classify.v7", 300);
    PairMetrics figures;
    figures.a = {&a, apartPlan("classify.v1", "reduce.v1"), false, nullptr};
    figures.b = {&b, apartPlan("classify.v7", "reduce.v1"), true, nullptr};
    model.show(figures);
    QCOMPARE(textOf(model, "classify", PairMetricsModel::bColumn), QStringLiteral("300 (simulated)"));
    QCOMPARE(textOf(model, "classify", PairMetricsModel::aColumn), QStringLiteral("900"));
    QCOMPARE(textOf(model, "classify", PairMetricsModel::differenceColumn), unknownText());
    QVERIFY(tipOf(model, "classify", PairMetricsModel::differenceColumn).contains("simulator"));
  }

  void aRaceGivesItsVerdict() {
    PairMetricsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Problem problem{1000, 2, 4};
    std::vector<double> slow;
    std::vector<double> fast;
    for (int i = 0; i < 400; ++i) {
      slow.push_back(100 + (i * 7 % 11) * 0.1);
      fast.push_back(80 + (i * 5 % 13) * 0.1);
    }
    auto race = std::make_shared<RaceResult>();
    race->rows.push_back(measured("cpu.v1", Stage::classify, problem, slow));
    race->rows.push_back(measured("cpu.v2", Stage::classify, problem, fast));
    race->rows.push_back(measured("cpu.v1", Stage::reduce, problem, slow));
    TimingSeries live;
    PairMetrics figures;
    figures.problem = problem;
    figures.race = race;
    figures.a = {&live, apartPlan("cpu.v1", "cpu.v1"), false, nullptr};
    figures.b = {&live, apartPlan("cpu.v2", "cpu.v1"), false, nullptr};
    model.show(figures);
    QVERIFY(model.index(0, 0).data().toString().startsWith("Raced"));
    QVERIFY2(textOf(model, "classify", PairMetricsModel::differenceColumn).contains("faster by"),
             qPrintable(textOf(model, "classify", PairMetricsModel::differenceColumn)));
    QCOMPARE(textOf(model, "classify", PairMetricsModel::aColumn),
             microsecondsText(race->rows[0].times.median));
    QCOMPARE(textOf(model, "reduce", PairMetricsModel::differenceColumn), QStringLiteral("the same variant"));
    // What is not verified is not shown, nor what was raced on another problem.
    race->rows[1].verified = false;
    model.show(figures);
    QCOMPARE(textOf(model, "classify", PairMetricsModel::differenceColumn), unknownText());
    race->rows[1].verified = true;
    figures.problem.k = 5;
    model.show(figures);
    QVERIFY(model.index(0, 0).data().toString().startsWith("Live"));
  }

  void whatWasFoundIsNamed() {
    PairMetricsModel model;
    TimingSeries live;
    PairMetrics figures;
    figures.a = {&live, apartPlan("cpu.v1", "cpu.v1"), false, resultAt(7, 200)};
    figures.b = {&live, apartPlan("cpu.v2", "cpu.v1"), false, resultAt(7, 201)};
    auto difference = std::make_shared<PairDifference>();
    difference->iteration = 7;
    difference->points = 65536;
    difference->differing = 3;
    difference->centroidDistance = 0.25;
    difference->inertia = 0.005;
    figures.difference = difference;
    model.show(figures);
    QCOMPARE(textOf(model, "labels", PairMetricsModel::differenceColumn),
             QStringLiteral("3 of 65,536 differ"));
    QCOMPARE(textOf(model, "centroids", PairMetricsModel::differenceColumn),
             QStringLiteral("0.250 apart at most"));
    QCOMPARE(textOf(model, "inertia", PairMetricsModel::differenceColumn),
             QStringLiteral("+0.500 % (higher)"));
    QVERIFY(tipOf(model, "labels", PairMetricsModel::differenceColumn).contains("7"));
    figures.difference.reset();
    figures.whyNotCompared = QStringLiteral("because");
    model.show(figures);
    QCOMPARE(textOf(model, "labels", PairMetricsModel::differenceColumn), unknownText());
    QCOMPARE(tipOf(model, "labels", PairMetricsModel::differenceColumn), QStringLiteral("because"));
  }

  void clustersAreMatchedByThePointsTheyShare() {
    const std::vector<Label> a{0, 0, 0, 1, 1, 1, 2, 2};
    const std::vector<Label> b{2, 2, 1, 0, 0, 0, 1, 1};
    IterationResult ofA;
    IterationResult ofB;
    ofA.centroids = {1, 2, 3};
    ofB.centroids = {2, 3, 1.5F};
    const PairDifferencePtr plain = differenceOf({ofA, ofB, a, b, 1}, false);
    QCOMPARE(plain->differing, std::size_t(8));
    const PairDifferencePtr matched = differenceOf({ofA, ofB, a, b, 1}, true);
    QCOMPARE(matched->clusterOfA, (std::vector<int>{1, 2, 0}));
    QCOMPARE(matched->differing, std::size_t(1));
    QCOMPARE((*matched->groups)[2], 1);
    QCOMPARE(matched->centroidDistance, 0.5);
    ofB.centroids[1] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(std::isnan(differenceOf({ofA, ofB, a, b, 1}, true)->centroidDistance));
  }

  void kernelsAreCountedOnBothSides() {
    Session a;
    begin(a, apart(4), generator("blobs:n=20000,d=2,k=4"));
    PairCounters counts(a);
    counts.setPlans(apartPlan("classify.aos", "reduce.v1"), apartPlan("classify.v3", "reduce.v1"));
    QVERIFY(!counts.counted());
    counts.setActive(true);
    counts.setActive(false); // in the middle of it
    QVERIFY(!counts.complete() && !counts.counted());
    counts.setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(counts.complete() && counts.counted(), 60000);
    const auto counted = counts.counted();
    QCOMPARE(counted->problem.n, std::size_t(16384));
    QVERIFY(counted->a.counters && counted->b.counters);
    QCOMPARE(counted->a.variants, QStringLiteral("classify.aos + reduce.v1"));
    QVERIFY(counted->a.counters->globalLoadSectors > counted->b.counters->globalLoadSectors);
    PairMetricsModel model;
    PairMetrics figures;
    TimingSeries live;
    figures.a = {&live, apartPlan("classify.aos", "reduce.v1"), true, a.last()};
    figures.b = {&live, apartPlan("classify.v3", "reduce.v1"), true, a.last()};
    figures.counted = counted;
    model.show(figures);
    QVERIFY(textOf(model, "sectors loaded", PairMetricsModel::differenceColumn).contains("fewer"));

    // The CPU's own variants ask nothing that a card would.
    counts.setPlans(apartPlan("cpu.v2", "cpu.v1"), apartPlan("classify.v3", "reduce.v1"));
    QVERIFY(!counts.counted()); // it was of other variants
    QTRY_VERIFY_WITH_TIMEOUT(counts.complete() && counts.counted(), 60000);
    QVERIFY(!counts.counted()->a.counters && !counts.counted()->a.why.isEmpty());
    figures.counted = counts.counted();
    model.show(figures);
    QCOMPARE(textOf(model, "sectors loaded", PairMetricsModel::aColumn), unknownText());
    QCOMPARE(tipOf(model, "sectors loaded", PairMetricsModel::aColumn), counts.counted()->a.why);
    QVERIFY(step(a));
    QTRY_VERIFY_WITH_TIMEOUT(counts.complete(), 60000);
  }
};

QTEST_GUILESS_MAIN(TestPairModel)
#include "tst_pair_metrics_model.moc"
