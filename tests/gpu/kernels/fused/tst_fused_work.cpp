// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

#include <QTest>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace lloyd;
using namespace lloyd::test;

/// The memory that launches work in is clear whatever became of the launch before.
class TestFusedWork : public QObject {
  Q_OBJECT

private slots:
  void aLaunchThatWasCancelledDoesNotShow_data() { everyVariant(); }
  void aLaunchThatWasCancelledDoesNotShow() {
    QFETCH(QString, id);
    QFETCH(int, k);
    const auto device = simt::createSimtDevice();
    const HostProblem host = someProblem(id, k);
    FusedBench bench(*device, host, variantOf(id));
    const FusedResult first = bench.run(smallBlocks(variantOf(id)));
    // One block after the other; when the first of several has handed its counts over, the launch is
    // cancelled.
    device->setSchedule({});
    device->startRecording();
    bool cancelledHalfWay = false;
    for (int attempt = 0; attempt < 400 && !cancelledHalfWay; ++attempt) {
      std::atomic<bool> cancel = false;
      std::atomic<bool> ended = false;
      FusedArgs args = bench.args(smallBlocks(variantOf(id)));
      std::thread watcher([&] {
        const auto counted = [&] {
          std::uint32_t sum = 0;
          for (int c = 0; c < k; ++c)
            sum += std::atomic_ref(args.counts[c]).load(std::memory_order_relaxed);
          return sum;
        };
        while (!ended && counted() == 0)
          std::this_thread::yield();
        cancel = true;
      });
      device->setCancel(&cancel);
      try {
        run(*device, variantOf(id), args);
      } catch (const Cancelled&) {
        cancelledHalfWay = true;
      }
      ended = true;
      watcher.join();
      device->setCancel(nullptr);
      const FusedResult left = bench.result();
      const std::size_t counted = std::accumulate(left.counts.begin(), left.counts.end(), std::size_t{0});
      cancelledHalfWay = cancelledHalfWay && counted > 0 && counted < host.problem.n;
    }
    static_cast<void>(device->stopRecording());
    QVERIFY2(cancelledHalfWay, "no launch was cancelled between its blocks");
    QVERIFY(bench.run(smallBlocks(variantOf(id))) == first);
  }

  void aFailureDoesNotShow_data() { everyVariantOnEveryDevice(); }
  void aFailureDoesNotShow() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    constexpr int outOfMemory = 2;
    FaultyDevice device(std::move(found.device));
    const HostProblem host = someProblem(id, 5);
    const Variant& variant = variantOf(id);
    FusedBench bench(device, host, variant);
    const FusedResult first = bench.run();
    const WorkBytes bytes = variant.info.workBytes(host.problem, variant.complete({}));
    const auto spoil = [&] {
      device.lendWorkMemory(bytes, [&](const WorkMemory& work) {
        device.fill(work.cleared, 0x5a, bytes.cleared);
        throw std::runtime_error("half-way");
      });
    };
    QVERIFY_EXCEPTION_THROWN(spoil(), std::runtime_error);
    QVERIFY(bench.run() == first);
    // The same, and then the clearing itself fails once.
    QVERIFY_EXCEPTION_THROWN(spoil(), std::runtime_error);
    const FusedArgs args = bench.args();
    device.plan({.call = 1, .code = outOfMemory});
    QVERIFY_EXCEPTION_THROWN(run(device, variant, args), DeviceError);
    device.plan({});
    QVERIFY(bench.run() == first);
    // And a launch that fails before it began.
    const FusedArgs again = bench.args();
    device.plan({.call = 1, .code = outOfMemory});
    QVERIFY_EXCEPTION_THROWN(run(device, variant, again), DeviceError);
    device.plan({});
    QVERIFY(bench.run() == first);
  }

  void workMemoryIsClearWhenItIsLent_data() {
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
  }
  void workMemoryIsClearWhenItIsLent() {
    QFETCH(int, backend);
    Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    FaultCounters counters;
    {
      FaultyDevice device(std::move(found.device), {}, &counters);
      const auto isClear = [&](const WorkMemory& work, std::size_t bytes) {
        std::vector<std::byte> values(bytes);
        device.download(values.data(), work.cleared, bytes);
        return std::all_of(values.begin(), values.end(), [](std::byte b) { return b == std::byte{0}; });
      };
      std::byte* kept = nullptr;
      std::byte* scratch = nullptr;
      const auto lend = [&](const WorkBytes& bytes, bool clear) {
        bool right = false;
        device.lendWorkMemory(bytes, [&](const WorkMemory& work) {
          right = isClear(work, bytes.cleared);
          if (kept) right = right && work.cleared == kept && work.scratch == scratch;
          kept = work.cleared;
          scratch = work.scratch;
          device.fill(work.cleared, 0x5a, bytes.cleared);
          device.fill(work.scratch, 0x5a, bytes.scratch);
          if (!clear) throw std::runtime_error("it is not clear now");
          device.fill(work.cleared, 0, bytes.cleared);
        });
        return right;
      };
      QVERIFY(lend({5000, 300}, true));
      QVERIFY(lend({5000, 300}, true)); // the same memory
      QVERIFY(lend({40, 1}, true));     // a smaller piece of it
      const int calls = counters.calls();
      device.lendWorkMemory({5000, 300}, [](const WorkMemory&) {});
      QCOMPARE(counters.calls(), calls); // clear memory is not cleared again
      QVERIFY_EXCEPTION_THROWN(static_cast<void>(lend({5000, 300}, false)), std::runtime_error);
      QVERIFY(lend({5000, 300}, true));
      QVERIFY_EXCEPTION_THROWN(static_cast<void>(lend({40, 1}, false)), std::runtime_error);
      QVERIFY(lend({5000, 300}, true));
      // Growing, which fails at first: what was there is gone, and nothing is lost or given back twice.
      const auto grow = [&] { device.lendWorkMemory({9000, 9000}, [](const WorkMemory&) {}); };
      for (const int call : {1, 2, 2}) { // either allocation, then the clearing
        device.plan({.call = call, .code = 2});
        QVERIFY_EXCEPTION_THROWN(grow(), DeviceError);
      }
      device.plan({});
      kept = nullptr;
      QVERIFY(lend({9000, 9000}, true));
    }
    QCOMPARE(counters.faults(), 3);
    QCOMPARE(counters.liveAllocations(), 0);
  }
};

QTEST_GUILESS_MAIN(TestFusedWork)
#include "tst_fused_work.moc"
