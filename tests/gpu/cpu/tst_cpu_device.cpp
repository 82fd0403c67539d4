// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/support/faulty_device.hpp"

#include <QElapsedTimer>
#include <QTest>

#include <thread>

using namespace lloyd;

namespace {

/// LLOYD_MEMORY_LIMIT for a scope.
class MemoryLimit {
public:
  explicit MemoryLimit(const char* bytes) { qputenv("LLOYD_MEMORY_LIMIT", bytes); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { qunsetenv("LLOYD_MEMORY_LIMIT"); }
};

/// The severity of what work throws, or nothing.
template <class Work>
std::optional<Severity> severityThrownBy(const Work& work) {
  try {
    work();
  } catch (const DeviceError& error) {
    return error.severity();
  }
  return std::nullopt;
}

} // namespace

/// The processor as a device: what it says of itself, its memory, its clock, and its manners when asked to
/// stop.
class TestCpuDevice : public QObject {
  Q_OBJECT

private slots:
  void describesItself() {
    const auto device = createCpuDevice();
    QVERIFY(device->info().usable);
    QVERIFY(device->info().backend == Backend::cpu);
    QVERIFY(!device->info().name.empty());
    QVERIFY(!device->info().runtime.empty());
    QVERIFY(device->info().multiprocessors >= 1);
    QVERIFY(device->freeMemory() > 0);
    QVERIFY(device->info().memoryBytes >= device->freeMemory());
  }

  void memoryIsAligned() {
    const auto device = createCpuDevice();
    for (const std::size_t count : {std::size_t{1}, std::size_t{33}, std::size_t{1} << 20}) {
      Buffer<float> buffer(*device, count);
      QCOMPARE(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, std::uintptr_t{0});
    }
  }

  void theLimitHolds() {
    const MemoryLimit limit("100000");
    const auto device = createCpuDevice();
    QCOMPARE(device->info().memoryBytes, std::size_t{100000});
    QCOMPARE(device->freeMemory(), std::size_t{100000});
    {
      Buffer<char> most(*device, 60000);
      QCOMPARE(device->freeMemory(), std::size_t{40000});
      QVERIFY(severityThrownBy([&] { Buffer<char> more(*device, 40001); }) == Severity::retrySmaller);
      Buffer<char> rest(*device, 40000);
      QCOMPARE(device->freeMemory(), std::size_t{0});
    }
    QCOMPARE(device->freeMemory(), std::size_t{100000});
  }

  void nonsenseIsNoLimit() {
    const MemoryLimit limit("12 apples");
    const auto device = createCpuDevice();
    QVERIFY(device->freeMemory() > 1000000);
  }

  void moreThanTheMachineHasIsRefusedInWords() {
    const auto device = createCpuDevice();
    try {
      Buffer<char> buffer(*device, std::size_t{1} << 60);
      QFAIL("a quintillion bytes were given");
    } catch (const DeviceError& error) {
      QVERIFY(error.severity() == Severity::retrySmaller);
      QVERIFY(std::string(error.what()).find("out of memory") != std::string::npos);
    }
  }

  /// What is installed is not what is free, and the system promises more than it has.
  void moreThanIsFreeIsRefusedBeforehand() {
    const auto device = createCpuDevice();
    const std::size_t installed = device->info().memoryBytes;
    const std::size_t free = device->freeMemory();
    QVERIFY(free < installed);
    const std::size_t between = free + (installed - free) / 2;
    QVERIFY(severityThrownBy([&] { Buffer<char> buffer(*device, between); }) == Severity::retrySmaller);
  }

  void eventsNeverRunBackwards() {
    const auto device = createCpuDevice();
    const auto first = device->createEvent();
    const auto second = device->createEvent();
    device->record(*first);
    device->record(*second);
    QVERIFY(device->elapsedUs(*first, *second) >= 0);
    QCOMPARE(device->elapsedUs(*second, *first), 0.0);
    const auto never = device->createEvent();
    QVERIFY(severityThrownBy([&] { static_cast<void>(device->elapsedUs(*first, *never)); }) ==
            Severity::badRequest);
  }

  void cancelledWorkUnwinds_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"cpu.v1", "cpu.v2", "cpu.v3"})
      QTest::newRow(id) << id;
  }

  void cancelledWorkUnwinds() {
    QFETCH(QString, id);
    const auto device = createCpuDevice();
    const Variant& variant = *Registry::instance().find(id.toStdString());
    const Problem problem{std::size_t{1} << 17, 16, 4096}; // seconds of work
    Buffer<float> points(*device, problem.pointValues());
    Buffer<float> centroids(*device, problem.centroidValues());
    Buffer<Label> oldLabels(*device, problem.n);
    Buffer<Label> labels(*device, problem.n);
    Buffer<std::uint32_t> changed(*device, 1);
    Buffer<double> sums(*device, problem.centroidValues());
    Buffer<std::uint32_t> counts(*device, static_cast<std::size_t>(problem.k));
    points.fill(0);
    centroids.fill(0);
    oldLabels.fill(0);
    changed.fill(0);
    sums.fill(0);
    counts.fill(0);
    std::atomic<bool> cancel = false;
    device->setCancel(&cancel);
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      cancel = true;
    });
    bool cancelled = false;
    try {
      const PointView view{points.data(), problem.n};
      if (variant.has(Stage::fused))
        run(*device, variant,
            FusedArgs{problem, view, centroids.data(), oldLabels.data(), labels.data(), changed.data(),
                      sums.data(), counts.data(), Tuning()});
      else
        run(*device, variant,
            ClassifyArgs{problem, view, centroids.data(), oldLabels.data(), labels.data(), changed.data(),
                         Tuning()});
    } catch (const Cancelled&) {
      cancelled = true;
    }
    user.join();
    QVERIFY(cancelled);
    cancel = false; // and the device goes on working
    Buffer<double> inertia(*device, 1);
    inertia.fill(0);
    labels.fill(0);
    device->inertia({problem, {points.data(), problem.n}, centroids.data(), labels.data(), inertia.data()});
    QCOMPARE(inertia.download().front(), 0.0);
  }

  void aFaultLeavesNothingBehind() {
    FaultCounters counters;
    for (int call = 1; call <= 6; ++call) {
      FaultyDevice device(createCpuDevice(), {.call = call, .code = 2}, &counters);
      const auto work = [&] {
        Buffer<float> first(device, 10);
        Buffer<float> second(device, 10);
        const auto event = device.createEvent();
        first.fill(0);
        device.record(*event);
        static_cast<void>(first.download());
      };
      device.plan({.call = call, .code = 2});
      QVERIFY(severityThrownBy(work) == Severity::retrySmaller);
      QCOMPARE(counters.liveAllocations(), 0);
      QCOMPARE(counters.liveEvents(), 0);
      work(); // the fault happens once
    }
    QCOMPARE(counters.faults(), 6);
  }
};

QTEST_GUILESS_MAIN(TestCpuDevice)
#include "tst_cpu_device.moc"
