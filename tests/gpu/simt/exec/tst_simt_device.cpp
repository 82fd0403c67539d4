// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/simt/exec/simt_race_kernels.hpp"
#include "tests/gpu/simt/exec/simt_toy_kernels.hpp"
#include "tests/gpu/simt/exec/simt_word_kernels.hpp"

#include <QTest>

#include <cstdlib>

using namespace lloyd;
using namespace lloyd::test;
using simt::Owner;
using Order = simt::Schedule::Order;

/// The simulator as a device: what it says of itself, its memory, and who handled what.
class TestSimtDevice : public QObject {
  Q_OBJECT

private slots:
  void saysWhatItIs() {
    const auto device = simt::createSimtDevice();
    const DeviceInfo& info = device->info();
    QCOMPARE(info.backend, Backend::simt);
    QCOMPARE(info.name, std::string("SIMT simulator"));
    QVERIFY(info.usable);
    QVERIFY(info.why.empty());
    QCOMPARE(info.threadsPerBlock, 1024);
    QCOMPARE(info.sharedBytesPerBlock, std::size_t{227} * 1024);
    QCOMPARE(info.peakFlops, 0.0); // its speed says nothing about a card
    QVERIFY(info.memoryBytes > 0);
    QVERIFY(device->freeMemory() > 0);
  }

  void memoryIsAlignedAsOnACard() {
    const auto device = simt::createSimtDevice();
    for (const std::size_t bytes : std::initializer_list<std::size_t>{1, 100, 4096, 1000000}) {
      void* const memory = device->allocate(bytes);
      QCOMPARE(reinterpret_cast<std::uintptr_t>(memory) % 256, std::uintptr_t{0});
      device->release(memory);
    }
  }

  void memoryCanBeLimited() {
    QVERIFY(qputenv("LLOYD_MEMORY_LIMIT", "1000000"));
    const auto device = simt::createSimtDevice();
    QVERIFY(qunsetenv("LLOYD_MEMORY_LIMIT"));
    QCOMPARE(device->info().memoryBytes, std::size_t{1000000});
    try {
      device->release(device->allocate(2000000));
      QFAIL("more than the limit was given");
    } catch (const DeviceError& error) {
      QCOMPARE(error.severity(), Severity::retrySmaller);
    }
  }

  void describesWithoutRunning() {
    const auto device = simt::createSimtDevice();
    std::vector<KernelResources> found;
    device->launch("a test", [&](LaunchContext& context) {
      context.describe = &found;
      dynamicArrays(context, nullptr, nullptr, 100); // would fail if it ran
      wantsShared(context, 0);
    });
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].sharedBytes, std::size_t{800});
    QCOMPARE(found[1].sharedBytes, std::size_t{0});
    for (const KernelResources& resources : found) {
      QCOMPARE(resources.registers, 0);
      QCOMPARE(resources.localBytes, std::size_t{0});
      QCOMPARE(resources.occupancy, 0.0);
    }
  }

  void ownersAreWhoStored_data() {
    QTest::addColumn<bool>("recording");
    QTest::newRow("recording") << true;
    QTest::newRow("on all threads") << false;
  }

  void ownersAreWhoStored() {
    QFETCH(bool, recording);
    const auto device = simt::createSimtDevice();
    constexpr std::size_t blocks = 7;
    constexpr int threads = 50;
    Buffer<unsigned> out(*device, blocks * threads * 5);
    if (recording) device->startRecording();
    const auto launch = [&] {
      device->launch("a test",
                     [&](LaunchContext& context) { indices(context, out.data(), blocks, threads); });
    };
    device->watch(out.data(), blocks * threads, 5 * sizeof(unsigned));
    for (const Owner& owner : device->owners())
      QCOMPARE(owner.block, Owner::nobody);
    launch();
    const std::vector<Owner> owners = device->owners();
    QCOMPARE(owners.size(), blocks * threads);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      QCOMPARE(owners[i].block, static_cast<std::uint32_t>(i / threads));
      QCOMPARE(owners[i].thread, static_cast<std::uint32_t>(i % threads));
    }

    device->watch(out.data() + 3, 4, sizeof(unsigned)); // in the middle, and less than is written
    launch();
    QCOMPARE(device->owners().size(), std::size_t{4});
    QCOMPARE(device->owners()[1].thread, 0u);
    QCOMPARE(device->owners()[2].thread, 1u);

    device->watch(nullptr, 0, 0);
    out.fill(0);
    launch();
    QCOMPARE(device->owners().size(), std::size_t{4}); // of the last watch
  }

  void aStoreOutlastsALoad() {
    const auto device = simt::createSimtDevice();
    Buffer<float> in(*device, 4096);
    Buffer<float> out(*device, 4096);
    in.fill(0);
    const auto launch = [&](const char* name, float* from, float* to) {
      device->launch("a test", [&](LaunchContext& context) { launchAccess(context, name, from, to); });
    };
    device->watch(in.data(), 64, sizeof(float));
    launch("consecutive", in.data(), out.data()); // lane i loads in[i]
    QCOMPARE(device->owners()[9].thread, 9u);
    QCOMPARE(device->owners()[9].block, 0u);
    QCOMPARE(device->owners()[32].block, Owner::nobody);
    launch("reversed", in.data(), out.data()); // loaded again, by others
    QCOMPARE(device->owners()[9].thread, 22u);
    launch("reversed", out.data(), in.data()); // lane i stores to in[8 i]
    QCOMPARE(device->owners()[8].thread, 1u);
    launch("consecutive", in.data(), out.data());
    QCOMPARE(device->owners()[8].thread, 1u);
    QCOMPARE(device->owners()[9].thread, 9u);
  }

  void recordingEnds() {
    const auto device = simt::createSimtDevice();
    std::vector<float> values(512, 1.0f);
    Buffer<float> in(*device, values.size());
    in.upload(values);
    Buffer<float> out(*device, 2);
    const auto launch = [&] {
      device->launch("a test",
                     [&](LaunchContext& context) { tree(context, in.data(), out.data(), 2, true); });
    };
    QVERIFY(device->stopRecording().lines.empty()); // none was begun
    device->startRecording();
    launch();
    const simt::Trace first = device->stopRecording();
    launch();
    device->startRecording(); // from the beginning
    QVERIFY(device->stopRecording().counters == simt::Counters());
    device->startRecording();
    launch();
    QVERIFY(device->stopRecording().counters == first.counters);
    QVERIFY(first.counters.requests > 0);
  }
};

QTEST_GUILESS_MAIN(TestSimtDevice)
#include "tst_simt_device.moc"
