// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/registry.hpp"
#include "gpu/core/request_error.hpp"
#include "gpu/engine/clustering.hpp"
#include "tests/kernels/fused_problem.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

#include <QTest>

#include <functional>
#include <stdexcept>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr int outOfMemory = 2;
constexpr int farAway = 1000; ///< more iterations than any of these problems needs

const Variant* variant(const QString& id) { return Registry::instance().find(id.toStdString()); }

Plan planOf(const Variant* fused) {
  Plan plan;
  plan.fused = fused;
  plan.update = variant("update.v1");
  plan.schedule = variant("schedule.graph");
  return plan;
}

/// A clustering with its points, and the labels that a person would see.
class Rig {
public:
  Rig(Device& device, const HostProblem& host, const Plan& plan)
      : device_(device), host_(host), plan_(plan),
        points_(device, host.problem.n, host.problem.d, host.points.data(), false),
        clustering_(device, host.problem) {
    clustering_.setCentroids(host.centroids);
  }

  IterationResult single() {
    return step([&](const PointMemory& memory) { return clustering_.iterate(plan_, memory, false); });
  }
  IterationResult until(double tolerance, int most, bool flip = true) {
    return step(
        [&](const PointMemory& memory) { return clustering_.iterateUntil(plan_, memory, tolerance, most); },
        flip);
  }
  /// As after a look at other labels: the old ones are found once more, elsewhere.
  IterationResult untilAfterALook(double tolerance, int most) {
    return step([&](const PointMemory& memory) {
      clustering_.recoverOldLabels(plan_, memory);
      return clustering_.iterateUntil(plan_, memory, tolerance, most);
    });
  }
  /// Single ones as a run has them: the number is that of the last.
  IterationResult singlesUntil(double tolerance, int most) {
    IterationResult result;
    for (int i = 0; i < most; ++i) {
      result = single();
      if (!result.anyChanged || (tolerance > 0 && result.shift <= tolerance)) break;
    }
    return result;
  }
  [[nodiscard]] std::vector<Label> labels() const {
    std::vector<Label> labels(host_.problem.n);
    downloadLabels(device_, points_.frontLabels(), labels);
    return labels;
  }
  [[nodiscard]] const Clustering& clustering() const { return clustering_; }

private:
  template <class Work>
  IterationResult step(const Work& work, bool flip = true) {
    Mapping mapping(points_);
    PointMemory memory = mapping.memory();
    memory.box = boxOf(host_.points.data(), host_.problem.n, host_.problem.d);
    IterationResult result = work(memory);
    if (flip) mapping.flip();
    return result;
  }

  Device& device_;
  const HostProblem& host_;
  Plan plan_;
  DevicePoints points_;
  Clustering clustering_;
};

/// The first difference between two states, or nothing.
std::string differenceOf(const IterationResult& found, const IterationResult& right) {
  if (found.iteration != right.iteration)
    return "iteration " + std::to_string(found.iteration) + ", not " + std::to_string(right.iteration);
  if (found.changed != right.changed || found.anyChanged != right.anyChanged) return "changes";
  if (found.shift != right.shift) return "shift";
  if (found.emptyClusters != right.emptyClusters) return "empty clusters";
  if (found.usedCentroids != right.usedCentroids) return "used centroids";
  if (found.centroids != right.centroids) return "centroids";
  if (found.sizes != right.sizes) return "sizes";
  return {};
}

/// A copy of cpu.v3 that gives up at its n-th launch from now.
int launchesLeft = 0;
void giveUp(const FusedArgs& args, LaunchContext& context) {
  variant("cpu.v3")->on(Backend::cpu).fused(args, context);
  if (--launchesLeft == 0) throw Cancelled();
}

} // namespace

/// Iterations that the device repeats are, bit for bit, those that are launched one by one.
class TestSchedule : public QObject {
  Q_OBJECT

  /// Rows: every fused variant on every device that has it, with some problems that it takes.
  static void everyPlan() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("backend");
    for (const Variant* fused : Registry::instance().all())
      for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
        if (fused->on(backend).has(Stage::fused))
          QTest::addRow("%s on %s", fused->id().c_str(), name(backend).data())
              << QString::fromStdString(fused->id()) << static_cast<int>(backend);
  }
  static std::vector<HostProblem> problemsFor(const Variant& fused, const DeviceInfo& device) {
    std::vector<HostProblem> all;
    for (const auto& [kind, problem] : {std::pair(PointKind::uniform, Problem{1501, 2, 7}),
                                        {PointKind::lattice, {515, 1, 16}},
                                        {PointKind::nineInTen, {777, 3, 60}},
                                        {PointKind::oneCluster, {301, 3, 5}},
                                        {PointKind::uniform, {600, 2, 300}},
                                        {PointKind::uniform, {3, 1, 3}}})
      if (!fused.whyNot(Stage::fused, problem, device, {})) all.push_back(makeProblem(kind, problem));
    // Enough for many blocks, which wait for one another, and for several tiles a warp.
    if (device.backend == Backend::cuda)
      for (const int d : {1, 2, 3})
        all.push_back(makeProblem(PointKind::uniform, {(std::size_t{1} << 21) - 3, d, 16}));
    return all;
  }
  static QByteArray inWords(const HostProblem& host, const std::string& what) {
    return QStringLiteral("n %1, d %2, k %3: %4")
        .arg(host.problem.n)
        .arg(host.problem.d)
        .arg(host.problem.k)
        .arg(QString::fromStdString(what))
        .toUtf8();
  }

  static void compareWithSingles(Device& device, const Plan& plan) {
    for (const HostProblem& host : problemsFor(*plan.fused, device.info())) {
      for (const int most : {1, 2, 5, farAway}) {
        Rig singles(device, host, plan);
        Rig repeated(device, host, plan);
        const IterationResult right = singles.singlesUntil(0, most);
        const IterationResult seen = repeated.until(0, most);
        const std::string difference = differenceOf(seen, right);
        QVERIFY2(difference.empty(), inWords(host, difference).constData());
        QVERIFY2(repeated.labels() == singles.labels(), inWords(host, "labels").constData());
        QCOMPARE(repeated.clustering().iterations(), singles.clustering().iterations());
        QVERIFY(repeated.clustering().centroids() == singles.clustering().centroids());
        QVERIFY(right.iteration < farAway && seen.times[Stage::iterate].has_value());
      }
    }
  }

private slots:
  void nothingDiffersFromSingleIterations_data() { everyPlan(); }
  void nothingDiffersFromSingleIterations() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    compareWithSingles(*found.device, planOf(variant(id)));
  }

  void passesOverTilesAreRepeatedToo_data() {
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
  }
  /// Few tiles are repeated by a kernel of their own; many are as these: by the pass, with tiles' labels in
  /// place.
  void passesOverTilesAreRepeatedToo() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Variant passes = *variant("fused.v3");
    QVERIFY(passes.info.repeatsItself({std::size_t{1} << 20, 2, 16}, passes.complete({})));
    QVERIFY(!passes.info.repeatsItself({std::size_t{1} << 27, 2, 16}, passes.complete({})));
    passes.info.repeatsItself = nullptr;
    compareWithSingles(*found.device, planOf(&passes));
  }

  void aProfilerSeesPlainLaunches_data() { everyPlan(); }
  /// What a graph would repeat, launched without one: an iteration, or of a variant that repeats itself as
  /// many as were asked for.
  void aProfilerSeesPlainLaunches() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Plan plan = planOf(variant(id));
    const HostProblem host = makeProblem(PointKind::uniform, {5003, 2, 7});
    const Tuning tuning = plan.fused->complete({});
    const bool repeatsItself =
        plan.fused->info.repeatsItself && plan.fused->info.repeatsItself(host.problem, tuning);
    const std::uint32_t most = repeatsItself ? 5 : 1;

    DevicePoints points(*found.device, host.problem.n, host.problem.d, host.points.data(), false);
    Mapping mapping(points);
    const PointMemory& memory = mapping.memory();
    const LabelSpan labels = memory.labelsOf(plan.fused->labelWidth(host.problem.k));
    found.device->fill(labels.data, 0, host.problem.n * bytesOf(labels.width));
    const Box box = boxOf(host.points.data(), host.problem.n, host.problem.d);
    IterationLoop loop(*found.device, {.schedule = plan.schedule,
                                       .fused = plan.fused,
                                       .tuning = tuning,
                                       .problem = host.problem,
                                       .points = {memory.positions, memory.stride, box},
                                       .labels = labels});
    loop.begin(host.centroids, {.tolerance = -1, .most = most, .fresh = 1});
    Rig singles(*found.device, host, plan);
    for (int launch = 0; launch < 2; ++launch) { // and on from there
      loop.launchOnce();
      IterationResult right;
      for (std::uint32_t i = 0; i < most; ++i)
        right = singles.single();
      const LoopState state = loop.read();
      QCOMPARE(state.outcome.iterations, most);
      QVERIFY(state.centroids == right.centroids && state.used == right.usedCentroids);
      QVERIFY(state.sizes == right.sizes);
    }
  }

  void aToleranceEndsIt_data() { everyPlan(); }
  void aToleranceEndsIt() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Plan plan = planOf(variant(id));
    const HostProblem host = makeProblem(PointKind::uniform, {1501, 2, 7});
    Rig shifts(*found.device, host, plan);
    const double third = [&] {
      shifts.single();
      shifts.single();
      return shifts.single().shift;
    }();
    QVERIFY(third > 0);
    // At it, just below it, and where the first iteration is enough.
    for (const double tolerance : {third, std::nextafter(third, 0.0), 1e6}) {
      Rig singles(*found.device, host, plan);
      Rig repeated(*found.device, host, plan);
      const IterationResult right = singles.singlesUntil(tolerance, farAway);
      const IterationResult seen = repeated.until(tolerance, farAway);
      const std::string difference = differenceOf(seen, right);
      QVERIFY2(difference.empty(), difference.c_str());
      QCOMPARE(right.iteration == 1, tolerance == 1e6);
    }
  }

  void oneCallGoesOnFromAnother_data() { everyPlan(); }
  /// By the same recording or a new one, by single iterations, and after a look that changed the labels.
  void oneCallGoesOnFromAnother() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Plan plan = planOf(variant(id));
    const HostProblem host = makeProblem(PointKind::uniform, {1501, 2, 7});
    Rig singles(*found.device, host, plan);
    Rig mixed(*found.device, host, plan);
    IterationResult right;
    const auto compare = [&](const IterationResult& seen, int more) {
      for (int i = 0; i < more; ++i)
        right = singles.single();
      return differenceOf(seen, right) + (mixed.labels() == singles.labels() ? "" : ", labels");
    };
    QCOMPARE(compare(mixed.until(-1, 2), 2), std::string());
    QCOMPARE(compare(mixed.until(-1, 1), 1), std::string());
    QCOMPARE(compare(mixed.single(), 1), std::string());
    QCOMPARE(compare(mixed.until(-1, 2), 2), std::string());
    QCOMPARE(compare(mixed.untilAfterALook(-1, 2), 2), std::string());
    // Converged or not, a tolerance below 0 goes on; and more than a replay does at once is done in several.
    const int many = Clustering::iterationsAtOnce + 3;
    QCOMPARE(compare(mixed.until(-1, many), many), std::string());
    QVERIFY(!right.anyChanged);
    QCOMPARE(mixed.clustering().iterations(), 8 + many);
    // What has converged stays so: one iteration finds that out.
    QCOMPARE(compare(mixed.until(0, farAway), 1), std::string());
  }

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
    const std::vector<float> centroids = singles.clustering().centroids();
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
        QCOMPARE(repeated.clustering().iterations(), 1);
        QVERIFY(repeated.clustering().centroids() == centroids);
        QVERIFY(repeated.labels() == labels);
        repeated.until(-1, 2);
      }
      QVERIFY(repeated.labels() == singles.labels());
      QVERIFY(repeated.clustering().centroids() == singles.clustering().centroids());
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
    QCOMPARE(repeated.clustering().iterations(), 1);
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
    QCOMPARE(rig.clustering().iterations(), 2);
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
    const auto wide = graph.whyNot(Stage::iterate, {100, 5, 3}, info, {});
    QVERIFY(wide && wide->find("5 dimensions") != std::string::npos);
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

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
