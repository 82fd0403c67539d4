// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/load_points.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "gpu/core/contract/error.hpp"
#include "tests/support/scripted_race.hpp"

#include <QTest>

#include <set>

using namespace lloyd;
using test::candidateOf;
using test::rowOf;

namespace {

using Values = std::vector<std::uint64_t>;

SweepPlan planOf(std::vector<SweepAxis> axes, std::initializer_list<const char*> ids) {
  SweepPlan plan;
  plan.axes = std::move(axes);
  plan.base = {.n = 1000, .d = 2, .k = 16};
  for (const char* id : ids)
    plan.candidates.push_back(candidateOf(id, Stage::classify));
  return plan;
}

DataRequest generatorOf(const char* text) {
  DataRequest request;
  request.generator = text;
  return request;
}

SharedPointSet line(std::size_t n) {
  auto points = std::make_shared<PointSet>();
  points->n = n;
  points->d = 1;
  for (std::size_t i = 0; i < n; ++i)
    points->values.push_back(static_cast<float>(i));
  points->columns = {"x"};
  points->scales = {{}};
  return points;
}

} // namespace

/// What a sweep is before anything is measured: values, places, steps, points.
class TestSweep : public QObject {
  Q_OBJECT

private slots:
  void valuesAreReadAsOnTheCommandLine() {
    QCOMPARE(parseSweepAxis(SweepParameter::n, "2^12:2^15").values, (Values{4096, 8192, 16384, 32768}));
    QCOMPARE(parseSweepAxis(SweepParameter::block, "64:300").values, (Values{64, 128, 256}));
    QCOMPARE(parseSweepAxis(SweepParameter::k, "4,1,2,2").values, (Values{1, 2, 4}));
  }

  void valuesOfDataAndOfArithmeticAreReadAsGeneratorsAndOptionsHaveThem() {
    QCOMPARE(parseSweepAxis(SweepParameter::order, "1,0,0.25").values, (Values{0, 250, 1000}));
    QCOMPARE(parseSweepAxis(SweepParameter::spread, "5,0.125").values, (Values{125, 5000}));
    QCOMPARE(parseSweepAxis(SweepParameter::arithmetic, "pow,multiply").values, (Values{0, 1}));
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(parseSweepAxis(SweepParameter::order, "1.5")), RequestError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(parseSweepAxis(SweepParameter::spread, "0.00001")),
                             RequestError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(parseSweepAxis(SweepParameter::arithmetic, "square")),
                             RequestError);
  }

  /// Points of another order or spread are a race of their own, made by the same generator.
  void dataIsSweptByAskingTheGeneratorAgain() {
    const SweepPlan plan = planOf(
        {parseSweepAxis(SweepParameter::order, "0,0.5"), parseSweepAxis(SweepParameter::spread, "0,5")},
        {"classify.v1", "classify.v2"});
    const std::vector<SweepStep> steps = expand(plan);
    QCOMPARE(steps.size(), std::size_t{4});
    for (const SweepStep& step : steps) {
      QCOMPARE(step.tasks.size(), std::size_t{2});
      QCOMPARE(step.data.size(), std::size_t{2});
    }
    QCOMPARE(plan.dataAt(1, 0), (DataChanges{{"order", 0.5}, {"spread", 0}}));
    const DataRequest request = generatorOf("bands:n=1000,k=4,spread=2");
    const auto points = loadPoints(request, {}, nullptr);
    QVERIFY(points);
    SweepData data(request, *points);
    const auto wide = data.points(1000, 1, nullptr, {{"order", 1}, {"spread", 5}});
    const auto other = loadPoints(generatorOf("bands:n=1000,k=4,spread=5,order=shuffled"), {}, nullptr);
    QVERIFY(wide && other);
    QVERIFY((*wide)->values == (*other)->values);
    QCOMPARE(*data.points(1000, 1, nullptr), *points);
    QVERIFY(!data.points(1000, 1, nullptr, {{"skew", 100}}));
    QVERIFY(whyNotSwept(request, SweepParameter::skew).empty());
    QVERIFY(whyNotSwept(generatorOf("uniform:"), SweepParameter::skew).starts_with("skew cannot be swept"));
    DataRequest file;
    file.path = "points.csv";
    QVERIFY(whyNotSwept(file, SweepParameter::order).find("are what they are") != std::string::npos);
  }

  void aMistakeIsOneSentenceThatNamesTheParameter_data() {
    QTest::addColumn<int>("parameter");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("word") << int(SweepParameter::n) << "many"
                          << "'many'";
    QTest::newRow("empty") << int(SweepParameter::k) << ""
                           << "no number";
    QTest::newRow("hole") << int(SweepParameter::d) << "1,,2"
                          << "no number";
    QTest::newRow("backwards") << int(SweepParameter::block) << "512:64"
                               << "512:64";
    QTest::newRow("too large") << int(SweepParameter::d) << "2^20"
                               << "65536";
    QTest::newRow("nought") << int(SweepParameter::items) << "0"
                            << "1 to";
  }

  void aMistakeIsOneSentenceThatNamesTheParameter() {
    QFETCH(int, parameter);
    QFETCH(QString, text);
    QFETCH(QString, mentions);
    const auto which = static_cast<SweepParameter>(parameter);
    try {
      (void)parseSweepAxis(which, text.toStdString());
      QFAIL("accepted");
    } catch (const RequestError& wrong) {
      const QString said = QString::fromUtf8(wrong.what());
      QVERIFY2(said.startsWith(QString::fromUtf8(name(which).data()) + ':'), qPrintable(said));
      QVERIFY2(said.contains(mentions), qPrintable(said));
      QVERIFY(!said.contains('\n'));
    }
  }

  void everyMeasurementHasItsOwnPlace() {
    const SweepPlan plan = planOf({{SweepParameter::k, {2, 4, 8}}, {SweepParameter::block, {64, 128}}},
                                  {"classify.v1", "classify.v7"});
    QCOMPARE(plan.columns(), std::size_t{3});
    QCOMPARE(plan.rows(), std::size_t{2});
    QCOMPARE(plan.cells(), std::size_t{12});
    std::set<std::size_t> places;
    for (const SweepStep& step : expand(plan))
      for (const SweepTask& task : step.tasks)
        places.insert(task.cell);
    QCOMPARE(places.size(), std::size_t{12});
    QCOMPARE(*places.rbegin(), std::size_t{11});
  }

  void tuningParametersOfOneProblemAreOneRace() {
    const SweepPlan plan = planOf({{SweepParameter::block, {64, 128, 256}}}, {"classify.v1", "classify.v2"});
    const auto steps = expand(plan);
    QCOMPARE(steps.size(), std::size_t{1});
    QCOMPARE(steps[0].tasks.size(), std::size_t{6});
    std::set<int> blocks;
    for (const SweepTask& task : steps[0].tasks)
      blocks.insert(task.candidate.tuning.block);
    QCOMPARE(blocks, (std::set<int>{64, 128, 256}));
  }

  void sizesAreRacesOfTheirOwnAndThoseOfTheSamePointsAreNeighbours() {
    const SweepPlan plan =
        planOf({{SweepParameter::k, {2, 4}}, {SweepParameter::n, {100, 200}}}, {"classify.v1"});
    const auto steps = expand(plan);
    QCOMPARE(steps.size(), std::size_t{4});
    QCOMPARE(steps[0].problem, (Problem{.n = 100, .d = 2, .k = 2}));
    QCOMPARE(steps[1].problem, (Problem{.n = 100, .d = 2, .k = 4}));
    QCOMPARE(steps[2].problem, (Problem{.n = 200, .d = 2, .k = 2}));
    QCOMPARE(steps[2].tasks[0].cell, plan.index(0, 1, 0));
  }

  void aKnobThatAVariantLacksIsAReason() {
    const auto steps = expand(planOf({{SweepParameter::items, {1, 2}}}, {"classify.v1"}));
    for (const SweepTask& task : steps[0].tasks)
      QCOMPARE(task.whyNot, std::string("classify.v1 has no parameter items"));
  }

  void valuesByHand() {
    const Problem problem{.n = 1'000'000, .d = 2, .k = 16};
    Measurement row = rowOf(candidateOf("reduce.v1", Stage::reduce), problem, {25.0}, 1e6);
    QCOMPARE(valueOf(&row, SweepMetric::median), 25.0);
    QCOMPARE(valueOf(&row, SweepMetric::pointRate), 40'000.0);
    const double bytes = 12e6 + 128 + 256 + 64;
    QVERIFY(std::abs(*valueOf(&row, SweepMetric::bandwidth) - bytes / 25e-6 / 1e9) < 1e-9);
    QVERIFY(std::abs(*valueOf(&row, SweepMetric::ofLimit) - 100 * bytes / 1e6 / 25) < 1e-9);
    row.verified = false;
    row.difference = "point 3";
    QVERIFY(!valueOf(&row, SweepMetric::median));
    QVERIFY(QString::fromStdString(gapReason(&row)).contains("point 3"));
    QVERIFY(!valueOf(nullptr, SweepMetric::median));
    QVERIFY(gapReason(nullptr).empty());
  }

  void theBestIsTheLeastTimeOrTheMostOfAnythingElse() {
    SweepResult result;
    result.plan = planOf({{SweepParameter::k, {2}}}, {"classify.v1", "classify.v2", "classify.v3"});
    const Problem problem{.n = 1000, .d = 2, .k = 2};
    for (const double us : {9.0, 7.0, 8.0})
      result.cells.push_back(std::make_shared<Measurement>(
          rowOf(result.plan.candidates[result.cells.size()], problem, {us}, 1e6)));
    QCOMPARE(bestAt(result, 0, 0, SweepMetric::median), std::size_t{1});
    QCOMPARE(bestAt(result, 0, 0, SweepMetric::pointRate), std::size_t{1});
    result.cells[1] = nullptr;
    QCOMPARE(bestAt(result, 0, 0, SweepMetric::median), std::size_t{2});
  }

  void aGeneratorMakesOtherSizesOfTheSame() {
    auto points = std::make_shared<PointSet>();
    points->n = 50;
    points->d = 2;
    points->values.resize(100);
    SweepData data(generatorOf("blobs:n=50,seed=9,spread=2"), points);
    QCOMPARE(data.points(50, 2, nullptr).value(), SharedPointSet(points)); // those on the screen
    const auto more = data.points(80, 3, nullptr);
    QVERIFY(more.has_value());
    QCOMPARE((*more)->n, std::size_t{80});
    QCOMPARE((*more)->d, 3);
    QVERIFY(QString::fromStdString((*more)->source).contains("spread=2"));
    QCOMPARE(data.points(80, 3, nullptr).value(), *more); // kept
    SweepData bands(generatorOf("bands:"), line(10));
    const auto plane = bands.points(10, 2, nullptr);
    QVERIFY(!plane);
    QCOMPARE(plane.error(), std::string("bands cannot make points of 2 dimensions"));
  }

  void aFileGivesAPartAndNeverMore() {
    DataRequest request;
    request.path = "some.csv";
    SweepData data(request, line(100));
    const auto part = data.points(10, 1, nullptr);
    QVERIFY(part.has_value());
    QCOMPARE((*part)->n, std::size_t{10});
    QVERIFY(!data.points(101, 1, nullptr));
    QVERIFY(!data.points(10, 2, nullptr));
    QVERIFY(!whyNotSwept(request, SweepParameter::d).empty());
    QVERIFY(whyNotSwept(request, SweepParameter::n).empty());
    QVERIFY(whyNotSwept(generatorOf("uniform:"), SweepParameter::d).empty());
  }
};

QTEST_GUILESS_MAIN(TestSweep)
#include "tst_sweep_plan.moc"
