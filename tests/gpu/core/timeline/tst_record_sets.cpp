// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of schedules are recorded on every device, change nothing of what is found, and say what took place.
#include "gpu/core/timeline/record_sets.hpp"
#include "gpu/core/timeline/recording_device.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/queued_sets.hpp"
#include "tests/support/set_stages.hpp"

#include <QTest>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::size_t setCount = 4;
constexpr Problem problem{.n = 300, .d = 2, .k = 3};

/// Points on a few spirals, others for each set.
std::vector<ClusteringSet> makeSets(Device& device, bool shared) {
  std::vector<ClusteringSet> sets;
  for (std::size_t s = 0; s < setCount; ++s) {
    std::vector<float> points(problem.pointValues());
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = static_cast<float>((i * (7 + s) * (i % 13 + 1)) % 101) + static_cast<float>(i % 3) * 40;
    std::vector<float> centroids(problem.centroidValues());
    for (std::size_t i = 0; i < centroids.size(); ++i)
      centroids[i] = static_cast<float>(20 * i + s);
    if (shared && !sets.empty())
      sets.emplace_back(device, sets.front(), centroids);
    else
      sets.emplace_back(device, problem, points, centroids);
  }
  return sets;
}

void addRows() {
  QTest::addColumn<int>("backend");
  QTest::addColumn<QString>("schedule");
  for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
    for (const Variant* schedule : setSchedules())
      QTest::addRow("%s on %s", schedule->id().c_str(), name(backend).data())
          << static_cast<int>(backend) << QString::fromStdString(schedule->id());
}

SetParams paramsFor(const Variant& schedule) {
  return {.streams = schedule.parameter("streams") ? 3 : 1, .late = 1, .most = 6};
}

/// The bytes of one kind in the queues' rows.
std::uint64_t bytesOf(const Timeline& timeline, TimelineBar::Kind kind) {
  std::uint64_t bytes = 0;
  for (const TimelineBar& bar : timeline.bars())
    if (bar.kind == kind && timeline.rows()[bar.row].kind == TimelineRow::Kind::queue) bytes += bar.bytes;
  return bytes;
}

/// What the host did in turn, with the sets' numbers: "give copy up 1".
std::vector<std::string> hostText(const Timeline& timeline) {
  std::vector<std::string> text;
  for (const TimelineBar& bar : timeline.barsOf(0))
    text.push_back(bar.what + (bar.set ? " " + std::to_string(*bar.set) : std::string()));
  return text;
}

/// Nothing is held but the `live` allocations of the sets themselves.
bool allIsGivenBack(const FaultCounters& counters, int live) {
  return counters.liveAllocations() == live && counters.liveEvents() == 0 && counters.liveQueues() == 0;
}

/// Each seventh call fails in turn.
void failInTurn(FaultyDevice& device, const FaultCounters& counters, int live,
                const std::function<void()>& record) {
  const int calls = counters.calls();
  QVERIFY(calls > 100);
  for (int call = 1; call <= calls; call += 7) {
    device.plan({.call = call, .code = 2});
    QVERIFY_THROWS_EXCEPTION(DeviceError, record());
    QVERIFY(allIsGivenBack(counters, live));
  }
}

} // namespace

class TestRecordSets : public QObject {
  Q_OBJECT

private slots:
  void everyScheduleIsRecorded_data() { addRows(); }
  void everyScheduleIsRecorded() {
    QFETCH(int, backend);
    QFETCH(QString, schedule);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    const Variant& variant = setSchedule(schedule.toStdString());
    const bool host = device.backend() == Backend::cpu;
    const SetStages stages = stagesFor(variant, device.backend(), host ? "cpu.v3" : "fused.v1");
    std::vector<ClusteringSet> sets = makeSets(device, false);

    const Traffic before = device.traffic();
    runSets(variant, device, stages, sets, paramsFor(variant));
    const Traffic after = device.traffic();
    std::vector<std::vector<float>> right;
    right.reserve(sets.size());
    for (const ClusteringSet& set : sets)
      right.push_back(set.centroids());

    const Timeline timeline = recordSets(variant, device, stages, sets, paramsFor(variant));
    for (std::size_t s = 0; s < setCount; ++s)
      QCOMPARE(sets[s].centroids(), right[s]);

    const TimelineClock ofCard =
        device.createActivityRecorder() ? TimelineClock::card : TimelineClock::events;
    QVERIFY(timeline.clock() == (host                                ? TimelineClock::host
                                 : device.backend() == Backend::simt ? TimelineClock::steps
                                                                     : ofCard));
    QCOMPARE(timeline.missing(), std::size_t{0});
    QVERIFY(timeline.rows().front().kind == TimelineRow::Kind::host);
    // What was recorded is all that went up and down.
    QCOMPARE(bytesOf(timeline, TimelineBar::Kind::upload), after.toDevice - before.toDevice);
    QCOMPARE(bytesOf(timeline, TimelineBar::Kind::download), after.toHost - before.toHost);

    std::map<std::size_t, double> copied;   // by set, the end of its last copy up
    std::map<std::size_t, double> computes; // the begin of its first kernel
    for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
      double end = 0;
      for (const TimelineBar& bar : timeline.barsOf(row)) {
        QVERIFY2(bar.begin >= end, "one after the other in every row");
        QVERIFY(bar.end >= bar.begin);
        QVERIFY(!bar.what.empty());
        end = bar.end;
        if (timeline.rows()[row].kind != TimelineRow::Kind::queue || !bar.set) continue;
        QVERIFY(*bar.set < setCount);
        if (bar.kind == TimelineBar::Kind::upload) copied[*bar.set] = std::max(copied[*bar.set], bar.end);
        if (bar.kind == TimelineBar::Kind::kernel && !computes.contains(*bar.set))
          computes[*bar.set] = bar.begin;
      }
    }
    QCOMPARE(copied.size(), setCount);
    const bool oneLaunch = !variant.info.pass.empty() && !host;
    QCOMPARE(computes.size(), oneLaunch ? 0 : setCount); // its kernels are of all sets at once
    for (const auto& [set, begin] : computes)
      QVERIFY2(copied[set] <= begin, "points are there before the set's first kernel");

    // The host gives each operation and waits; its bars are in the same order as those of queues.
    std::size_t given = 0;
    std::size_t waits = 0;
    std::size_t operations = 0;
    for (const TimelineBar& bar : timeline.bars()) {
      const TimelineRow::Kind kind = timeline.rows()[bar.row].kind;
      given += kind == TimelineRow::Kind::host && bar.kind == TimelineBar::Kind::give ? 1 : 0;
      waits += kind == TimelineRow::Kind::host && bar.kind == TimelineBar::Kind::wait ? 1 : 0;
      operations += kind == TimelineRow::Kind::queue ? 1 : 0;
    }
    // What is repeated is given to a card at once, and its operations are told apart by its own record.
    const bool atOnce = timeline.clock() == TimelineClock::card &&
                        (schedule == u"schedule.multi" || schedule == u"schedule.prefetch" ||
                         schedule == u"schedule.unordered");
    if (atOnce)
      QVERIFY(given > 0 && given < operations);
    else
      QCOMPARE(given, operations);
    QVERIFY(waits > 0);
  }

  /// Restarts share their points, which go up once.
  void pointsThatSetsShareAreOfNoOneSet() {
    const auto device = simt::createSimtDevice();
    const Variant& variant = setSchedule("schedule.batched");
    std::vector<ClusteringSet> sets = makeSets(*device, true);
    const Timeline timeline = recordSets(variant, *device, stagesOf("fused.v1"), sets, paramsFor(variant));
    std::size_t shared = 0;
    for (const TimelineBar& bar : timeline.barsOf(1))
      if (bar.kind == TimelineBar::Kind::upload && bar.bytes == sets.front().points->bytes())
        shared += bar.set ? 100 : 1;
    QCOMPARE(shared, std::size_t{1});
  }

  void theHostGivesFirstWhatCanBegin_data() {
    QTest::addColumn<QString>("schedule");
    for (const char* schedule : {"schedule.multi", "schedule.prefetch", "schedule.unordered"})
      QTest::newRow(schedule) << schedule;
  }
  void theHostGivesFirstWhatCanBegin() {
    QFETCH(QString, schedule);
    const auto device = simt::createSimtDevice(); // whose copies take place when the host waits
    std::vector<ClusteringSet> sets = makeSets(*device, false);
    const Timeline timeline =
        recordSets(setSchedule(schedule.toStdString()), *device, stagesOf("fused.v1"), sets,
                   {.streams = static_cast<int>(setCount), .late = 5, .most = 3, .all = true});
    const std::vector<std::string> host = hostText(timeline);
    // Two iterations at once and one more, as no flag is asked about.
    std::vector<std::string> kernels;
    std::ranges::copy_if(host, std::back_inserter(kernels),
                         [](const std::string& bar) { return bar.starts_with("give fused.v1"); });
    std::vector<std::string> right;
    for (std::size_t set = 0; set < setCount; ++set)
      right.insert(right.end(), 3, "give fused.v1 " + std::to_string(set));
    QCOMPARE(kernels, right);
    if (schedule == QLatin1String("schedule.prefetch")) return; // whose copies all come before
    const auto secondCopy = std::ranges::find(host, "give copy up 1");
    QCOMPARE(std::count(host.begin(), secondCopy, "give fused.v1 0"), std::ptrdiff_t{3});
  }

  void theHostWaitsForNoFlagWhileAnotherSetCanGoOn() {
    const auto device = simt::createSimtDevice(); // where a flag is there when the host has waited
    std::vector<ClusteringSet> sets = makeSets(*device, false);
    const Timeline timeline =
        recordSets(setSchedule("schedule.multi"), *device, stagesOf("fused.v1"), sets,
                   {.streams = static_cast<int>(setCount), .late = 0, .most = 3, .all = true});
    const std::vector<std::string> host = hostText(timeline);
    const auto firstWait =
        std::ranges::find_if(host, [](const std::string& bar) { return bar.starts_with("wait"); });
    QVERIFY(firstWait != host.end());
    for (std::size_t set = 0; set < setCount; ++set)
      QCOMPARE(std::count(host.begin(), firstWait, "give fused.v1 " + std::to_string(set)),
               std::ptrdiff_t{1});
  }

  void stepsAreCountedOnTheSimulator() {
    const auto device = simt::createSimtDevice();
    RecordingDevice recorder(*device);
    recorder.start();
    QCOMPARE(recordsByQueues(recorder), recordsOfSets());
    const Timeline timeline = recorder.stop();
    QVERIFY(!timeline.hasSeconds());
    // Every moment has its own place in the order.
    std::set<double> places;
    std::size_t bars = 0;
    for (const TimelineBar& bar : timeline.bars()) {
      if (timeline.rows()[bar.row].isEngine()) continue;
      ++bars;
      places.insert({bar.begin, bar.end});
    }
    QCOMPARE(places.size(), 2 * bars);
    QCOMPARE(*places.rbegin(), static_cast<double>(2 * bars - 1));
  }

  void nothingIsRecordedButBetweenStartAndStop() {
    const auto device = createCpuDevice();
    RecordingDevice recorder(*device);
    QCOMPARE(recordsByQueues(recorder), recordsOfSets());
    recorder.start();
    QVERIFY(recorder.stop().empty());
    QCOMPARE(recordsByQueues(recorder), recordsOfSets());
    QVERIFY(recorder.stop().empty());
  }

  void aFullRecordCountsTheRest() {
    const auto device = createCpuDevice();
    RecordingDevice recorder(*device, 5);
    recorder.start();
    QCOMPARE(recordsByQueues(recorder), recordsOfSets());
    const Timeline timeline = recorder.stop();
    std::size_t recorded = 0;
    for (const TimelineBar& bar : timeline.bars())
      recorded += timeline.rows()[bar.row].kind == TimelineRow::Kind::queue ? 1 : 0;
    QCOMPARE(recorded, std::size_t{5});
    QCOMPARE(timeline.missing(), 5 * QueuedSets::sets - 5); // up, fill, launch, copy and down
  }

  /// Nothing is left behind by calls that failed, and the next record is whole.
  void aFailureLeavesNothing() {
    FaultCounters counters;
    {
      FaultyDevice device(createCpuDevice(), {}, &counters);
      const Variant& variant = setSchedule("schedule.multi");
      const SetStages stages = stagesOf("cpu.v3");
      std::vector<ClusteringSet> sets = makeSets(device, false);
      const auto record = [&] { return recordSets(variant, device, stages, sets, paramsFor(variant)); };
      device.plan({});
      const std::size_t bars = record().bars().size();
      failInTurn(device, counters, counters.liveAllocations(), [&] { static_cast<void>(record()); });
      device.plan({});
      QCOMPARE(record().bars().size(), bars);
    }
    QCOMPARE(counters.liveAllocations(), 0);
  }
};

QTEST_APPLESS_MAIN(TestRecordSets)
#include "tst_record_sets.moc"
