// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan makes of measured choices, and of what a person asks for.
#include "tests/gpu/engine/defaults/tuning_makers.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

Selection asked(const std::string& classify, const std::string& reduce, const std::string& fused) {
  Selection selection;
  selection.classify = classify;
  selection.reduce = reduce;
  selection.fused = fused;
  return selection;
}

Plan planWithOrder(const Selection& selection, const Problem& problem, const TuningTable& table) {
  return makePlan(selection, problem, processor(), table, Ordering::once);
}

} // namespace

class TestTunedPlans : public QObject {
  Q_OBJECT

private slots:
  void aPlanFollowsTheTable() {
    Plan plan = makePlan({}, usual, processor(), tableOf({fusedEntry(usual)}));
    QCOMPARE(plan.fused->id(), std::string("cpu.v3"));
    QVERIFY(plan.source.origin == TuningOrigin::here);
    QCOMPARE(plan.source.date, std::string("2026-05-31"));
    QVERIFY(plan.source.problem == usual);
    plan = makePlan({}, usual, processor(), tableOf({apartChoice(usual)}));
    QVERIFY(!plan.fused);
    QCOMPARE(plan.classify->id(), std::string("cpu.v2"));
    QCOMPARE(plan.reduce->id(), std::string("cpu.v1"));
    QCOMPARE(plan.update->id(), std::string("update.v1"));
  }

  void measuredKnobsAreUsedAndAPersonsGoFirst() {
    const TuningTable table = tableOf({tunedEntry(usual)});
    const Plan plan = makePlan({}, usual, processor(), table);
    QVERIFY(plan.fused == &tunable());
    QCOMPARE(plan.tuningOf(Stage::fused).block, 256);
    QCOMPARE(plan.tuningOf(Stage::fused).items, 0);
    Selection selection;
    selection.tuning.block = 64;
    QCOMPARE(makePlan(selection, usual, processor(), table).tuningOf(Stage::fused).block, 64);
    // A variant that a person names has its own tuning parameters.
    QCOMPARE(makePlan(asked("", "", "tunable.v1"), usual, processor(), table).tuningOf(Stage::fused).block,
             0);
    selection.tuning.block = 65;
    QVERIFY_THROWS_EXCEPTION(RequestError, static_cast<void>(makePlan(selection, usual, processor(), table)));
  }

  void tilesAreForPointsThatMayBePutInOrder() {
    for (const bool fuses : {true, false}) {
      TuningEntry choice = withTiles(fusedEntry(usual));
      choice.fuses = fuses;
      const TuningTable table = tableOf({choice});
      const Plan ordered = planWithOrder({}, usual, table);
      QVERIFY(ordered.fused == &tileVariant("v1") && !ordered.classify && !ordered.reduce);
      QCOMPARE(ordered.update->id(), std::string("update.v1"));
      QCOMPARE(ordered.tuningOf(Stage::fused).items, 128);
      QCOMPARE(ordered.tileSize(usual), 128U);
      QVERIFY(ordered.source.origin == TuningOrigin::here && ordered.source.problem == usual);
      const Plan asGiven = makePlan({}, usual, processor(), table);
      QCOMPARE(asGiven.fused ? asGiven.fused->id() : std::string(), std::string(fuses ? "cpu.v3" : ""));
      QCOMPARE(asGiven.tuningOf(Stage::fused), Tuning());
      QCOMPARE(asGiven.tileSize(usual), 0U);
    }
    // Where tiles were not faster, leave to put points in order changes nothing.
    const TuningTable table = tableOf({apartChoice(usual)});
    QVERIFY(planWithOrder({}, usual, table) == makePlan({}, usual, processor(), table));
  }

  void tilesThatCannotBeHadLeaveTheOtherForms() {
    const Problem flat{.n = 1 << 20, .d = 4, .k = 16};
    const Plan plan = planWithOrder({}, flat, tableOf({withTiles(fusedEntry(flat))}));
    QCOMPARE(plan.fused->id(), std::string("cpu.v3"));
    QCOMPARE(plan.source.problem.d, 4);
    TuningEntry unknown = withTiles(apartChoice(usual));
    unknown.tiled.id = "fused.v99";
    QCOMPARE(planWithOrder({}, usual, tableOf({unknown})).classify->id(), std::string("cpu.v2"));
    TuningEntry misfit = withTiles(apartChoice(usual));
    misfit.tiled.tuning.items = 100;
    QCOMPARE(planWithOrder({}, usual, tableOf({misfit})).classify->id(), std::string("cpu.v2"));
  }

  void tilesAreNeverPutOverAPersonsChoice() {
    const TuningTable table = tableOf({withTiles(fusedEntry(usual))});
    QCOMPARE(planWithOrder(asked("", "", "cpu.v3"), usual, table).fused->id(), std::string("cpu.v3"));
    QCOMPARE(planWithOrder(asked("", "", "cpu.v3"), usual, table).tuningOf(Stage::fused), Tuning());
    const Plan half = planWithOrder(asked("cpu.v1", "", ""), usual, table);
    QVERIFY(!half.fused);
    QCOMPARE(half.classify->id(), std::string("cpu.v1"));
    // Who names it has it wherever its points are, with its own tuning parameters.
    const Plan named = makePlan(asked("", "", "tiles.v1"), usual, processor(), table);
    QCOMPARE(named.tileSize(usual), 256U);
    // An update or a schedule leaves the rest to the program.
    Selection selection;
    selection.update = "update.v1";
    QCOMPARE(planWithOrder(selection, usual, table).tileSize(usual), 128U);
    selection.schedule = "schedule.graph";
    const Plan repeated = planWithOrder(selection, usual, table);
    QVERIFY(repeated.schedule && repeated.fused == &tileVariant("v1"));
    QCOMPARE(makePlan(selection, usual, processor(), table).fused->id(), std::string("cpu.v3"));
    selection.tuning.items = 256;
    QCOMPARE(planWithOrder(selection, usual, table).tileSize(usual), 256U);
    // A tuning parameter that tiles do not have, or a value that they do not allow, is meant for something
    // else.
    const TuningTable tunables = tableOf({withTiles(tunedEntry(usual))});
    QCOMPARE(planWithOrder({}, usual, tunables).tileSize(usual), 128U);
    Selection parameters;
    parameters.tuning.block = 64;
    QVERIFY(planWithOrder(parameters, usual, tunables).fused == &tunable());
    parameters.tuning = {};
    parameters.tuning.items = 1;
    QVERIFY(planWithOrder(parameters, usual, tunables).fused == &tunable());
  }

  void whatCannotRunIsPassedOver() {
    const Problem many{.n = 1 << 20, .d = 2, .k = 64};
    TuningEntry unknown = fusedEntry(many);
    unknown.fused.id = "cpu.v99";
    TuningEntry refused = tunedEntry(many); // for at most 32 clusters
    TuningEntry misfit = tunedEntry({1 << 20, 2, 32});
    misfit.fused.tuning.block = 96;
    const Plan plan =
        makePlan({}, many, processor(), tableOf({unknown, refused, misfit, apartChoice(usual)}));
    QVERIFY(!plan.fused);
    QVERIFY(plan.source.problem == usual);
    // Nothing is left: the fixed order.
    const Plan ordered = makePlan({}, many, processor(), tableOf({unknown, refused, misfit}));
    QVERIFY(ordered.source.origin == TuningOrigin::order);
    QVERIFY(ordered.fused == preferred(Stage::fused, many, processor()));
    QVERIFY(makePlan({}, many, processor(), {}).source.origin == TuningOrigin::order);
  }

  /// Where nothing was measured, products are for problems that pay for them.
  void aProcessorMultipliesWhereItPays() {
    const auto fused = [](int d, int k) {
      return makePlan({}, {1 << 16, d, k}, processor(), {}).fused->id();
    };
    for (const auto& [d, k] : {std::pair{1, 1000}, {2, 256}, {3, 1000}, {4, 64}, {8, 16}, {16, 8}, {784, 4}})
      QCOMPARE(fused(d, k), std::string("cpu.v3"));
    for (const auto& [d, k] : {std::pair{4, 128}, {8, 32}, {16, 64}, {64, 256}, {128, 1000}, {784, 256}})
      QCOMPARE(fused(d, k), std::string("cpu.v4"));
    // What the product cannot take goes to one that can, half of an iteration as well.
    QCOMPARE(fused(20000, 16), std::string("cpu.v3"));
    const Plan half = makePlan(asked("", "cpu.v2", ""), {1 << 16, 64, 256}, processor(), {});
    QCOMPARE(half.classify->id(), std::string("cpu.v4"));
  }

  /// And so they are where it was measured, and on its like.
  void theShippedTableMultipliesWhereItPays() {
    for (const DeviceInfo& device : {processor("Intel(R) Xeon(R) Processor", "AVX-512", 2), processor()}) {
      const auto fused = [&](std::size_t n, int d, int k) {
        const Plan plan = makePlan({}, {n, d, k}, device, TuningTable::shipped());
        return plan.fused ? plan.fused->id() : std::string();
      };
      for (const int d : {1, 2, 3})
        for (const int k : {4, 16, 256, 1000})
          QCOMPARE(fused(1 << 20, d, k), std::string("cpu.v3"));
      QCOMPARE(fused(1 << 18, 16, 64), std::string("cpu.v4"));
      QCOMPARE(fused(1 << 18, 32, 256), std::string("cpu.v4"));
      QCOMPARE(fused(1 << 17, 64, 256), std::string("cpu.v4"));
      QCOMPARE(fused(1 << 16, 128, 1000), std::string("cpu.v4"));
    }
  }

  void whatAPersonNamesAlwaysWins() {
    const TuningTable table = tableOf({fusedEntry(usual)});
    Plan plan = makePlan(asked("cpu.v1", "cpu.v2", ""), usual, processor(), table);
    QVERIFY(!plan.fused);
    QCOMPARE(plan.classify->id(), std::string("cpu.v1"));
    QCOMPARE(plan.reduce->id(), std::string("cpu.v2"));
    QVERIFY(plan.source.origin == TuningOrigin::asked);
    // Half of it: the other half is the measured one.
    plan = makePlan(asked("cpu.v1", "", ""), usual, processor(), table);
    QVERIFY(!plan.fused);
    QCOMPARE(plan.reduce->id(), std::string("cpu.v1"));
    QVERIFY(plan.source.origin == TuningOrigin::here);
    plan = makePlan(asked("", "", "cpu.v3"), usual, processor(), tableOf({apartChoice(usual)}));
    QCOMPARE(plan.fused->id(), std::string("cpu.v3"));
    QVERIFY(plan.source.origin == TuningOrigin::asked);
  }
};

QTEST_GUILESS_MAIN(TestTunedPlans)
#include "tst_tuned_plans.moc"
