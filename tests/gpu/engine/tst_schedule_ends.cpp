// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "tests/gpu/engine/schedule_rig.hpp"
#include "tests/support/faulty_device.hpp"

#include <atomic>
#include <stdexcept>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr int outOfMemory = 2;

/// A copy of cpu.v3 that gives up at its n-th launch from now.
int launchesLeft = 0;
void giveUp(const FusedArgs& args, LaunchContext& context) {
  variant("cpu.v3")->on(Backend::cpu).fused(args, context);
  if (--launchesLeft == 0) throw Cancelled();
}

} // namespace

/// Iterations that the device repeats: what they leave behind, on failure too, and what is refused.
class TestScheduleEnds : public QObject {
  Q_OBJECT

private slots:
  void whatIsRecordedIsKept_data() { everyPlan(); }
  void whatIsRecordedIsKept() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    FaultCounters counters;
    FaultyDevice device(std::move(found.device), {}, &counters);
    const HostProblem host = makeProblem(PointKind::uniform, {1501, 2, 7});
    Rig rig(device, host, planOf(variant(id)));
    const auto callsOf = [&](double tolerance, int most) {
      const int before = counters.calls();
      rig.until(tolerance, most, false); // the labels stay where they are
      return counters.calls() - before;
    };
    const int first = callsOf(0, 2);
    const int second = callsOf(0, 2);
    const int allocations = counters.liveAllocations();
    QCOMPARE(callsOf(0.25, 7), second); // other orders: the same recording
    QCOMPARE(callsOf(-1, 1), second);
    QCOMPARE(counters.liveAllocations(), allocations);
    QVERIFY(first > second);
    // Old labels to their place, orders, the replay between two events, its result, its time, the centroids;
    // and labels into tiles and out of them.
    QCOMPARE(second, variant(id)->info.tileSize ? 10 : 8);
  }

  void afterAFailureTheStateIsThatBefore_data() { everyPlan(); }
  void afterAFailureTheStateIsThatBefore() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    FaultyDevice device(std::move(found.device));
    const HostProblem host = makeProblem(PointKind::uniform, {1501, 2, 7});
    const Plan plan = planOf(variant(id));
    Rig singles(device, host, plan);
    singles.single();
    const std::vector<Label> labels = singles.labels();
    const std::vector<float> centroids = singles.clustering().state().centroids;
    singles.single();
    singles.single();
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
      Rig repeated(device, host, plan);
      repeated.single();
      device.plan({.call = failures + 1, .code = outOfMemory});
      failed = false;
      try {
        repeated.until(-1, 2);
      } catch (const DeviceError&) {
        failed = true;
      }
      device.plan({});
      if (failed) {
        QCOMPARE(repeated.clustering().state().iterations, 1);
        QVERIFY(repeated.clustering().state().centroids == centroids);
        QVERIFY(repeated.labels() == labels);
        repeated.until(-1, 2);
      }
      QVERIFY(repeated.labels() == singles.labels());
      QVERIFY(repeated.clustering().state().centroids == singles.clustering().state().centroids);
    }
    QVERIFY(failures >= 12); // each call that the first replay makes
  }

  /// In the middle of a replay, with sums half made and iterations half counted.
  void aReplayThatWasCancelledDoesNotShow() {
    const Found found = findDevice(Backend::cpu);
    Variant fickle = *variant("cpu.v3");
    fickle.launchers[static_cast<std::size_t>(Backend::cpu)].fused = giveUp;
    const HostProblem host = makeProblem(PointKind::uniform, {1501, 2, 7});
    launchesLeft = 0; // never, as it only becomes less
    Rig singles(*found.device, host, planOf(variant("cpu.v3")));
    Rig repeated(*found.device, host, planOf(&fickle));
    repeated.until(-1, 1);
    singles.single();
    const std::vector<Label> labels = repeated.labels();
    launchesLeft = 3;
    QVERIFY_EXCEPTION_THROWN(repeated.until(-1, 5), Cancelled);
    QCOMPARE(repeated.clustering().state().iterations, 1);
    QVERIFY(repeated.labels() == labels);
    const IterationResult seen = repeated.until(-1, 4);
    IterationResult right;
    for (int i = 0; i < 4; ++i)
      right = singles.single();
    const std::string difference = differenceOf(seen, right);
    QVERIFY2(difference.empty(), difference.c_str());
    QVERIFY(repeated.labels() == singles.labels());
  }

  void cancellingIsAskedForBetweenReplays_data() { everyPlan(); }
  void cancellingIsAskedForBetweenReplays() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const HostProblem host = makeProblem(PointKind::uniform, {1501, 2, 7});
    Rig rig(*found.device, host, planOf(variant(id)));
    rig.until(-1, 2);
    const std::atomic<bool> cancel = true;
    found.device->setCancel(&cancel);
    QVERIFY_EXCEPTION_THROWN(rig.until(-1, 2), Cancelled);
    found.device->setCancel(nullptr);
    QCOMPARE(rig.clustering().state().iterations, 2);
    QCOMPARE(rig.until(-1, 2).iteration, 4);
  }

  void whatCannotBeRepeatedIsRefused() {
    const Found found = findDevice(Backend::cpu);
    const HostProblem host = makeProblem(PointKind::uniform, {100, 2, 3});
    Rig rig(*found.device, host, planOf(variant("cpu.v3")));
    QVERIFY_EXCEPTION_THROWN(rig.until(0, 0), std::invalid_argument);
    Plan none = planOf(variant("cpu.v3"));
    none.schedule = nullptr;
    Rig without(*found.device, host, none);
    QVERIFY_EXCEPTION_THROWN(without.until(0, 1), std::invalid_argument);
    // A card whose driver is too old for it, and a problem that no fused variant takes.
    DeviceInfo info = findDevice(Backend::simt).device->info();
    const Variant& graph = *variant("schedule.graph");
    QVERIFY(!graph.whyNot(Stage::iterate, host.problem, info, {}));
    const auto wide = graph.whyNot(Stage::iterate, {100, 17, 3}, info, {});
    QVERIFY(wide && wide->find("17 dimensions") != std::string::npos);
    info.repeats = false;
    const auto old = graph.whyNot(Stage::iterate, host.problem, info, {});
    QVERIFY(old && old->find("12.4") != std::string::npos);
  }

  void aPlanWithAScheduleHasAFusedVariant_data() {
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
  }
  void aPlanWithAScheduleHasAFusedVariant() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const DeviceInfo& info = found.device->info();
    const Problem problem{1000, 2, 16};
    Selection selection;
    const Plan usual = makePlan(selection, problem, info);
    QVERIFY(!usual.schedule);
    selection.schedule = "schedule.graph";
    const Plan plan = makePlan(selection, problem, info);
    QVERIFY(plan.schedule && plan.fused && !plan.classify && !plan.reduce);
    QCOMPARE(plan.of(Stage::iterate), plan.schedule);
    selection.classify = "classify.v1";
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(makePlan(selection, problem, info)), RequestError);
    selection.classify.clear();
    selection.schedule = "schedule.nothing";
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(makePlan(selection, problem, info)), RequestError);
  }
};

QTEST_GUILESS_MAIN(TestScheduleEnds)
#include "tst_schedule_ends.moc"
