// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/stage_harness.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/some_points.hpp"

#include <QTest>

#include <algorithm>
#include <string>
#include <tuple>

using namespace lloyd;

namespace {

void layOut(const LayoutArgs& args, std::size_t points) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < d; ++j)
      args.rows[j * args.stride + i] = args.records[i * d + j];
}

void layOutAll(const LayoutArgs& args, LaunchContext&) { layOut(args, args.problem.n); }
void layOutAllButTheLast(const LayoutArgs& args, LaunchContext&) { layOut(args, args.problem.n - 1); }

/// schedule.graph on the processor, and then what a wrong one would leave.
void iterateRightly(const IterateArgs& args, LaunchContext& context) {
  Registry::instance().find("schedule.graph")->on(Backend::cpu).iterate(args, context);
}
void iterateWithoutMoving(const IterateArgs& args, LaunchContext& context) {
  iterateRightly(args, context);
  std::copy_n(args.used, args.pass.problem.centroidValues(), args.centroids);
}
void iterateWithoutCounting(const IterateArgs& args, LaunchContext& context) {
  iterateRightly(args, context);
  args.outcome->changed = 0;
}
void iterateAndMixUp(const IterateArgs& args, LaunchContext& context) {
  iterateRightly(args, context);
  auto* labels = static_cast<Label*>(args.pass.labels.data);
  labels[13] = (labels[13] + 1) % args.pass.problem.k;
}

/// A schedule that says it has run, and has found the start.
std::unique_ptr<SetRun> doesNothing(Device&, const SetStages&, std::span<ClusteringSet> sets,
                                    const SetParams&) {
  class Idle final : public SetRun {
  public:
    explicit Idle(std::span<ClusteringSet> sets) : sets_(sets) {}
    void run() override {
      for (ClusteringSet& set : sets_) {
        std::ranges::copy(set.start.read(), set.foundCentroids.write().begin());
        std::ranges::fill(set.foundSizes.write(), 0u);
        std::ranges::fill(set.foundLabels.write(), std::byte{0});
      }
    }

  private:
    std::span<ClusteringSet> sets_;
  };
  return std::make_unique<Idle>(sets);
}

} // namespace

/// What a bench verifies before it times: every stage of every variant, on the simulator's small scale.
class TestStageBench : public QObject {
  Q_OBJECT

private slots:
  void everyStageIsVerified_data() {
    QTest::addColumn<int>("d");
    for (const int d : {1, 3, 8, 64})
      QTest::addRow("%d dimensions", d) << d;
  }

  void everyStageIsVerified() {
    QFETCH(int, d);
    const auto device = test::findDevice(Backend::simt).device;
    const PointSet points = test::somePoints(1000, d);
    StageHarness bench(*device, points, 5, {}, 1);
    for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::order, Stage::labels,
                              Stage::update, Stage::layout}) {
      std::size_t checked = 0;
      for (const Variant* variant : Registry::instance().all()) {
        if (!variant->has(stage, Backend::simt)) continue;
        const Candidate candidate{variant, stage, variant->complete({})};
        if (bench.whyNot(candidate)) continue;
        const auto difference = bench.check(candidate);
        QVERIFY2(!difference, difference ? (variant->id() + ": " + *difference).c_str() : "");
        ++checked;
      }
      // Tiles are for so many dimensions, and one pass for some more.
      const bool tiles = stage == Stage::order || stage == Stage::labels;
      QCOMPARE(checked > 0, d <= (tiles ? 3 : stage == Stage::fused ? 16 : 64));
    }
  }

  /// Of points that are all one, scores can tell nothing.
  void whatAFilterLeavesToDistancesIsCounted() {
    const auto device = test::findDevice(Backend::simt).device;
    PointSet points = test::somePoints(500, 16);
    for (std::size_t j = 0; j < 16; ++j)
      std::fill_n(points.values.begin() + static_cast<std::ptrdiff_t>(j * points.n), points.n,
                  points.values[j * points.n]);
    StageHarness bench(*device, points, 3, {}, 1);
    for (const char* id : {"distance.v6", "distance.v7", "distance.v5", "classify.v1"}) {
      const Variant* variant = Registry::instance().find(id);
      const Candidate candidate{variant, Stage::classify, variant->complete({})};
      QVERIFY(!bench.whyNot(candidate) && !bench.check(candidate));
      const bool filters = std::string(id) > "distance.v5";
      QCOMPARE(bench.recheckedOn(candidate), filters ? std::optional(1.0) : std::nullopt);
      QCOMPARE(bench.noteOn(candidate).empty(), !filters);
    }
  }

  void aLayoutThatMissesAPointIsFound() {
    Registry& registry = Registry::instance();
    for (const auto& [tag, launch] : {std::pair<std::string_view, Launch<LayoutArgs>>{"whole", layOutAll},
                                      {"short", layOutAllButTheLast}}) {
      VariantInfo info;
      info.family = "planted";
      info.tag = tag;
      info.name = tag;
      Launchers launchers;
      launchers.layout = launch;
      QVERIFY(registry.add(info, Backend::cpu, launchers));
    }
    const auto device = test::findDevice(Backend::cpu).device;
    const PointSet points = test::somePoints(77, 3);
    StageHarness bench(*device, points, 2, {}, 1);
    // The right one first: what it leaves behind must not make the wrong one look right.
    QVERIFY(!bench.check({registry.find("planted.whole"), Stage::layout, {}}));
    const auto difference = bench.check({registry.find("planted.short"), Stage::layout, {}});
    QVERIFY(difference && difference->find("point 76") != std::string::npos);
  }

  /// A pass over tiles has their boxes, sums and labels to move, and not the points.
  void tilesHaveLessToMove() {
    const Problem problem{1000000, 3, 16};
    const Registry& registry = Registry::instance();
    const auto bytesOfPass = [&](const char* id) {
      const Variant& variant = *registry.find(id);
      return leastBytes(Candidate{&variant, Stage::fused, variant.complete({})}, problem);
    };
    QVERIFY(bytesOfPass("fused.v3") * 10 < bytesOfPass("fused.v2"));
    Candidate small{registry.find("fused.v3"), Stage::fused, {}};
    small.tuning = small.variant->complete({});
    small.tuning.set("items", 128);
    const std::size_t tiles = (problem.n + 127) / 128;
    const std::size_t rest = leastBytes(Stage::fused, {0, 3, 16}, LabelWidth::two);
    QCOMPARE(leastBytes(small, problem), tiles * (3 * (4 + 4 + 8) + 2 + 2) + rest);
  }

  /// Each at the dimensions that it takes.
  void everyFusedVariantIsRepeatedRightly() {
    const auto device = test::findDevice(Backend::simt).device;
    const std::vector<const Variant*> all = Registry::instance().of(Stage::fused, Backend::simt);
    std::size_t checked = 0;
    for (const int d : {2, 8}) {
      const PointSet points = test::somePoints(1000, d);
      StageHarness bench(*device, points, 5, {}, 1);
      const Variant& graph = *Registry::instance().find("schedule.graph");
      const Candidate candidate{&graph, Stage::iterate, {}};
      for (const Variant* fused : all) {
        if (fused->whyNot(Stage::fused, {1000, d, 5}, device->info(), {})) continue;
        bench.repeat({.fused = fused->id()});
        QVERIFY(bench.noteOn(candidate).find(fused->id()) != std::string::npos);
        QCOMPARE(bench.bytes(candidate), bench.bytes({fused, Stage::fused, fused->complete({})}));
        const auto difference = bench.check(candidate);
        QVERIFY2(!difference, difference ? difference->c_str() : "");
        // Timing in between does not show, nor does another check.
        bench.prepare(candidate);
        bench.launch(candidate);
        bench.launch(candidate);
        QVERIFY(!bench.check(candidate));
        ++checked;
      }
      bench.repeat({.fused = "cpu.v3"});
      QVERIFY(bench.whyNot(candidate).has_value());
    }
    QCOMPARE(checked, all.size());
  }

  /// What scores could not tell is said beside the times of the variant that asked distances.
  void pointsInDoubtAreSaid() {
    const auto device = test::findDevice(Backend::simt).device;
    const PointSet points = test::somePoints(3000, 8);
    StageHarness bench(*device, points, 16, {}, 1);
    const Variant* fused = Registry::instance().find("fused.v4");
    const Candidate candidate{fused, Stage::fused, fused->complete({})};
    QVERIFY(!bench.check(candidate));
    QVERIFY(bench.noteOn(candidate).find("distances decided") != std::string::npos);
  }

  void everyScheduleOfSetsIsRight() {
    for (const Backend backend : {Backend::cpu, Backend::simt}) {
      const auto device = test::findDevice(backend).device;
      const PointSet points = test::somePoints(300, 2);
      StageHarness bench(*device, points, 3, {}, 1);
      if (backend == Backend::simt) bench.repeat({.classify = "classify.v6", .reduce = "reduce.v7"});
      for (const Variant* schedule : Registry::instance().of(Stage::sets, backend)) {
        if (schedule->info.family != "schedule") continue; // planted below
        const Candidate candidate{schedule, Stage::sets, schedule->complete({})};
        QVERIFY(!bench.whyNot(candidate));
        const auto difference = bench.check(candidate);
        QVERIFY2(!difference, difference ? difference->c_str() : "");
        const std::uint32_t iterations = bench.iterationsOf(candidate);
        QVERIFY(iterations >= 4 && iterations <= 4 * 9 && iterations % 4 == 0); // of four equal sets
        bench.prepare(candidate);
        bench.launch(candidate);
        QCOMPARE(bench.iterationsOf(candidate), iterations);
        QVERIFY(bench.noteOn(candidate).find("4 sets") != std::string::npos);
        QVERIFY(bench.placeAnew());
        QVERIFY(!bench.check(candidate));
      }
    }
  }

  void aScheduleOfSetsThatIsWrongIsFound() {
    Registry& registry = Registry::instance();
    const auto device = test::findDevice(Backend::cpu).device;
    const PointSet points = test::somePoints(500, 3);
    StageHarness bench(*device, points, 4, {}, 1);
    registry.add({.family = "planted-sets", .tag = "idle", .name = "idle", .idea = "Does nothing."},
                 Backend::cpu, {.sets = doesNothing});
    const Candidate idle{registry.find("planted-sets.idle"), Stage::sets, {}};
    QVERIFY(!bench.whyNot(idle));
    const auto difference = bench.check(idle);
    QVERIFY(difference && difference->starts_with("set 0: "));
  }

  void aScheduleThatIsWrongIsFound() {
    Registry& registry = Registry::instance();
    const auto device = test::findDevice(Backend::cpu).device;
    const PointSet points = test::somePoints(500, 3);
    StageHarness bench(*device, points, 4, {}, 1);
    for (const auto& [tag, launch, right] :
         {std::tuple<std::string_view, Launch<IterateArgs>, bool>{"right", iterateRightly, true},
          {"still", iterateWithoutMoving, false},
          {"uncounted", iterateWithoutCounting, false},
          {"mixed", iterateAndMixUp, false}}) {
      VariantInfo info;
      info.family = "planted-schedule";
      info.tag = tag;
      info.name = tag;
      Launchers launchers;
      launchers.iterate = launch;
      QVERIFY(registry.add(info, Backend::cpu, launchers));
      const Candidate candidate{registry.find("planted-schedule." + std::string(tag)), Stage::iterate, {}};
      const auto difference = bench.check(candidate);
      QVERIFY2(difference.has_value() != right, difference.value_or(std::string(tag)).c_str());
    }
  }

  void layoutMovesEveryByteTwice() {
    QCOMPARE(leastBytes(Stage::layout, {.n = 1000, .d = 3, .k = 16}, LabelWidth::four),
             std::size_t{2} * 1000 * 3 * 4);
    QCOMPARE(leastOperations(Stage::layout, {.n = 1000, .d = 3, .k = 16}), 0.0);
  }

  void labelsCountAsWideAsTheyAreStored() {
    const Problem problem{.n = 1000, .d = 3, .k = 16};
    const std::size_t wide = leastBytes(Stage::fused, problem, LabelWidth::four);
    // Old labels are read and new ones are written.
    QCOMPARE(wide - leastBytes(Stage::fused, problem, LabelWidth::one), std::size_t{2} * 1000 * 3);
    QCOMPARE(wide - leastBytes(Stage::fused, problem, LabelWidth::two), std::size_t{2} * 1000 * 2);
  }

  void onePassNeedNotAskEveryCentroid() {
    const Problem few{.n = 1000, .d = 3, .k = 2}, many{.n = 1000, .d = 3, .k = 200};
    QCOMPARE(leastOperations(Stage::fused, many), leastOperations(Stage::fused, few));
    QCOMPARE(leastOperations(Stage::classify, many), 100 * leastOperations(Stage::classify, few));
  }
};

QTEST_GUILESS_MAIN(TestStageBench)
#include "tst_stage_harness.moc"
