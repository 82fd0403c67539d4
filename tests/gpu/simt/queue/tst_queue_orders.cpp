// SPDX-License-Identifier: GPL-3.0-or-later
// In which orders queued work takes place on the simulator, and what happens to it when something fails.
#include "gpu/core/contract/error.hpp"
#include "tests/gpu/simt/queue/planted.hpp"
#include "tests/gpu/simt/queue/queue_kernels.hpp"
#include "tests/support/queued_sets.hpp"

#include <algorithm>
#include <atomic>
#include <set>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// The turns that two queues take, three launches each; the last of the second is behind the first of the
/// first.
std::string turnsBy(const simt::Schedule& schedule) {
  const auto device = simt::createSimtDevice();
  device->setSchedule(schedule);
  std::string turns;
  const auto event = device->createEvent();
  const auto one = device->createQueue();
  const auto two = device->createQueue();
  const auto say = [&](Queue& queue, char what) {
    queue.launch("saying", [&turns, what](LaunchContext&) { turns += what; });
  };
  say(*one, 'a');
  one->record(*event);
  say(*two, 'x');
  say(*one, 'b');
  say(*two, 'y');
  two->wait(*event);
  say(*two, 'z');
  say(*one, 'c');
  device->synchronize();
  return turns;
}

} // namespace

class TestQueueOrders : public QObject {
  Q_OBJECT

private slots:
  void everyOrderLeavesTheSameBytes() {
    for (const simt::Schedule& order : allOrders()) {
      const auto device = simt::createSimtDevice();
      device->setSchedule(order);
      QCOMPARE(recordsByQueues(*device), recordsOfSets());
      QCOMPARE(reportOf(*device, [] {}), QString());
    }
  }

  void turnsAreTakenByLot() {
    std::set<std::string> seen;
    for (const simt::Schedule& order : allOrders()) {
      const std::string turns = turnsBy(order);
      QCOMPARE(turns.size(), std::size_t{6});
      QCOMPARE(turnsBy(order), turns);
      const auto at = [&](char what) { return turns.find(what); };
      QVERIFY(at('a') < at('b') && at('b') < at('c'));
      QVERIFY(at('x') < at('y') && at('y') < at('z'));
      QVERIFY(at('a') < at('z'));
      seen.insert(turns);
    }
    QVERIFY(seen.size() >= 6);
    QCOMPARE(turnsBy({simt::Schedule::Order::forward}), std::string("axbyzc"));
    QCOMPARE(turnsBy({simt::Schedule::Order::reverse}), std::string("xyazbc"));
  }

  void aWaitRunsNoMoreThanItMust() {
    const auto device = simt::createSimtDevice();
    const auto event = device->createEvent();
    const auto queue = device->createQueue();
    int done = 0;
    const auto count = [&](LaunchContext&) { ++done; };
    queue->launch("counting", count);
    queue->record(*event);
    queue->launch("counting", count);
    QCOMPARE(done, 0);
    device->waitFor(*event);
    QCOMPARE(done, 1);
    queue->synchronize();
    QCOMPARE(done, 2);
  }

  void aFaultIsThrownByTheWaitAndEndsWhatWasKept() {
    const auto device = simt::createSimtDevice();
    Buffer<float> values(*device, std::vector<float>(8, 1.0f));
    Buffer<float> out(*device, std::vector<float>(8, 1.0f));
    const auto queue = device->createQueue();
    device->synchronize();
    bool later = false;
    queue->launch("a faulty one",
                  [&](LaunchContext& context) { launchFaulty(context, values.data(), out.data(), 8); });
    queue->launch("one behind it", [&](LaunchContext&) { later = true; });
    const QString said = reportOf(*device, [&] { queue->synchronize(); });
    QVERIFY2(said.contains(QLatin1String("index 8 of values, argument 1,")), qPrintable(said));
    QCOMPARE(reportOf(*device, [] {}), QString());
    QVERIFY(!later);
    QCOMPARE(recordsByQueues(*device), recordsOfSets());
  }

  void cancellingEndsWhatWasKept() {
    const auto device = simt::createSimtDevice();
    const auto queue = device->createQueue();
    std::atomic<bool> cancel = true;
    device->setCancel(&cancel);
    bool ran = false;
    queue->launch("never", [&](LaunchContext&) { ran = true; });
    QVERIFY_EXCEPTION_THROWN(queue->synchronize(), Cancelled);
    device->setCancel(nullptr);
    queue->synchronize();
    QVERIFY(!ran);
  }

  void endingAQueueWaitsForItsWork() {
    const auto device = simt::createSimtDevice();
    bool done = false;
    {
      const auto queue = device->createQueue();
      queue->launch("late", [&](LaunchContext&) { done = true; });
    }
    QVERIFY(done);
    Buffer<float> values(*device, std::vector<float>(8, 1.0f));
    device->synchronize();
    {
      const auto queue = device->createQueue();
      queue->launch("a faulty one",
                    [&](LaunchContext& context) { launchFaulty(context, values.data(), values.data(), 8); });
    }
    QVERIFY(reportOf(*device, [] {}).contains(QLatin1String("index 8")));
    QCOMPARE(reportOf(*device, [] {}), QString());
  }

  void givingMemoryBackWaitsForAll() {
    const auto device = simt::createSimtDevice();
    const auto queue = device->createQueue();
    HostBuffer<float> up(*device, 8);
    std::ranges::fill(up.write(), 7.0f);
    {
      Buffer<float> gone(*device, 8);
      queue->upload(gone.data(), up.data(), up.bytes());
    }
    QCOMPARE(reportOf(*device, [] {}), QString());
  }
};

QTEST_GUILESS_MAIN(TestQueueOrders)
#include "tst_queue_orders.moc"
