// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/plot_table.hpp"
#include "app/model/plot/race_figures.hpp"
#include "app/model/plot/run_figures.hpp"
#include "app/model/session/live_timings.hpp"
#include "tests/support/scripted_race.hpp"

#include <QTest>

#include <limits>

using namespace lloyd;
using test::candidateOf;
using test::rowOf;

namespace {

constexpr Problem problem{.n = 1000, .d = 2, .k = 4};

StageTimes timesOf(double classify, double reduce) {
  StageTimes times;
  times.set(Stage::classify, classify);
  times.set(Stage::reduce, reduce);
  return times;
}

IterationStats entryOf(int iteration, double inertia, std::optional<std::uint64_t> changed, double shift) {
  IterationResult result;
  result.iteration = iteration;
  result.inertia = inertia;
  result.changed = changed;
  result.shift = shift;
  return IterationStats(result);
}

} // namespace

/// The numbers behind the plots, as a spreadsheet gets them, and what they are gathered from.
class TestPlotTable : public QObject {
  Q_OBJECT

private slots:
  void aSideWithoutResultsHasNotBegun() {
    const std::deque<IterationStats> run{entryOf(1, 10, 5, 0.5), entryOf(2, 8, 3, 0.25)};
    const auto note = [](const std::deque<IterationStats>& a, const std::deque<IterationStats>& b) {
      return convergence(std::make_shared<const ConvergenceRuns>(ConvergenceRuns{a, b}), false).note;
    };
    QVERIFY2(note(run, {}).startsWith("A at iteration 2: ") && note(run, {}).endsWith("; B has not begun"),
             qPrintable(note(run, {})));
    QVERIFY2(note({}, run).startsWith("A has not begun; B at iteration 2"), qPrintable(note({}, run)));
    QCOMPARE(note({}, {}), QStringLiteral("A and B have not begun"));
    QVERIFY(note(run, run).startsWith("A and B at iteration 2"));
  }

  void fieldsThatNeedItAreQuoted() {
    const PlotTable table{{"a", "b, c"}, {{"1", "say \"x\""}}};
    QCOMPARE(table.csv(), QStringLiteral("a,\"b, c\"\r\n1,\"say \"\"x\"\"\"\r\n"));
  }

  void stagesOfEachFrame() {
    FrameLog record;
    record.add(timesOf(8.25, 12.5), false);
    StageTimes second = timesOf(8, 12);
    second.set(Stage::unaccounted, 0.1);
    record.add(second, false);
    QCOMPARE(stageTable(record, false).csv(),
             QStringLiteral(
                 "iteration,classify (us),reduce (us),unaccounted (us)\r\n1,8.25,12.5,\r\n2,8,12,0.1\r\n"));
    QVERIFY(stageTable(record, true).headings[1].contains("simulated"));
  }

  void theRecordKeepsTheLastAndOneKindOnly() {
    FrameLog record;
    for (std::size_t i = 0; i < FrameLog::most + 5; ++i)
      record.add(timesOf(1, 1), false);
    QCOMPARE(record.entries().size(), FrameLog::most);
    QCOMPARE(record.entries().front().number, std::uint64_t{6});
    record.add(timesOf(1, 1), true);
    QCOMPARE(record.entries().size(), std::size_t{1});
    QVERIFY(record.wholeFrames());
  }

  void aSessionsIterationsFillTheRecord() {
    LiveTimings live;
    live.iterationDone(timesOf(8, 12), {}, 25, false);
    QCOMPARE(live.record().entries().size(), std::size_t{1});
    const StageTimes& us = live.record().entries()[0].us;
    QCOMPARE(us[Stage::classify], 8.0);
    QCOMPARE(us[Stage::unaccounted], 5.0);
    QCOMPARE(us.sumUs(), 25.0);
    QVERIFY(!live.record().wholeFrames());
    // Two halves are one iteration.
    StageTimes first;
    first.set(Stage::classify, 9.0);
    StageTimes second;
    second.set(Stage::reduce, 11.0);
    live.halfDone(Half::classify, first, {}, 10, false);
    QCOMPARE(live.record().entries().size(), std::size_t{1});
    live.halfDone(Half::update, second, {}, 14, false);
    QCOMPARE(live.record().entries().size(), std::size_t{2});
    QCOMPARE(live.record().entries()[1].us.sumUs(), 24.0);
    live.clear();
    QVERIFY(live.record().entries().empty());
  }

  void onTheSharedPathAnEntryIsAFrame() {
    LiveTimings live;
    live.started();
    live.returned();
    live.frameShown(100, 0, true, true); // the first has no frame before it to be counted from
    QVERIFY(live.record().entries().empty());
    live.mapped(3);
    live.started();
    live.returned();
    live.unmapped(2);
    live.iterationDone(timesOf(8, 12), {}, 25, true);
    QVERIFY(live.record().entries().empty()); // until it is seen
    live.frameShown(100, 7, true, true);
    QCOMPARE(live.record().entries().size(), std::size_t{1});
    QVERIFY(live.record().wholeFrames());
    const StageTimes& us = live.record().entries()[0].us;
    QCOMPARE(us[Stage::map], 3.0);
    QCOMPARE(us[Stage::unmap], 2.0);
    QCOMPARE(us[Stage::draw], 100.0);
    QCOMPARE(us[Stage::upload], 7.0);
    QVERIFY(us[Stage::wait].has_value());
  }

  void samplesOfBoth() {
    const Measurement a = rowOf(candidateOf("classify.v1", Stage::classify), problem, {1, 2, 4}, 1e3);
    const Measurement b =
        rowOf(candidateOf("classify.v2", Stage::classify), problem, {2, std::nan(""), 2}, 1e3);
    QCOMPARE(distributionTable(a, b).csv(), QStringLiteral("round,classify.v1 (us),classify.v2 (us),ratio\r\n"
                                                           "1,1,2,0.5\r\n2,2,,\r\n3,4,2,2\r\n"));
  }

  void theRoofline() {
    RaceResult race;
    race.device.peakFlops = 1e12;
    race.rows.push_back(rowOf(candidateOf("reduce.v1", Stage::reduce), problem, {4}, 8e3));
    race.rows.push_back(rowOf(candidateOf("layout.v1", Stage::layout), problem, {4}, 8e3));
    const PlotTable table = rooflineTable(rooflineOf(race), race);
    QCOMPARE(table.rows.size(), std::size_t{5}); // two variants, two footprints, the arithmetic
    for (const QStringList& row : table.rows)
      QCOMPARE(row.size(), table.headings.size());
    QCOMPARE(table.rows[0][0], QStringLiteral("reduce.v1"));
    QCOMPARE(table.rows[0][3].toDouble(), 2 * 2000 / 4e-6);
    QCOMPARE(table.rows[1][3], QString());
  }

  void twoRunsOverTheSameIterations() {
    const std::deque<IterationStats> run{entryOf(1, 10, 5, 1), entryOf(2, 8, 0, 0.5)};
    const std::deque<IterationStats> other{entryOf(2, 9, std::nullopt, 0.25), entryOf(3, 7, 1, 0)};
    QCOMPARE(convergenceTable(run, nullptr).csv(),
             QStringLiteral("iteration,inertia (data units squared),changed (points),shift (data "
                            "units)\r\n1,10,5,1\r\n2,8,0,0.5\r\n"));
    QCOMPARE(
        convergenceTable(run, &other).csv(),
        QStringLiteral("iteration,inertia (data units squared),changed (points),shift (data units),"
                       "inertia of B (data units squared),changed of B (points),shift of B (data units)\r\n"
                       "1,10,5,1,,,\r\n2,8,0,0.5,9,,0.25\r\n3,,,,7,1,0\r\n"));
  }

  void aSweepWithItsGaps() {
    SweepResult result;
    result.plan.axes = {{SweepParameter::k, {4, 8, 16}}};
    result.plan.base = problem;
    result.plan.candidates = {candidateOf("classify.v1", Stage::classify)};
    result.cells.push_back(
        std::make_shared<Measurement>(rowOf(result.plan.candidates[0], problem, {2.5}, 8e3)));
    auto gap = std::make_shared<Measurement>();
    gap->candidate = result.plan.candidates[0];
    gap->problem = problem;
    gap->skipped = "too many, it says";
    result.cells.push_back(gap);
    result.cells.push_back(nullptr);
    const PlotTable table = sweepTable(result);
    QCOMPARE(table.rows.size(), std::size_t{2}); // what is to come has no row
    for (const QStringList& row : table.rows)
      QCOMPARE(row.size(), table.headings.size());
    QCOMPARE(table.rows[0][13], QStringLiteral("2.5"));
    QCOMPARE(table.rows[0].back(), QString());
    QCOMPARE(table.rows[1][13], QString());
    QVERIFY(table.csv().contains("\"too many, it says\""));
  }

  void tuningParametersAreNamedWhereTheyAreNotTheVariantsOwn() {
    Candidate candidate = candidateOf("classify.v7", Stage::classify);
    QCOMPARE(tunedName(candidate), QStringLiteral("classify.v7"));
    candidate.tuning.block = candidate.tuning.block == 256 ? 128 : 256;
    QCOMPARE(tunedName(candidate), QStringLiteral("classify.v7, block %1").arg(candidate.tuning.block));
  }

  void binsHoldEverySample() {
    std::vector<double> samples = test::wave(100, 0.1, 200);
    samples.push_back(5000); // far out
    samples.push_back(std::nan(""));
    const Bins bins = binsFor(samples);
    QVERIFY(bins.count >= 10 && bins.count <= 82);
    std::size_t all = 0;
    for (const std::size_t count : countInto(bins, samples))
      all += count;
    QCOMPARE(all, std::size_t{201});
    QVERIFY(bins.from + bins.width * static_cast<double>(bins.count) < 200); // not stretched by the one
    const std::vector<double> alike(10, 3.0);
    QCOMPARE(countInto(binsFor(alike), alike), std::vector<std::size_t>{10});
    QCOMPARE(binsFor({}).count, std::size_t{0});
  }

  void ratiosAreOfRoundsThatHaveBoth() {
    const std::vector<double> a{1, std::nan(""), 3, 0, 8};
    const std::vector<double> b{2, 2, 2, 2};
    QCOMPARE(pairedRatios(a, b), (std::vector<double>{0.5, 1.5}));
  }
};

QTEST_GUILESS_MAIN(TestPlotTable)
#include "tst_plot_table.moc"
