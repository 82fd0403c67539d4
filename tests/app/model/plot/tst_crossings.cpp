// SPDX-License-Identifier: GPL-3.0-or-later
// Where one variant passes another along a sweep, on results written by hand.
#include "app/model/plot/crossings.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "tests/support/scripted_race.hpp"

#include <QTest>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

using namespace lloyd;

namespace {

/// The medians of one variant over the places; nothing where it cannot run.
using Line = std::vector<std::optional<double>>;

/// classify.v1 and classify.v3 over one axis, every row with the same noise.
SweepResult sweepOf(const SweepAxis& axis, const std::pair<Line, Line>& lines, double noise = 0.001) {
  SweepResult result;
  result.plan.axes = {axis};
  result.plan.base = {65536, 2, 16};
  result.plan.candidates = {test::candidateOf("classify.v1", Stage::classify),
                            test::candidateOf("classify.v3", Stage::classify)};
  result.finished = true;
  for (std::size_t place = 0; place < axis.values.size(); ++place)
    for (std::size_t c = 0; c < 2; ++c) {
      const auto us = (c == 0 ? lines.first : lines.second)[place];
      auto row = std::make_shared<Measurement>(test::rowOf(result.plan.candidates[c], result.plan.base,
                                                           std::vector<double>(10, us.value_or(1)), 1e3));
      row->times.noise = noise;
      if (!us) {
        *row = Measurement();
        row->candidate = result.plan.candidates[c];
        row->problem = result.plan.base;
        row->skipped = "no room";
      }
      result.cells.push_back(row);
    }
  return result;
}

const SweepAxis order{SweepParameter::order, {0, 1000}};
const SweepAxis orders{SweepParameter::order, {0, 250, 500, 1000}};
const std::vector<QString> names{QStringLiteral("V1"), QStringLiteral("V3")};

std::vector<Crossing> crossingsIn(const SweepAxis& axis, const std::pair<Line, Line>& lines,
                                  double noise = 0.001) {
  return crossingsOf(sweepOf(axis, lines, noise), SweepMetric::median);
}

} // namespace

class TestCrossings : public QObject {
  Q_OBJECT

private slots:
  /// V1 goes from 10 to 30 and V3 from 14 to 18: they meet at a quarter, at 15.
  void linesMeetWhereTheyAreStraight() {
    const auto found = crossingsIn(order, {{10, 30}, {14, 18}});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].from, std::size_t{0});
    QCOMPARE(found[0].to, std::size_t{1});
    QCOMPARE(found[0].at, 250.0);
    QCOMPARE(found[0].value, 15.0);
    QCOMPARE(crossingsText(found, order, SweepMetric::median, names),
             QString("the fastest changes from V1 to V3 at about 0.25"));
    const PlotSeries rings = crossingMarks(found, order, SweepMetric::median, names);
    QCOMPARE(rings.readings, std::vector<QString>{"V3 is faster than V1 from about 0.25 on"});
  }

  /// On logarithmic axes lines are straight in logarithms, and meet where they are drawn to.
  void scalesBendTheLines() {
    const SweepAxis sizes{SweepParameter::n, {1 << 10, 1 << 20}};
    const auto found = crossingsOf(sweepOf(sizes, {{1, 16}, {2, 8}}), SweepMetric::median,
                                   {.logAlong = true, .logUp = true});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(std::abs(found[0].at - (1 << 15)) < 1e-6, qPrintable(QString::number(found[0].at)));
    QVERIFY(std::abs(found[0].value - 4) < 1e-9);
  }

  void aChangeWithinNoiseIsNone_data() {
    QTest::addColumn<double>("atLeft");
    QTest::addColumn<double>("atRight");
    QTest::addColumn<double>("noise");
    QTest::addColumn<bool>("crosses");
    // V1 takes 10 at both ends, and a noise of 0.1 is half a microsecond either way.
    QTest::newRow("beyond at both ends") << 11.5 << 8.5 << 0.1 << true;
    QTest::newRow("within at the left") << 10.5 << 8.5 << 0.1 << false;
    QTest::newRow("within at the right") << 11.5 << 9.5 << 0.1 << false;
    QTest::newRow("quiet rows") << 10.5 << 9.5 << 0.01 << true;
  }
  void aChangeWithinNoiseIsNone() {
    QFETCH(double, atLeft);
    QFETCH(double, atRight);
    QFETCH(double, noise);
    QFETCH(bool, crosses);
    QCOMPARE(!crossingsIn(order, {{10, 10}, {atLeft, atRight}}, noise).empty(), crosses);
  }

  /// Where neither is ahead for a while, the change is between the places where one is.
  void aTieInTheMiddleHidesNothing() {
    const auto found = crossingsIn(orders, {{10, 10, 10, 10}, {14, 10.2, 9.8, 6}}, 0.05);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].left, std::size_t{1});
    QCOMPARE(found[0].right, std::size_t{2});
    QVERIFY2(std::abs(found[0].at - 375) < 1e-9, qPrintable(QString::number(found[0].at)));
    // Nor does a place where one of them cannot run.
    const auto gap = crossingsIn(orders, {{10, 10, 10, 10}, {14, {}, 8, 8}});
    QCOMPARE(gap.size(), std::size_t{1});
    QCOMPARE(gap[0].left, std::size_t{0});
    QCOMPARE(gap[0].right, std::size_t{2});
  }

  void whoComesAndGoesCrossesTwice() {
    const auto found = crossingsIn(orders, {{10, 20, 20, 10}, {14, 14, 14, 14}});
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[1].from, std::size_t{1});
    QCOMPARE(crossingsText(found, orders, SweepMetric::median, names),
             QString("the fastest changes from V1 to V3 at about 0.10, and from V3 to V1 at about 0.80"));
  }

  void whatCannotRunIsOvertakenByNobody() {
    QVERIFY(crossingsIn(order, {{10, 30}, {std::nullopt, 18}}).empty());
    QVERIFY(crossingsIn(order, {{10, std::nullopt}, {14, 18}}).empty());
  }

  void moreIsBetterOfRates() {
    const auto found = crossingsOf(sweepOf(order, {{10, 30}, {14, 18}}), SweepMetric::bandwidth);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].to, std::size_t{1});
    QVERIFY(crossingsText(found, order, SweepMetric::bandwidth, names).startsWith("the best changes"));
    QVERIFY(crossingsOf(sweepOf(order, {{10, 30}, {14, 18}}), SweepMetric::occupancy).empty());
  }

  /// A third that is the best throughout hides none of the others' changes, which come after the best's.
  void thoseBehindTheBestPassOneAnotherToo() {
    SweepResult sweep = sweepOf(order, {{10, 30}, {14, 18}});
    sweep.plan.candidates.push_back(test::candidateOf("classify.v6", Stage::classify));
    std::vector<std::shared_ptr<const Measurement>> cells;
    const double third[] = {5, 20}; // at the right end behind V3, ahead of V1
    for (std::size_t place = 0; place < 2; ++place) {
      cells.insert(cells.end(), {sweep.cells[2 * place], sweep.cells[2 * place + 1]});
      auto row = std::make_shared<Measurement>(
          test::rowOf(sweep.plan.candidates[2], sweep.plan.base, std::vector<double>(10, third[place]), 1e3));
      row->times.noise = 0.001;
      cells.push_back(row);
    }
    sweep.cells = cells;
    const auto found = crossingsOf(sweep, SweepMetric::median);
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY(found[0].ofBest && found[0].from == 2 && found[0].to == 1);
    QVERIFY(!found[1].ofBest && found[1].from == 0 && found[1].to == 1);
    QCOMPARE(crossingsText(found, order, SweepMetric::median, {"V1", "V3", "V6"}),
             QString("the fastest changes from V6 to V3 at about 0.82; V3 passes V1 at about 0.25"));
    QCOMPARE(crossingMarks(found, order, SweepMetric::median, {"V1", "V3", "V6"}).points.size(),
             std::size_t{2});
  }

  /// Between two values of a tuning parameter there are none, and arithmetic has no order at all.
  void placesBetweenTuningParametersAreNotNamed() {
    const SweepAxis items{SweepParameter::items, {4, 8}};
    const auto found = crossingsIn(items, {{10, 30}, {14, 18}});
    QCOMPARE(crossingsText(found, items, SweepMetric::median, names),
             QString("the fastest changes from V1 to V3 between 4 and 8"));
    QVERIFY(crossingsIn({SweepParameter::arithmetic, {0, 1}}, {{10, 30}, {14, 18}}).empty());
  }

  /// The ring lies where the drawn lines meet, and the note names the change; also where the other axis has a
  /// single value.
  void theFigureShowsThem() {
    for (const bool secondAxis : {false, true}) {
      SweepResult sweep = sweepOf(order, {{10, 30}, {14, 18}});
      if (secondAxis)
        sweep.plan.axes.insert(sweep.plan.axes.begin(), SweepAxis{SweepParameter::spread, {5000}});
      const Figure figure = sweepLines(sweep, SweepMetric::median, false);
      const PlotSeries& rings = figure.panels.front().series.back();
      QCOMPARE(rings.marker, std::optional(PlotMarker::ring));
      QCOMPARE(rings.points, std::vector<QPointF>{QPointF(250, 15)});
      QVERIFY2(figure.note.endsWith("; the fastest changes from V1 to V3 at about 0.25"),
               qPrintable(figure.note));
      QVERIFY(figure.summary.contains("from V1 to V3"));
    }
    const Figure plain = sweepLines(sweepOf(order, {{10, 10}, {14, 18}}), SweepMetric::median, false);
    QCOMPARE(plain.panels.front().series.size(), std::size_t{3}); // two lines and the gaps
    QVERIFY(!plain.note.contains("changes"));
  }
};

QTEST_GUILESS_MAIN(TestCrossings)
#include "tst_crossings.moc"
