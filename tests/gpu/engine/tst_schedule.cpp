// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/engine/schedule_rig.hpp"

#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

/// Iterations that the device repeats are, bit for bit, those that are launched one by one.
class TestSchedule : public QObject {
  Q_OBJECT

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
  static QByteArray describe(const HostProblem& host, const std::string& what) {
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
        QVERIFY2(difference.empty(), describe(host, difference).constData());
        QVERIFY2(repeated.labels() == singles.labels(), describe(host, "labels").constData());
        QCOMPARE(repeated.clustering().state().iterations, singles.clustering().state().iterations);
        QVERIFY(repeated.clustering().state().centroids == singles.clustering().state().centroids);
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
    loop.start(host.centroids, {.tolerance = -1, .most = most, .fresh = 1});
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
    QCOMPARE(mixed.clustering().state().iterations, 8 + many);
    // What has converged stays so: one iteration finds that out.
    QCOMPARE(compare(mixed.until(0, farAway), 1), std::string());
  }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
