// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/paper_answer.hpp"
#include "app/model/sweep/cell_run.hpp"
#include "tests/support/scripted_race.hpp"

#include <QTest>

#include <cmath>

using namespace lloyd;
using test::candidateOf;
using test::rowOf;

namespace {

/// A sweep of classify.v8 over threads and points; us tells each median, 0 that there is a gap.
template <class Us>
SweepResult sweepOfV8(std::vector<SweepAxis> axes, Us us) {
  SweepResult result;
  result.plan.axes = std::move(axes);
  result.plan.base = {.n = 1 << 20, .d = 2, .k = 10};
  result.plan.candidates = {candidateOf("classify.v8", Stage::classify)};
  result.finished = true;
  for (std::size_t row = 0; row < result.plan.rows(); ++row)
    for (std::size_t column = 0; column < result.plan.columns(); ++column) {
      const Candidate one = result.plan.candidateAt(column, row, 0);
      const double median = us(one.tuning.block, one.tuning.items);
      auto cell = std::make_shared<Measurement>(rowOf(one, result.plan.base, {median}, 1e6));
      if (median == 0) {
        *cell = Measurement();
        cell->candidate = one;
        cell->skipped = "too many registers";
      }
      result.cells.push_back(cell);
    }
  return result;
}

const SweepAxis threads{SweepParameter::block, {64, 128, 512}};
const SweepAxis points{SweepParameter::items, {1, 4, 8}};

/// As the H200 has it: 512 threads with one point, 128 with eight, and four points the fastest.
double likeACard(int block, int items) {
  const double best = items == 1 ? 145 : items == 4 ? 100 : 107;
  return best * (block == (items == 1 ? 512 : 128) ? 1 : 1.3);
}

} // namespace

/// What a sweep is good for: an answer to the paper, and a place to go on from.
class TestSweepAnswers : public QObject {
  Q_OBJECT

private slots:
  void timesAreRelativeToThoseOfOnePoint() {
    for (const bool turned : {false, true}) {
      const SweepResult result =
          sweepOfV8(turned ? std::vector{points, threads} : std::vector{threads, points},
                    [](int block, int items) { return block * 2.0 / items; });
      const auto at = [&](std::size_t block, std::size_t item) {
        return valueAt(result, turned ? item : block, turned ? block : item, 0, SweepMetric::relative);
      };
      for (std::size_t block = 0; block < 3; ++block) {
        QCOMPARE(at(block, 0), 1.0);
        QCOMPARE(at(block, 1), 4.0);
        QCOMPARE(at(block, 2), 8.0);
      }
      QCOMPARE(bestAt(result, turned ? 2 : 0, turned ? 0 : 2, SweepMetric::relative), std::size_t{0});
    }
    // Without one point a thread, and where that is a gap, nothing is relative to it.
    const SweepResult without =
        sweepOfV8({threads, {SweepParameter::items, {4, 8}}}, [](int, int) { return 5.0; });
    QVERIFY(!valueAt(without, 0, 1, 0, SweepMetric::relative));
    const SweepResult gap = sweepOfV8(
        {threads, points}, [](int block, int items) { return block == 64 && items == 1 ? 0 : 5.0; });
    QVERIFY(!valueAt(gap, 0, 1, 0, SweepMetric::relative));
    QCOMPARE(valueAt(gap, 1, 1, 0, SweepMetric::relative), 1.0);
  }

  void thePaperHasAnAnswer() {
    const SweepResult both = sweepOfV8({threads, points}, likeACard);
    QCOMPARE(paperAnswer(both), QStringLiteral("The paper: 128 threads; 8 points a thread, +40 % over one. "
                                               "Here: 128 threads; 4 points a thread, +45 % over one; "
                                               "8 points: +36 %."));
    QCOMPARE(paperAnswer(sweepOfV8({threads}, [](int block, int) { return 1000.0 - block; })),
             QStringLiteral("The paper: 128 threads. Here: 512 threads."));
    QCOMPARE(paperAnswer(sweepOfV8({points}, [](int, int items) { return 10.0 * items; })),
             QStringLiteral("The paper: 8 points a thread, +40 % over one. Here: one point a thread; "
                            "8 points: −88 %."));
  }

  void nothingIsAnsweredBeforeTheEndOrOfSomethingElse() {
    SweepResult result = sweepOfV8({threads, points}, likeACard);
    result.finished = false;
    QCOMPARE(paperAnswer(result), QString());
    QCOMPARE(paperAnswer(sweepOfV8({{SweepParameter::k, {2, 4}}}, likeACard)), QString());
    QCOMPARE(paperAnswer(sweepOfV8({threads, points}, [](int, int) { return 0.0; })), QString());
  }

  void aCellIsARun() {
    SweepPlan plan = sweepOfV8({threads, points}, likeACard).plan;
    Settings now;
    now.k = 7;
    now.selection.reduce = "reduce.v7";
    DataRequest request;
    request.generator = "blobs:n=500,d=2,k=3,seed=9";
    const auto run = runOfCell(plan, 2, 1, 0, now, {}, request);
    QVERIFY(run.has_value());
    QCOMPARE(run->settings.selection.classify, std::string("classify.v8"));
    QCOMPARE(run->settings.selection.reduce, std::string("reduce.v7"));
    QCOMPARE(run->settings.selection.tuning.block, 512);
    QCOMPARE(run->settings.selection.tuning.items, 4);
    QCOMPARE(run->settings.k, 7);
    QVERIFY(!run->points);
    plan.axes = {{SweepParameter::k, {2, 12}}, {SweepParameter::spread, {0, 2500}}};
    const auto other = runOfCell(plan, 1, 1, 0, now, {}, request);
    QVERIFY(other.has_value() && other->points);
    QCOMPARE(other->settings.k, 12);
    const QString made = QString::fromStdString(other->points->generator);
    QVERIFY2(made.contains("spread=2.5") && made.contains("n=1048576") && made.contains("seed=9"),
             qPrintable(made));
    // Of a file's points all are kept.
    request = {};
    request.path = "points.csv";
    plan.axes = {{SweepParameter::n, {100, 200}}};
    QVERIFY(!runOfCell(plan, 1, 0, 0, now, {}, request)->points);
  }

  void aLayoutIsNoRun() {
    SweepPlan plan;
    plan.axes = {threads};
    plan.candidates = {candidateOf("layout.v1", Stage::layout)};
    const auto run = runOfCell(plan, 0, 0, 0, {}, {}, {});
    QVERIFY(!run.has_value());
    QVERIFY(run.error().find("layout.v1") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestSweepAnswers)
#include "tst_sweep_answers.moc"
