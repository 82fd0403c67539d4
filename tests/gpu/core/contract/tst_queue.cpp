// SPDX-License-Identifier: GPL-3.0-or-later
// What queues are held to on every device. In which orders the simulator runs them, and what it reports, is
// tested in tests/gpu/simt/queue.
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/sequence.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/queued_sets.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

void addBackends() {
  QTest::addColumn<int>("backend");
  QTest::newRow("cpu") << static_cast<int>(Backend::cpu);
  QTest::newRow("simt") << static_cast<int>(Backend::simt);
  QTest::newRow("cuda") << static_cast<int>(Backend::cuda);
}

/// Labels every point with the number of threads that a block would have.
void labelAll(const ClassifyArgs& args, LaunchContext&) {
  std::fill_n(args.labels, args.problem.n, args.tuning.block);
}
void nothing(const FusedArgs&, LaunchContext&) {}

} // namespace

class TestQueue : public QObject {
  Q_OBJECT

private slots:
  void everyDeviceLeavesTheSameBytes_data() { addBackends(); }
  void everyDeviceLeavesTheSameBytes() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    for (int time = 0; time < 3; ++time)
      QCOMPARE(recordsByQueues(*found.device), recordsOfSets());
    found.device->synchronize();
    const Traffic traffic = found.device->traffic();
    QCOMPARE(traffic.toDevice,
             std::uint64_t{3 * QueuedSets::sets * QueuedSets::d * rowStride(QueuedSets::n) * sizeof(float)});
    QCOMPARE(traffic.toHost,
             std::uint64_t{3 * QueuedSets::sets * QueuedSets::d * QueuedSets::n * sizeof(float)});
  }

  void eventsHaveTimesAndMayEndEarly_data() { addBackends(); }
  void eventsHaveTimesAndMayEndEarly() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const auto queue = found.device->createQueue();
    const auto other = found.device->createQueue();
    const auto first = found.device->createEvent();
    const auto last = found.device->createEvent();
    queue->record(*first);
    {
      const auto brief = found.device->createEvent();
      queue->record(*brief);
      other->wait(*brief);
    }
    other->record(*last);
    QVERIFY(found.device->elapsedUs(*first, *last) >= 0);
    found.device->synchronize();
  }

  /// Given singly or at once: the bytes, and the events among them, are those of as many single operations.
  void aSequenceIsRepeated_data() { addBackends(); }
  void aSequenceIsRepeated() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    constexpr std::size_t words = 1000;
    HostBuffer<std::uint32_t> from(device, words), to(device, words), first(device, 1);
    Buffer<std::uint32_t> one(device, words), other(device, words);
    const auto done = device.createEvent();
    const auto queue = device.createQueue();
    Sequence sequence("copies", [&](Queue& gathers) {
      gathers.upload(one.data(), from.data(), from.bytes());
      gathers.copy(other.data(), one.data(), one.bytes());
      gathers.fill(one.data(), 0, 4);
      gathers.download(first.data(), one.data(), 4);
      gathers.record(*done);
      gathers.download(to.data(), other.data(), other.bytes());
    });
    QCOMPARE(sequence.operations().size(), std::size_t{6});
    const Traffic before = device.traffic();
    for (std::uint32_t time = 1; time <= 4; ++time) {
      std::ranges::fill(from.write(), time);
      first.write()[0] = 7;
      queue->repeat(sequence);
      device.waitFor(*done);
      QCOMPARE(first.read()[0], 0u);
      queue->synchronize();
      QVERIFY(std::ranges::all_of(to.read(), [&](std::uint32_t word) { return word == time; }));
    }
    QCOMPARE(device.traffic().toDevice - before.toDevice, std::uint64_t{4 * words * 4});
    QCOMPARE(device.traffic().toHost - before.toHost, std::uint64_t{4 * (words + 1) * 4});
  }

  void aStageIsQueuedWithItsArguments() {
    const Found found = findDevice(Backend::cpu);
    Variant variant;
    variant.info.family = "classify";
    variant.info.tag = "planted";
    variant.info.parameters = {{"block", {32, 64}, 64}};
    Launchers& launchers = variant.launchers[static_cast<std::size_t>(Backend::cpu)];
    launchers.classify = labelAll;
    launchers.fused = nothing;
    Buffer<Label> labels(*found.device, 5);
    const auto queue = found.device->createQueue();
    {
      ClassifyArgs args;
      args.problem = {5, 1, 1};
      args.labels = labels.data();
      run(*queue, Backend::cpu, variant, args);
    }
    queue->synchronize();
    QCOMPARE(labels.download(), std::vector<Label>(5, 64));
    variant.info.tileSize = [](const Problem&, const Tuning&) { return 32u; };
    QVERIFY_EXCEPTION_THROWN(run(*queue, Backend::cpu, variant, FusedArgs()), std::invalid_argument);
  }

  /// Whatever fails, nothing is left, and the next program is right.
  void everyCallFailsInTurn_data() { addBackends(); }
  void everyCallFailsInTurn() {
    QFETCH(int, backend);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    FaultCounters counters;
    FaultyDevice device(std::move(found.device), {}, &counters);
    device.plan({});
    QCOMPARE(recordsByQueues(device), recordsOfSets());
    const int calls = counters.calls();
    QVERIFY(calls > 40);
    for (int call = 1; call <= calls; ++call) {
      device.plan({.call = call, .code = 1});
      QVERIFY_EXCEPTION_THROWN(recordsByQueues(device), DeviceError);
      QCOMPARE(counters.faults(), call);
      QCOMPARE(counters.liveAllocations(), 0);
      QCOMPARE(counters.liveEvents(), 0);
      QCOMPARE(counters.liveQueues(), 0);
      device.plan({});
      device.synchronize();
    }
    QCOMPARE(recordsByQueues(device), recordsOfSets());
  }
};

QTEST_GUILESS_MAIN(TestQueue)
#include "tst_queue.moc"
