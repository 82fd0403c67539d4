// SPDX-License-Identifier: GPL-3.0-or-later
// Points that go through a device in batches give what they give when it holds them all, to the last bit, in
// every order of turns; and nothing is left behind when something fails.
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/streamed/streamed_clustering.hpp"
#include "gpu/engine/streamed/streamed_seeding.hpp"
#include "tests/gpu/engine/schedule_rig.hpp"
#include "tests/gpu/simt/queue/planted.hpp"
#include "tests/support/counting_device.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/pairwise.hpp"

#include <atomic>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::array<int, 3> clusterCounts{1, 16, 60};

/// "fused.v3", or "cpu.v2+cpu.v2".
Plan planFor(const QString& ids) {
  Plan plan;
  plan.update = variant("update.v1");
  const QStringList parts = ids.split(QLatin1Char('+'));
  if (parts.size() == 1) {
    plan.fused = variant(ids);
  } else {
    plan.classify = variant(parts[0]);
    plan.reduce = variant(parts[1]);
  }
  return plan;
}

std::unique_ptr<HostPoints> sourceOf(const HostProblem& host) {
  return std::make_unique<HostPoints>(host.points.data(), host.problem.n, host.problem.d,
                                      boxOf(host.points.data(), host.problem.n, host.problem.d));
}

/// What is wrong with some iterations in batches, against those of points that are all there; or nothing.
std::string wrongOf(Device& device, const HostProblem& host, const Plan& plan, const StreamOptions& options,
                    int iterations = 3) {
  const auto source = sourceOf(host);
  StreamedClustering streamed(device, host.problem, *source, plan, options);
  streamed.restore({.centroids = host.centroids});
  const Found found = findDevice(device.backend());
  Rig rig(*found.device, host, plan);
  std::vector<Label> labels(host.problem.n);
  for (int i = 0; i < iterations; ++i) {
    const IterationResult right = rig.single();
    const Clustering::State before = streamed.state();
    const std::vector<float> labelled = before.centroids;
    const IterationResult result = streamed.advance(true);
    if (const std::string wrong = differenceOf(result, right); !wrong.empty())
      return "iteration " + std::to_string(i + 1) + ": " + wrong;
    const Clustering::State after = streamed.state();
    streamed.restore({.centroids = labelled});
    const IterationResult finished = streamed.finish(labels);
    if (finished.sizes != right.sizes) return "sizes of the labels";
    if (labels != rig.labels()) return "labels";
    if (std::abs(*finished.inertia - *result.inertia) > 1e-12 * *result.inertia) return "inertia";
    streamed.restore(after);
  }
  device.synchronize(); // for reports
  return {};
}

} // namespace

class TestStreamedClustering : public QObject {
  Q_OBJECT

private slots:
  void cleanup() { qunsetenv("LLOYD_MEMORY_LIMIT"); }

  void batchesFindTheSame_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<QString>("ids");
    for (const char* ids : {"cpu.v3", "cpu.v4", "cpu.v2+cpu.v2", "cpu.v1+cpu.v1", "cpu.v1+cpu.v2"})
      QTest::addRow("%s on cpu", ids) << static_cast<int>(Backend::cpu) << QString::fromLatin1(ids);
    for (const Backend backend : {Backend::simt, Backend::cuda})
      QTest::addRow("fused.v3 on %s", name(backend).data())
          << static_cast<int>(backend) << QStringLiteral("fused.v3");
  }
  void batchesFindTheSame() {
    QFETCH(int, backend);
    QFETCH(QString, ids);
    const bool slow = static_cast<Backend>(backend) == Backend::simt;
    const std::array<std::size_t, 4> points{0, 1, 1000, slow ? 9000u : 100003u};
    const std::array<std::size_t, 4> batches{1, 700, 5000, 40000};
    const std::array<std::size_t, 5> levels{points.size(), 3, clusterCounts.size(), batches.size(), 8};
    for (const Row& row : pairwise(levels)) {
      const Found found = findDevice(static_cast<Backend>(backend));
      if (!found.device) QSKIP(found.why.c_str());
      const Problem problem{points[row[0]], static_cast<int>(row[1]) + 1, clusterCounts[row[2]]};
      const StreamOptions options{
          .batchPoints = batches[row[3]], .atOnce = row[4] % 4 + 1, .pinned = row[4] >= 4};
      if (problem.n / options.batchPoints > 1000) continue; // as many batches as points
      if (ids == QLatin1String("cpu.v4") && problem.d < 2) continue;
      const HostProblem host = makeProblem(static_cast<PointKind>(row[4]), problem);
      const std::string wrong = wrongOf(*found.device, host, planFor(ids), options);
      QVERIFY2(wrong.empty(),
               qPrintable(QStringLiteral("n %1, d %2, k %3, batches of %4, %5 slots, %6, %7: %8")
                              .arg(problem.n)
                              .arg(problem.d)
                              .arg(problem.k)
                              .arg(options.batchPoints)
                              .arg(options.atOnce)
                              .arg(*options.pinned ? "pinned" : "not pinned")
                              .arg(pointKindNames[row[4]])
                              .arg(QString::fromStdString(wrong))));
    }
  }

  /// Of points that are kept in order, an iteration brings those of tiles that several clusters share.
  void onlySharedTilesAreBrought_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("most"); // of the points' bytes
    QTest::newRow("line") << 1 << 0.05;
    QTest::newRow("plane") << 2 << 0.35;
    QTest::newRow("space") << 3 << 0.8;
  }
  void onlySharedTilesAreBrought() {
    QFETCH(int, d);
    QFETCH(double, most);
    const auto device = simt::createSimtDevice();
    const HostProblem host = makeProblem(PointKind::uniform, {60001, d, 5});
    const auto source = sourceOf(host);
    Plan plan = planFor("fused.v3");
    plan.tuning.items = 128;
    StreamedClustering streamed(*device, host.problem, *source, plan,
                                {.batchPoints = 10000, .atOnce = 2, .pinned = true});
    QVERIFY(streamed.facts().onlyShared);
    streamed.restore({.centroids = host.centroids});
    const auto other = simt::createSimtDevice();
    Rig rig(*other, host, plan);
    std::uint64_t before = 0;
    for (int i = 0; i < 5; ++i) {
      QCOMPARE(differenceOf(streamed.advance(true), rig.single()), std::string());
      const auto bytes = static_cast<double>(streamed.facts().bytesUp - before);
      before = streamed.facts().bytesUp;
      const double share = bytes / static_cast<double>(host.points.size() * sizeof(float));
      QVERIFY2(share < most, qPrintable(QString::number(share)));
    }
    // Those of a state that is gone back to are found once more; so are sums that nobody asked labels of.
    Clustering::State second = streamed.state();
    const IterationResult third = streamed.advance(true);
    streamed.advance(false);
    streamed.restore(second);
    QCOMPARE(differenceOf(streamed.advance(false), third), std::string());
    std::vector<Label> labels(host.problem.n);
    const double inertia = *streamed.finish({}).inertia;
    QVERIFY(std::abs(*streamed.finish(labels).inertia - inertia) < 1e-12 * inertia);
  }

  void everyOrderOfTurnsIsRight() {
    for (const char* ids :
         {"fused.v3", "classify.v6+reduce.v7", "classify.aos+reduce.general", "distance.v6+reduce.sorted"})
      for (const bool pinned : {false, true})
        for (const simt::Schedule& order : allOrders()) {
          const auto device = simt::createSimtDevice();
          device->setSchedule(order);
          const HostProblem host = makeProblem(PointKind::uniform, {700, 2, 3});
          const auto source = sourceOf(host);
          const Plan plan = planFor(QString::fromLatin1(ids));
          QCOMPARE(reportOf(*device,
                            [&] {
                              StreamedClustering streamed(
                                  *device, host.problem, *source, plan,
                                  {.batchPoints = 128, .atOnce = 3, .pinned = pinned});
                              streamed.restore({.centroids = host.centroids});
                              std::vector<Label> labels(host.problem.n);
                              streamed.advance(true);
                              streamed.advance(true);
                              streamed.restore({.centroids = host.centroids});
                              streamed.finish(labels);
                              QCOMPARE(labels, host.labels);
                            }),
                   QString());
        }
  }

  void memoryStaysBelowTheLimit_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<QString>("ids");
    QTest::addColumn<int>("d");
    for (int d = 1; d <= 3; ++d) {
      QTest::addRow("cpu.v2, d %d", d) << static_cast<int>(Backend::cpu) << "cpu.v2+cpu.v2" << d;
      QTest::addRow("fused.v3, d %d", d) << static_cast<int>(Backend::simt) << "fused.v3" << d;
    }
  }
  void memoryStaysBelowTheLimit() {
    QFETCH(int, backend);
    QFETCH(QString, ids);
    QFETCH(int, d);
    const HostProblem host = makeProblem(PointKind::uniform, {100003, d, 16});
    const std::size_t limit = host.points.size() * sizeof(float) / 4;
    qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(static_cast<qulonglong>(limit)));
    CountingDevice device(findDevice(static_cast<Backend>(backend)).device);
    qunsetenv("LLOYD_MEMORY_LIMIT");
    const auto source = sourceOf(host);
    const Plan plan = planFor(ids);
    StreamedClustering streamed(device, host.problem, *source, plan);
    streamed.restore({.centroids = host.centroids});
    const Found found = findDevice(static_cast<Backend>(backend));
    Rig rig(*found.device, host, plan);
    for (int i = 0; i < 2; ++i)
      QCOMPARE(differenceOf(streamed.advance(true), rig.single()), std::string());
    std::vector<Label> labels(host.problem.n);
    streamed.finish(labels);
    QVERIFY2(device.most() <= limit, qPrintable(QString::number(device.most())));
    QVERIFY2(device.most() > limit / 2, qPrintable(QString::number(device.most()))); // what there is, is used
    QVERIFY(streamed.facts().batches > 3);
    QVERIFY(streamed.facts().exact);
    QCOMPARE(streamed.facts().bytesUp, std::uint64_t{3} * host.points.size() * sizeof(float));
  }

  void everyCallFailsInTurn_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<QString>("ids");
    QTest::addColumn<bool>("pinned");
    for (const bool pinned : {false, true}) {
      const char* how = pinned ? "pinned" : "not pinned";
      QTest::addRow("cpu.v3, %s", how) << static_cast<int>(Backend::cpu) << "cpu.v3" << pinned;
      QTest::addRow("fused.v3, %s", how) << static_cast<int>(Backend::simt) << "fused.v3" << pinned;
      QTest::addRow("fused.v3 on a card, %s", how) << static_cast<int>(Backend::cuda) << "fused.v3" << pinned;
    }
  }
  void everyCallFailsInTurn() {
    QFETCH(int, backend);
    QFETCH(QString, ids);
    QFETCH(bool, pinned);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Plan plan = planFor(ids);
    const bool rows = ids == QLatin1String("cpu.v3");
    const HostProblem host = makeProblem(PointKind::uniform, {rows ? 40000u : 500u, 2, 3});
    const auto source = sourceOf(host);
    const StreamOptions options{.batchPoints = 128, .atOnce = 2, .pinned = pinned};
    FaultCounters counters;
    FaultyDevice device(std::move(found.device), {}, &counters);
    const Found other = findDevice(static_cast<Backend>(backend));
    Rig rig(*other.device, host, plan);
    const IterationResult first = rig.single();
    const IterationResult second = rig.single();
    // What fails in an iteration can be tried again with what is there; what fails before that leaves
    // nothing.
    const auto go = [&] {
      StreamedClustering streamed(device, host.problem, *source, plan, options);
      streamed.restore({.centroids = host.centroids});
      std::vector<Label> labels(host.problem.n);
      try {
        streamed.advance(true);
        streamed.advance(true);
        streamed.finish(labels);
      } catch (const DeviceError&) {
        device.plan({});
        if (streamed.state().iterations == 0)
          QCOMPARE(differenceOf(streamed.advance(true), first), std::string());
        if (streamed.state().iterations == 1)
          QCOMPARE(differenceOf(streamed.advance(true), second), std::string());
        streamed.finish(labels);
        throw;
      }
    };
    device.plan({});
    go();
    const int calls = counters.calls();
    for (int call = 1; call <= calls; ++call) {
      device.plan({.call = call, .code = 1});
      try {
        go();
        QFAIL("a call failed, and nobody said so");
      } catch (const DeviceError& error) {
        QVERIFY(QString::fromUtf8(error.meaning()).contains(QLatin1String("planned fault")));
      }
      QCOMPARE(counters.faults(), call);
      QCOMPARE(counters.liveAllocations(), 0);
      QCOMPARE(counters.liveEvents(), 0);
      QCOMPARE(counters.liveQueues(), 0);
      device.plan({});
      device.synchronize();
    }
  }

  void memoryThatCannotBePinnedIsDoneWithout() {
    FaultCounters counters;
    FaultyDevice device(createCpuDevice(), {}, &counters);
    const HostProblem host = makeProblem(PointKind::uniform, {5000, 2, 3});
    const auto source = sourceOf(host);
    const Plan plan = planFor("cpu.v2+cpu.v2");
    const StreamOptions options{.batchPoints = 1024, .pinned = true};
    constexpr int outOfMemory = 2;
    bool met = false;
    for (int call = 1; call < 60 && !met; ++call) {
      device.plan({.call = call, .code = outOfMemory});
      try {
        StreamedClustering streamed(device, host.problem, *source, plan, options);
        met = streamed.facts().kept == PointsKept::ordinary;
        device.plan({});
        streamed.restore({.centroids = host.centroids});
        if (met) streamed.advance(false);
      } catch (const DeviceError&) { // another call's turn
      }
    }
    QVERIFY(met);
  }

  void cancellingEndsBetweenBatches() {
    for (const char* ids : {"cpu.v2+cpu.v2", "fused.v3"}) {
      const bool simulated = ids == std::string_view("fused.v3");
      const Found found = findDevice(simulated ? Backend::simt : Backend::cpu);
      const HostProblem host = makeProblem(PointKind::uniform, {6000, 2, 3});
      const auto source = sourceOf(host);
      const Plan plan = planFor(QString::fromLatin1(ids));
      std::atomic<bool> cancel = false;
      found.device->setCancel(&cancel);
      StreamedClustering streamed(*found.device, host.problem, *source, plan, {.batchPoints = 1024}, &cancel);
      streamed.restore({.centroids = host.centroids});
      streamed.advance(true);
      std::size_t seen = 0;
      streamed.setProgress([&](std::size_t batch, std::size_t batches) {
        QCOMPARE(batches, streamed.facts().batches);
        seen = batch;
        if (batch == 3) cancel = true;
      });
      QVERIFY_EXCEPTION_THROWN(streamed.advance(true), Cancelled);
      QCOMPARE(seen, std::size_t{3});
      QCOMPARE(streamed.state().iterations, 1);
      cancel = false;
      const Found other = findDevice(found.device->backend());
      Rig rig(*other.device, host, plan);
      rig.single();
      streamed.setProgress({});
      QCOMPARE(differenceOf(streamed.advance(true), rig.single()), std::string());
    }
  }

  void seedingFindsTheSameCentres() {
    for (const int d : {1, 2, 3, 7}) {
      for (const std::size_t n : {std::size_t{20}, std::size_t{70001}}) {
        const auto device = createCpuDevice();
        const HostProblem host = makeProblem(PointKind::uniform, {n, d, 16});
        const auto source = sourceOf(host);
        DevicePoints points(*device, n, d, host.points.data(), false);
        const Mapping mapping(points);
        const PointReader read = [&](std::size_t i, float* out) { source->read(i, 1, out, 1); };
        for (const InitKind kind :
             {InitKind::kmeansPlusPlus, InitKind::random, InitKind::first, InitKind::bands})
          for (const std::uint64_t seed : {1u, 2u, 3u})
            QCOMPARE(seedStreamed(*device, host.problem, *source, {.kind = kind, .given = {}, .path = {}},
                                  seed, nullptr),
                     seedCentroids(*device, host.problem,
                                   {mapping.memory().positions, mapping.memory().stride}, read,
                                   {.kind = kind, .given = {}, .path = {}}, seed));
      }
    }
    std::atomic<bool> cancel = true;
    const HostProblem host = makeProblem(PointKind::uniform, {1000, 2, 3});
    QVERIFY_EXCEPTION_THROWN(
        static_cast<void>(seedStreamed(*createCpuDevice(), host.problem, *sourceOf(host), {}, 1, &cancel)),
        Cancelled);
  }

  void plansAreExactWhereTheyCanBe() {
    const auto cpu = createCpuDevice();
    const auto card = simt::createSimtDevice();
    const auto plan = [](const Device& device, const Problem& problem, const Selection& selection = {}) {
      return makeStreamedPlan(selection, problem, device.info());
    };
    QCOMPARE(plan(*cpu, {100000, 2, 16}).fused->id(), std::string("cpu.v3"));
    QVERIFY(batchRuleOf(plan(*cpu, {100000, 2, 16}), {100000, 2, 16}).exact);
    const Problem wide{10'000'000, 64, 1000};
    QCOMPARE(plan(*cpu, wide).reduce->id(), std::string("cpu.v2"));
    QCOMPARE(plan(*card, {100000, 3, 256}).fused->id(), std::string("fused.v3"));
    for (const Problem& problem : {Problem{100000, 4, 16}, Problem{100000, 2, 257}}) {
      const Plan rounded = plan(*card, problem);
      QVERIFY(!rounded.fused);
      QVERIFY(!batchRuleOf(rounded, problem).exact);
    }
  }

  void whatIsNotExactIsRefused() {
    const auto card = simt::createSimtDevice();
    const auto refused = [&](const Problem& problem, const Selection& selection, const char* word) {
      try {
        static_cast<void>(makeStreamedPlan(selection, problem, card->info()));
      } catch (const RequestError& error) {
        return std::string_view(error.what()).find(word) != std::string_view::npos;
      }
      return false;
    };
    QVERIFY(refused({1000, 2, 16}, {.fused = "fused.v1"}, "choose fused.v3"));
    QVERIFY(refused({1000, 2, 16}, {.reduce = "reduce.v7"}, "choose fused.v3"));
    QVERIFY(refused({1000, 2, 16}, {.schedule = "schedule.graph"}, "leave the schedule out"));
    QVERIFY(refused({1000, 2, 300}, {.fused = "fused.v1"}, "a classify and a reduce variant"));
    QVERIFY(!refused({1000, 2, 300}, {.reduce = "reduce.general"}, ""));
  }
};

QTEST_GUILESS_MAIN(TestStreamedClustering)
#include "tst_streamed_clustering.moc"
