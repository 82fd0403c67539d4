// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <map>

using namespace lloyd;
using namespace lloyd::test;
using Order = simt::Schedule::Order;

namespace {

const Variant& v4() { return variantOf(QStringLiteral("fused.v4")); }

Tuning blockOf(int threads) {
  Tuning tuning;
  tuning.set("block", threads);
  return tuning;
}

/// Points and centroids between which eleven digits cannot tell, or no float can.
struct Hostile {
  const char* name;
  float (*point)(Draw& draw, std::size_t j);
  float (*centroid)(Draw& draw, std::size_t j);
};
float unit(Draw& draw) { return static_cast<float>(draw.unit()); }
constexpr std::array<Hostile, 7> hostiles{{
    {"near ties", [](Draw& draw, std::size_t) { return 1 + 1e-5f * unit(draw); },
     [](Draw& draw, std::size_t) { return 1 + 1e-5f * unit(draw); }},
    {"far away and near each other", [](Draw& draw, std::size_t) { return 1e6f + unit(draw); },
     [](Draw& draw, std::size_t j) { return j == 0 ? 1e6f : 1e6f + unit(draw); }},
    {"huge beside small",
     [](Draw& draw, std::size_t) { return draw.below(4) == 0 ? 3e5f * unit(draw) : unit(draw); },
     [](Draw& draw, std::size_t) { return draw.below(3) == 0 ? 3e5f * unit(draw) : unit(draw); }},
    {"squares overflow",
     [](Draw& draw, std::size_t) { return draw.below(8) == 0 ? 3e19f * unit(draw) : unit(draw); },
     [](Draw& draw, std::size_t) { return draw.below(4) == 0 ? 2e19f * unit(draw) : unit(draw); }},
    {"squares are denormal", [](Draw& draw, std::size_t) { return 1e-20f * unit(draw); },
     [](Draw& draw, std::size_t) { return 1e-20f * unit(draw); }},
    {"denormal", [](Draw& draw, std::size_t) { return 1e-41f * unit(draw); },
     [](Draw& draw, std::size_t) { return 1e-41f * unit(draw); }},
    {"all the same", [](Draw&, std::size_t) { return 0.3f; }, [](Draw&, std::size_t) { return 0.3f; }},
}};

HostProblem hostileProblem(const Hostile& hostile, const Problem& problem) {
  HostProblem made{.problem = problem, .points = {}, .centroids = {}, .oldLabels = {}, .labels = {}};
  Draw draw(problem.n + static_cast<std::uint64_t>(problem.k));
  for (int c = 0; c < problem.k; ++c)
    for (std::size_t j = 0; j < made.d(); ++j)
      made.centroids.push_back(hostile.centroid(draw, j));
  for (std::size_t j = 0; j < made.d(); ++j)
    for (std::size_t i = 0; i < problem.n; ++i)
      made.points.push_back(hostile.point(draw, j));
  relabel(made);
  made.oldLabels.assign(problem.n, 0);
  return made;
}

} // namespace

/// fused.v4, which takes more coordinates than the other fused variants: labels to the last bit, counts,
/// changes, sums.
class TestFusedCoordinates : public QObject {
  Q_OBJECT

  std::map<Backend, Found> devices_;

  const Found& deviceOf(int backend) {
    const auto key = static_cast<Backend>(backend);
    const auto known = devices_.find(key);
    return known != devices_.end() ? known->second : devices_.emplace(key, findDevice(key)).first->second;
  }
  static void everyDevice() {
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      if (v4().runsOn(backend)) QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
  }
  static QString describe(const Problem& problem) {
    return QStringLiteral("n %1, d %2, k %3: ").arg(problem.n).arg(problem.d).arg(problem.k);
  }

private slots:
  void labelsCountsAndSumsAreRight_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("kind");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (std::size_t kind = 0; kind < pointKindNames.size(); ++kind)
        if (v4().runsOn(backend))
          QTest::addRow("%s, %s", name(backend).data(), pointKindNames[kind])
              << static_cast<int>(backend) << static_cast<int>(kind);
  }
  void labelsCountsAndSumsAreRight() {
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found& found = deviceOf(backend);
    if (!found.device) QSKIP(found.why.c_str());
    // Every number of dimensions, and numbers of clusters around those that there are kernels for.
    const std::array<Problem, 14> problems{{{1, 4, 1},
                                            {31, 5, 2},
                                            {32, 6, 16},
                                            {33, 7, 15},
                                            {64, 8, 17},
                                            {65, 8, 16},
                                            {1023, 8, 64},
                                            {127, 9, 16},
                                            {1000, 10, 33},
                                            {515, 11, 32},
                                            {97, 12, 3},
                                            {700, 13, 63},
                                            {300, 15, 31},
                                            {2049, 16, 64}}};
    for (std::size_t at = 0; at < problems.size(); ++at) {
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), problems[at]);
      FusedBench bench(*found.device, host, v4());
      const bool isExact = static_cast<PointKind>(kind) == PointKind::lattice;
      const int block = std::array{128, 256, 512}[(at + static_cast<std::size_t>(kind)) % 3];
      const std::string defect = defectOf(host, bench.run(blockOf(block)), isExact ? 0 : allowedOf(host));
      QVERIFY2(defect.empty(), qPrintable(describe(problems[at]) + QString::fromStdString(defect)));
    }
  }

  void whereScoresCannotTellDistancesDo_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("scene");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (std::size_t scene = 0; scene < hostiles.size(); ++scene)
        if (v4().runsOn(backend))
          QTest::addRow("%s, %s", name(backend).data(), hostiles[scene].name)
              << static_cast<int>(backend) << static_cast<int>(scene);
  }
  void whereScoresCannotTellDistancesDo() {
    QFETCH(int, backend);
    QFETCH(int, scene);
    const Found& found = deviceOf(backend);
    if (!found.device) QSKIP(found.why.c_str());
    for (const Problem& problem : {Problem{600, 4, 9}, Problem{600, 8, 16}, Problem{301, 16, 64}}) {
      const HostProblem host = hostileProblem(hostiles[static_cast<std::size_t>(scene)], problem);
      FusedBench bench(*found.device, host, v4());
      // Sums of huge values are not the question here.
      const std::string defect = defectOf(host, bench.run(), 1e30);
      QVERIFY2(defect.empty(), qPrintable(describe(problem) + QString::fromStdString(defect)));
    }
  }

  void itCountsThePointsThatNeededDistances_data() { everyDevice(); }
  /// Points beside their centroids need none; those in the middle between two do.
  void itCountsThePointsThatNeededDistances() {
    QFETCH(int, backend);
    const Found& found = deviceOf(backend);
    if (!found.device) QSKIP(found.why.c_str());
    constexpr std::size_t n = 1000;
    for (const int d : {8, 16}) {
      HostProblem host{.problem = {n, d, 2}, .points = {}, .centroids = {}, .oldLabels = {}, .labels = {}};
      host.centroids.assign(host.d(), -1);
      host.centroids.insert(host.centroids.end(), host.d(), 1);
      for (std::size_t j = 0; j < host.d(); ++j)
        for (std::size_t i = 0; i < n; ++i)
          host.points.push_back(i % 4 == 0 ? 0 : i % 2 == 0 ? 0.9f : -0.9f);
      relabel(host);
      host.oldLabels.assign(n, 0);
      FusedBench bench(*found.device, host, v4());
      Buffer<std::uint32_t> rechecked(*found.device, 1);
      rechecked.fill(0);
      FusedArgs args = bench.args();
      args.rechecked = rechecked.data();
      run(*found.device, v4(), args);
      const std::string defect = defectOf(host, bench.result(), 1e-6);
      QVERIFY2(defect.empty(), defect.c_str());
      QCOMPARE(rechecked.download().front(), n / 4);
    }
  }

  void slotsAreEmptiedOnTheWay_data() { everyDevice(); }
  /// More turns of a warp than its slots take in float, with sums that have no rounding: with few clusters it
  /// takes 64 points a turn, with more 32.
  void slotsAreEmptiedOnTheWay() {
    QFETCH(int, backend);
    const Found& found = deviceOf(backend);
    if (!found.device) QSKIP(found.why.c_str());
    for (const Problem& problem : {Problem{70001, 4, 3}, Problem{35003, 9, 3}}) {
      const HostProblem host = makeProblem(PointKind::lattice, problem);
      FusedBench bench(*found.device, host, v4());
      const FusedResult result = bench.runWith(blockOf(128), [](LaunchContext& context) {
        context.multiprocessors = 1;
        context.sharedBytesPerBlock = std::size_t{48} * 1024;
      });
      const std::string defect = defectOf(host, result, 0);
      QVERIFY2(defect.empty(), qPrintable(describe(problem) + QString::fromStdString(defect)));
    }
  }

  void labelsMayBeReplacedInPlace_data() { everyDevice(); }
  void labelsMayBeReplacedInPlace() {
    QFETCH(int, backend);
    const Found& found = deviceOf(backend);
    if (!found.device) QSKIP(found.why.c_str());
    const HostProblem host = makeProblem(PointKind::uniform, {3001, 8, 16});
    FusedBench bench(*found.device, host, v4());
    FusedArgs args = bench.args(blockOf(128));
    found.device->copy(args.labels.data, args.oldLabels.data, host.problem.n);
    args.oldLabels = args.labels;
    run(*found.device, v4(), args);
    const std::string defect = defectOf(host, bench.result(), allowedOf(host));
    QVERIFY2(defect.empty(), defect.c_str());
  }

  void repeatedRunsGiveTheSameBits_data() { everyDevice(); }
  /// A card may have another order of blocks every time.
  void repeatedRunsGiveTheSameBits() {
    QFETCH(int, backend);
    const Found& found = deviceOf(backend);
    if (!found.device) QSKIP(found.why.c_str());
    for (const Problem& problem : {Problem{30001, 8, 16}, Problem{9001, 16, 60}}) {
      const HostProblem host = makeProblem(PointKind::uniform, problem);
      FusedBench bench(*found.device, host, v4());
      const FusedResult first = bench.run(blockOf(128));
      for (int run = 0; run < (static_cast<Backend>(backend) == Backend::cuda ? 100 : 2); ++run)
        QVERIFY(bench.run(blockOf(128)) == first);
    }
  }

  void noScheduleShows() {
    const auto device = simt::createSimtDevice();
    for (const Problem& problem : {Problem{1501, 8, 16}, Problem{701, 16, 60}}) {
      const HostProblem host = makeProblem(PointKind::uniform, problem);
      FusedBench bench(*device, host, v4());
      device->setSchedule({});
      const FusedResult first = bench.run(blockOf(128));
      const std::string defect = defectOf(host, first, allowedOf(host));
      QVERIFY2(defect.empty(), qPrintable(describe(problem) + QString::fromStdString(defect)));
      for (const simt::Schedule& schedule : {simt::Schedule{Order::forward}, simt::Schedule{Order::reverse},
                                             simt::Schedule{Order::seeded, 3}}) {
        device->setSchedule(schedule);
        device->startRecording();
        const FusedResult result = bench.run(blockOf(128));
        const simt::Trace trace = device->stopRecording();
        QVERIFY(result == first);
        QVERIFY(trace.races == 0 && trace.faults.empty());
      }
    }
  }

  void itSaysWhatItDoesNotTake() {
    const auto device = simt::createSimtDevice();
    const auto reason = [&](const Problem& problem) {
      return QString::fromStdString(v4().whyNot(Stage::fused, problem, device->info(), {}).value_or(""));
    };
    QCOMPARE(reason({100, 3, 4}),
             QStringLiteral("fused.v4 takes 4 to 16 dimensions, the data has 3: fused.v1 takes fewer"));
    QCOMPARE(
        reason({100, 17, 4}),
        QStringLiteral("fused.v4 takes 4 to 16 dimensions, the data has 17: classify.general takes any"));
    QCOMPARE(reason({100, 8, 65}),
             QStringLiteral(
                 "fused.v4 takes up to 64 clusters, and there are 65: classify.general takes any number"));
    for (const Problem& problem : {Problem{100, 4, 1}, Problem{100, 8, 64}, Problem{100, 16, 16}})
      QCOMPARE(reason(problem), QString());
    DeviceInfo old = device->info();
    old.backend = Backend::cuda;
    old.computeCapability = "7.5";
    QVERIFY(!v4().runsOn(Backend::cuda) ||
            v4().whyNot(Stage::fused, {100, 8, 16}, old, {})->find("compute capability 8.0") !=
                std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestFusedCoordinates)
#include "tst_fused_coordinates.moc"
