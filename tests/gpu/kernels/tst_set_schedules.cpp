// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of sets find what single iterations find, to the last bit, in every order of turns, and leave
// nothing behind when something fails.
#include "gpu/core/contract/error.hpp"
#include "tests/gpu/kernels/set_rig.hpp"
#include "tests/gpu/simt/queue/planted.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/pairwise.hpp"

#include <algorithm>
#include <array>
#include <atomic>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::array<std::string_view, 6> ids{"schedule.sync",     "schedule.single",    "schedule.multi",
                                              "schedule.prefetch", "schedule.unordered", "schedule.batched"};
constexpr std::array<std::size_t, 4> setCounts{1, 3, 4, 7};
constexpr std::array<int, 4> streamCounts{1, 2, 4, 16};
constexpr std::array<int, 3> lates{0, 1, 5};
constexpr std::array<int, 3> clusterCounts{1, 16, 60};

/// On which backend, with which variants. On a card reduce.general adds floats by atomics in the order in
/// which warps come, so that no two runs of it need agree to the last bit. fused.v1 adds integers. reduce.v7
/// adds a block's floats in one order; the doubles of blocks come in any, which a centroid in float does not
/// show.
struct Made {
  Backend backend;
  std::string stages;
};
const std::vector<Made>& made() {
  static const std::vector<Made> all{{Backend::cpu, "cpu.v2+cpu.v2"},
                                     {Backend::cpu, "cpu.v3"},
                                     {Backend::simt, "fused.v1"},
                                     {Backend::simt, "classify.general+reduce.general"},
                                     {Backend::simt, "classify.aos+reduce.general"},
                                     {Backend::simt, "classify.general+reduce.sorted"},
                                     {Backend::cuda, "fused.v1"},
                                     {Backend::cuda, "classify.v6+reduce.v7"}};
  return all;
}

/// One run on a device; what is wrong with it, or nothing.
std::string wrongRun(Device& device, const std::string& stageIds, const Variant& schedule, std::size_t sets,
                     const Problem& problem, const SetParams& params, const simt::Schedule& order = {}) {
  const SetStages stages = stagesFor(schedule, device.backend(), stageIds);
  const std::vector<HostProblem> problems = problemsOf(sets, problem);
  std::vector<ClusteringSet> run = setsOf(device, problems);
  if (const auto why = whyNotSets(schedule, stages, problem, device.info(), params)) return *why;
  try {
    runSets(schedule, device, stages, run, params);
    device.synchronize(); // for reports
  } catch (const DeviceError& error) {
    return error.meaning();
  }
  for (std::size_t s = 0; s < sets; ++s)
    if (const std::string wrong =
            wrongOf(run[s], problems[s], stages, judgedBy(schedule, params), device.backend(), order);
        !wrong.empty())
      return "set " + std::to_string(s) + ": " + wrong;
  return {};
}

/// A sanitizer watches every access of every lane, which takes it some twenty times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr bool watched = true;
#else
constexpr bool watched = false;
#endif

/// All orders of turns, or three of them where every access is watched.
std::vector<simt::Schedule> someOrders() {
  std::vector<simt::Schedule> turns = allOrders();
  if (watched) turns.resize(std::min<std::size_t>(turns.size(), 3));
  return turns;
}

SetParams paramsFor(const Variant& schedule, int streams, int late, int most = 40) {
  return {.streams = schedule.parameter("streams") ? streams : 1, .late = late, .most = most};
}

} // namespace

class TestSetSchedules : public QObject {
  Q_OBJECT

private slots:
  void theBuildHasThemAll() {
    QCOMPARE(setSchedules().size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) { // in the order in which one leads to the next
      QCOMPARE(setSchedules()[i]->id(), std::string(ids[i]));
      const bool cuda = Registry::instance().find("fused.v1")->on(Backend::cuda).fused;
      for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
        QVERIFY(setSchedules()[i]->on(backend).sets || (backend == Backend::cuda && !cuda));
    }
  }

  void singleIterationsFindTheSame_data() {
    QTest::addColumn<int>("which");
    for (std::size_t i = 0; i < made().size(); ++i)
      QTest::addRow("%s on %s", made()[i].stages.c_str(), name(made()[i].backend).data())
          << static_cast<int>(i);
  }
  void singleIterationsFindTheSame() {
    QFETCH(int, which);
    const Made& what = made()[static_cast<std::size_t>(which)];
    const bool slow = what.backend == Backend::simt;
    const bool slowest = slow && watched;
    const std::size_t some = slow ? 130 : 1000;
    const std::size_t many = slow ? 1000 : 100003;
    const std::array<std::size_t, 4> points{0, 1, slowest ? 33 : some, slowest ? 65 : many};
    // Sixty clusters are as many as sixteen to a sanitizer.
    const std::array<std::size_t, 7> levels{ids.size(),
                                            setCounts.size(),
                                            streamCounts.size(),
                                            lates.size(),
                                            points.size(),
                                            3,
                                            clusterCounts.size() - (slowest ? 1 : 0)};
    for (const Row& row : pairwise(levels)) {
      const Found found = findDevice(what.backend);
      if (!found.device) QSKIP(found.why.c_str());
      const Variant& schedule = setSchedule(ids[row[0]]);
      const SetParams params = paramsFor(schedule, streamCounts[row[2]], lates[row[3]],
                                         slowest ? 4
                                         : slow  ? 8
                                                 : 20);
      const Problem problem{points[row[4]], static_cast<int>(row[5]) + 1, clusterCounts[row[6]]};
      const std::string wrong =
          wrongRun(*found.device, what.stages, schedule, setCounts[row[1]], problem, params);
      QVERIFY2(wrong.empty(),
               qPrintable(QStringLiteral("%1, %2 sets, %3 streams, late %4, n %5, d %6, k %7: %8")
                              .arg(QString::fromStdString(schedule.id()))
                              .arg(setCounts[row[1]])
                              .arg(params.streams)
                              .arg(params.late)
                              .arg(problem.n)
                              .arg(problem.d)
                              .arg(problem.k)
                              .arg(QString::fromStdString(wrong))));
    }
  }

  void everyOrderOfTurnsIsRight_data() {
    QTest::addColumn<QString>("id");
    for (const std::string_view id : ids)
      QTest::newRow(id.data()) << QString::fromUtf8(id.data());
  }
  void everyOrderOfTurnsIsRight() {
    QFETCH(QString, id);
    const Variant& schedule = setSchedule(id.toStdString());
    for (const char* stages : {"fused.v1", "classify.v6+reduce.v1"})
      for (const simt::Schedule& order : someOrders()) {
        const auto device = simt::createSimtDevice();
        device->setSchedule(order);
        const std::string wrong =
            wrongRun(*device, stages, schedule, 4, {60, 2, 3}, paramsFor(schedule, 3, 1, 12), order);
        QVERIFY2(wrong.empty(), wrong.c_str());
      }
  }

  void aLateLookIsSaid() {
    const auto device = createCpuDevice();
    const std::vector<HostProblem> problems = problemsOf(2, {500, 2, 4});
    const SetStages stages = stagesOf("cpu.v2+cpu.v2");
    for (const int late : {0, 5}) {
      std::vector<ClusteringSet> sets = setsOf(*device, problems);
      runSets(setSchedule("schedule.multi"), *device, stages, sets, {.streams = 2, .late = late});
      for (const ClusteringSet& set : sets) {
        QVERIFY(set.converged());
        QCOMPARE(set.iterations, set.needed + late);
      }
    }
    std::vector<ClusteringSet> sets = setsOf(*device, problems);
    runSets(setSchedule("schedule.multi"), *device, stages, sets, {.streams = 2, .late = 5, .most = 1});
    QVERIFY(!sets[0].converged());
    QCOMPARE(sets[0].iterations, 1);
  }

  void aRunCanBeRepeated() {
    for (const std::string_view id : ids) {
      const auto device = simt::createSimtDevice();
      const SetStages stages = stagesOf("fused.v1");
      const SetParams params = paramsFor(setSchedule(id), 2, 1);
      const std::vector<HostProblem> problems = problemsOf(3, {60, 2, 3});
      std::vector<ClusteringSet> sets = setsOf(*device, problems);
      const auto run = prepareSets(setSchedule(id), *device, stages, sets, params);
      std::atomic<bool> cancel = false;
      device->setCancel(&cancel);
      for (int time = 0; time < 4; ++time) {
        cancel = time == 2; // which the next one must not notice
        if (cancel) {
          QVERIFY_EXCEPTION_THROWN(run->run(), Cancelled);
          continue;
        }
        run->run();
        for (std::size_t s = 0; s < sets.size(); ++s)
          QCOMPARE(
              wrongOf(sets[s], problems[s], stages, judgedBy(setSchedule(id), params), Backend::simt, {}),
              std::string());
      }
      QCOMPARE(reportOf(*device, [] {}), QString());
    }
  }

  void noSetsAreDoneAtOnce() {
    for (const std::string_view id : ids) {
      const auto device = createCpuDevice();
      runSets(setSchedule(id), *device, stagesOf("cpu.v3"), {}, {});
    }
  }

  void whatCannotBeIsRefused() {
    const auto device = createCpuDevice();
    const SetStages stages = stagesOf("cpu.v3");
    const std::vector<HostProblem> problems = problemsOf(1, {10, 1, 2});
    std::vector<ClusteringSet> sets = setsOf(*device, problems);
    const auto refused = [&](std::string_view id, const SetParams& params, const char* word) {
      try {
        runSets(setSchedule(id), *device, stages, sets, params);
      } catch (const RequestError& error) {
        return std::string_view(error.what()).find(word) != std::string_view::npos;
      }
      return false;
    };
    QVERIFY(refused("schedule.multi", {.streams = 17}, "1 to 16"));
    QVERIFY(refused("schedule.single", {.streams = 2}, "has one queue"));
    QVERIFY(refused("schedule.sync", {.late = 33}, "0 to 32"));
    QVERIFY(refused("schedule.sync", {.late = -1}, "0 to 32"));
    QVERIFY(refused("schedule.sync", {.most = 0}, "at least one iteration"));
    const auto simulator = simt::createSimtDevice();
    const auto why =
        whyNotSets(setSchedule("schedule.multi"), stagesOf("fused.v3"), {10, 1, 2}, simulator->info(), {});
    QVERIFY(why && why->find("tiles") != std::string::npos);
    QVERIFY(whyNotSets(setSchedule("schedule.multi"), stagesOf("fused.v1"), {10, 1, 2}, device->info(), {}));
  }

  void everyCallFailsInTurn_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("backend");
    for (const std::string_view id : ids)
      for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
        QTest::newRow((std::string(id) + " on " + std::string(name(backend))).c_str())
            << QString::fromStdString(std::string(id)) << static_cast<int>(backend);
  }
  void everyCallFailsInTurn() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& schedule = setSchedule(id.toStdString());
    const char* stages = static_cast<Backend>(backend) == Backend::cpu ? "cpu.v3" : "fused.v1";
    const std::vector<HostProblem> problems = problemsOf(3, {40, 2, 3});
    const SetParams params = paramsFor(schedule, 2, 1, 3);
    FaultCounters counters;
    FaultyDevice device(std::move(found.device), {}, &counters);
    const auto go = [&] {
      std::vector<ClusteringSet> sets = setsOf(device, problems);
      runSets(schedule, device, stagesOf(stages), sets, params);
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
    QCOMPARE(QString::fromStdString(wrongRun(device, stages, schedule, 3, {40, 2, 3}, params)), QString());
  }

  /// Sets that share their points have them copied once, and find what they find alone.
  void setsMayShareTheirPoints() {
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda}) {
      const Found found = findDevice(backend);
      if (!found.device) continue;
      const HostProblem host = problemsOf(1, {600, 2, 4}).front();
      std::vector<HostProblem> problems(3, host);
      for (std::size_t s = 1; s < problems.size(); ++s)
        for (std::size_t v = 0; v < host.centroids.size(); ++v)
          problems[s].centroids[v] = host.points[(97 * s + 13 * v) % host.points.size()];
      for (const Variant* schedule : setSchedules()) {
        const SetStages stages =
            stagesFor(*schedule, backend, backend == Backend::cpu ? "cpu.v3" : "fused.v1");
        std::vector<ClusteringSet> sets;
        sets.emplace_back(*found.device, host.problem, host.points, host.centroids);
        for (std::size_t s = 1; s < problems.size(); ++s)
          sets.emplace_back(*found.device, sets.front(), problems[s].centroids);
        const SetParams params = paramsFor(*schedule, 2, 0, 6);
        runSets(*schedule, *found.device, stages, sets, params);
        for (std::size_t s = 0; s < sets.size(); ++s)
          QCOMPARE(wrongOf(sets[s], problems[s], stages, params, backend, {}), std::string());
      }
    }
  }

  void setsOfOtherSizesAreRefusedWhereTheyCannotBe() {
    const auto device = simt::createSimtDevice();
    const std::vector<HostProblem> problems{problemsOf(1, {50, 2, 3}).front(),
                                            problemsOf(1, {60, 2, 3}).front()};
    std::vector<ClusteringSet> sets = setsOf(*device, problems);
    try {
      runSets(setSchedule("schedule.batched"), *device, stagesOf("fused.v1"), sets, {});
      QFAIL("sets of two sizes ran");
    } catch (const RequestError& error) {
      QVERIFY(std::string_view(error.what()).find("one size") != std::string_view::npos);
    }
    const auto why = whyNotSets(setSchedule("schedule.batched"), stagesOf("classify.v6+reduce.v7"),
                                {50, 2, 3}, device->info(), {});
    QVERIFY(why && why->find("fused.v1") != std::string::npos);
  }

  void cancellingUnwinds() {
    const auto device = createCpuDevice();
    const std::vector<HostProblem> problems = problemsOf(2, {500, 2, 4});
    std::vector<ClusteringSet> sets = setsOf(*device, problems);
    std::atomic<bool> cancel = true;
    device->setCancel(&cancel);
    QVERIFY_EXCEPTION_THROWN(
        runSets(setSchedule("schedule.multi"), *device, stagesOf("cpu.v3"), sets, {.streams = 2}), Cancelled);
  }
};

QTEST_GUILESS_MAIN(TestSetSchedules)
#include "tst_set_schedules.moc"
