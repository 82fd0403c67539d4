// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps that are read out of the rows of races.
#include "app/model/plot/race_sweeps.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "tests/support/scripted_race.hpp"

#include <QTest>

#include <utility>

using namespace lloyd;

namespace {

Measurement timed(const char* id, const Problem& problem, double us, int block = 0) {
  Candidate candidate = test::candidateOf(id, Stage::classify);
  if (block > 0) candidate.tuning.block = block;
  Measurement row = test::rowOf(candidate, problem, std::vector<double>(10, us), 1e3);
  row.rank = 1;
  return row;
}

Measurement skipped(const char* id, const Problem& problem, const char* why) {
  Measurement row;
  row.candidate = test::candidateOf(id, Stage::classify);
  row.problem = problem;
  row.skipped = why;
  return row;
}

using Values = std::vector<std::uint64_t>;

} // namespace

class TestRaceSweeps : public QObject {
  Q_OBJECT

private slots:
  /// A variant that never ran has no place in a plot; one that ran somewhere tells why it did not elsewhere.
  void gapsAreOfVariantsThatRunSomewhere() {
    const Problem small{1024, 2, 4};
    const Problem large{1 << 20, 2, 4};
    RaceResult first;
    first.rows = {timed("classify.v1", small, 4), timed("classify.v3", small, 3),
                  skipped("classify.v7", small, "never")};
    RaceResult second;
    second.rows = {timed("classify.v1", large, 90), skipped("classify.v3", large, "too many points"),
                   skipped("classify.v7", large, "never")};
    const RaceRows rows = rowsOfRanked({&first, &second});
    QCOMPARE(rows.size(), std::size_t{4});
    QCOMPARE(sweptIn(rows), std::vector<SweepParameter>{SweepParameter::n});
    const SweepResult sweep = sweepOf(rows, {SweepParameter::n});
    QCOMPARE(sweep.plan.axes[0].values, (Values{1024, 1 << 20}));
    QCOMPARE(sweep.at(1, 0, 0)->times.median, 90.0);
    const Figure figure = sweepLines(sweep, SweepMetric::median, spansMuch(sweep, SweepMetric::median));
    const PlotPanel& panel = figure.panels.front();
    QCOMPARE(panel.x.places.back().label, QStringLiteral("2²⁰"));
    QVERIFY(panel.y.log);
    QCOMPARE(panel.series.size(), std::size_t{3}); // two lines, and the crosses
    QVERIFY(std::isnan(panel.series[1].points[1].y()));
    QCOMPARE(panel.series[2].readings.size(), std::size_t{1});
    QVERIFY(panel.series[2].readings[0].contains("too many points"));
    QVERIFY(figure.note.contains("cross"));
  }

  /// Where other parameters differ as well, the fastest row stands for all, and says with which it was.
  void theFastestOfTheRestIsShown() {
    const Problem problem{1 << 16, 2, 4};
    RaceResult race;
    for (const int k : {4, 8})
      for (const auto& [block, us] : {std::pair(64, 9.0), std::pair(128, 5.0), std::pair(256, 7.0)})
        race.rows.push_back(timed("classify.v7", {problem.n, problem.d, k}, us * k, block));
    const RaceRows rows = rowsOfRanked({&race});
    QCOMPARE(sweptIn(rows), (std::vector<SweepParameter>{SweepParameter::k, SweepParameter::block}));
    const SweepResult sizes = sweepOf(rows, {SweepParameter::k});
    QCOMPARE(sizes.at(0, 0, 0)->times.median, 20.0);
    const Figure lines = sweepLines(sizes, SweepMetric::median, false);
    QCOMPARE(lines.panels.front().series[0].name, QStringLiteral("V7"));
    QVERIFY2(lines.panels.front().series[0].readings[0].startsWith("V7, block 128 at k = 4: 20.0 µs"),
             qPrintable(lines.panels.front().series[0].readings[0]));
    // What is swept is in the place, not in the name.
    const SweepResult both = sweepOf(rows, {SweepParameter::k, SweepParameter::block});
    const Figure map = sweepMap(both, SweepMetric::median, 0);
    const PlotCells& cells = *map.panels.front().cells;
    QCOMPARE(cells.cells.size(), std::size_t{6});
    QVERIFY2(cells.cells[0].reading.startsWith("V7 at k = 4, block = 64: 36.0 µs"),
             qPrintable(cells.cells[0].reading));
    // The shortest time is the brightest.
    QCOMPARE(cells.brightness(20), 1.0);
    QCOMPARE(cells.brightness(72), 0.0);
  }

  /// What points are like is read out of the source, with the generator's own values where it is silent.
  void pointsOfOtherOrderAndSpreadAreSwept() {
    const Problem problem{1 << 16, 2, 4};
    std::vector<RaceResult> races(4);
    double us = 10;
    for (std::size_t i = 0; i < 4; ++i) {
      races[i].source =
          std::string("blobs:order=") + (i % 2 == 0 ? "0.25" : "sorted") + (i < 2 ? "" : ",spread=0.5");
      races[i].rows = {timed("classify.v1", problem, us++)};
    }
    const RaceRows rows = rowsOfRanked({races.data(), &races[1], &races[2], &races[3]});
    QCOMPARE(sweptIn(rows), (std::vector<SweepParameter>{SweepParameter::order, SweepParameter::spread}));
    QCOMPARE(valueIn(rows[0], SweepParameter::skew), std::uint64_t{0});
    const SweepResult sweep = sweepOf(rows, {SweepParameter::order, SweepParameter::spread});
    QCOMPARE(sweep.plan.axes[0].values, (Values{0, 250}));
    QCOMPARE(sweep.plan.axes[1].values, (Values{500, 4000}));
    QCOMPARE(sweep.at(0, 1, 0)->times.median, 11.0);
    QCOMPARE(sweep.at(1, 0, 0)->times.median, 12.0);
    // Of a file, of scaled points and of a generator without clusters it is not known.
    const char* const sources[] = {"points.csv", "blobs:spread=2, scaled: standard", "uniform:"};
    for (std::size_t i = 0; i < 3; ++i)
      races[i].source = sources[i];
    const RaceRows unknown = rowsOfRanked({races.data(), &races[1], &races[2]});
    QVERIFY(sweptIn(unknown).empty());
    QVERIFY(!unknown[1].data[1] && unknown[2].data[0] && !unknown[2].data[1]);
  }

  void arithmeticIsNamedInItsWord() {
    RaceResult race;
    for (const Arithmetic arithmetic : {Arithmetic::multiply, Arithmetic::pow}) {
      race.rows.push_back(timed("classify.v1", {1024, 2, 4}, 5));
      race.rows.back().candidate.tuning.arithmetic = arithmetic;
    }
    const RaceRows rows = rowsOfRanked({&race});
    QCOMPARE(sweptIn(rows), std::vector<SweepParameter>{SweepParameter::arithmetic});
    const SweepResult sweep = sweepOf(rows, {SweepParameter::arithmetic});
    const Figure figure = sweepLines(sweep, SweepMetric::median, false);
    QCOMPARE(figure.panels.front().x.places[1].label, QStringLiteral("pow"));
    QVERIFY(figure.panels.front().series[0].readings[1].contains("arithmetic = pow"));
  }
};

QTEST_GUILESS_MAIN(TestRaceSweeps)
#include "tst_race_sweeps.moc"
