// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/simt/exec/simt_fault_kernels.hpp"
#include "tests/gpu/simt/exec/simt_word_kernels.hpp"

#include <QTest>

#include <oneapi/tbb/global_control.h>

#include <map>

using namespace lloyd;
using namespace lloyd::test;
using Order = simt::Schedule::Order;

namespace {

/// The sentence that a launch fails with; empty when it does not.
template <class Work>
std::string failure(Device& device, const Work& work) {
  try {
    device.launch("a test", [&](LaunchContext& context) { work(context); });
  } catch (const DeviceError& error) {
    return error.severity() == Severity::badRequest ? error.meaning() : "of another severity";
  }
  return {};
}

/// What each kernel's sentence must contain; @name is the place that is marked so.
const std::map<std::string, QStringList>& expected() {
  static const std::map<std::string, QStringList> words{
      {"divergent barrier",
       {"block 0", "no thread can go on", "16 threads at __syncthreads in", "@divergent barrier",
        "thread 0 (warp 0, lane 0)", "16 threads at a vote in", "@divergent barrier's vote",
        "thread 16 (warp 0, lane 16)"}},
      {"two barriers",
       {"block 0", "different barriers", "40 threads at __syncthreads in", "@two barriers",
        "24 threads at __syncthreads in", "@two barriers' second", "thread 40 (warp 1, lane 8)"}},
      {"mask omits the caller",
       {"a vote at", "@mask omits the caller", "warp ", "block 0", "lane 5 gives the mask 0xffffffdf",
        "does not name the lane itself"}},
      {"mask names a lane that returned",
       {"a vote at", "@mask names a lane that returned", "warp 1 of block 0", "0xffffffff",
        "lane 7, which returned"}},
      {"masks differ", {"@masks differ", "warp 0 of block 0", "lane 3", "0x7fffffff", "0xffffffff"}},
      {"shuffle from outside the mask",
       {"__shfl_down_sync at", "@shuffle from outside the mask", "warp 0 of block 0",
        "lane 8 reads from lane 16", "0x0000ffff"}},
      {"short warp", {"@short warp", "warp 0 of block 0", "names lanes 20-31", "only 20"}},
      {"width of a shuffle", {"@width of a shuffle", "12 is not"}},
      {"shared index out of range",
       {"thread 63 (warp 1, lane 31) of block 0", "index 64", "the shared array cells", "64 elements",
        "@shared index out of range"}},
      {"global index out of range",
       {"of block 0", "argument 1", "256 elements", "@global index out of range"}},
      {"index below zero",
       {"thread 0 (warp 0, lane 0) of block 0", "index -1", "argument 1", "@index below zero"}},
      {"shared memory that nobody wrote",
       {"thread 35 (warp 1, lane 3) of block 0", "element 35 of the shared array cells",
        "@shared memory that nobody wrote"}},
      {"atomic on what nobody wrote",
       {"element 0 of the shared array count", "@atomic on what nobody wrote"}},
      {"dynamic array too long",
       {"array cells of 17 elements", "64 bytes that the launch gave", "@dynamic array too long"}},
      {"dynamic array misplaced", {"cells", "byte 4", "no multiple of 8", "@dynamic array misplaced"}},
      {"too much shared memory", {"232448 bytes", "array many", "@too much shared memory"}},
      {"waits with an object",
       {"thread 63 (warp 1, lane 31) of block 0", "index 1000", "@waits with an object"}}};
  return words;
}

} // namespace

/// Each planted mistake is found and named, in whatever order the lanes run, and nothing is left behind.
class TestSimtFaults : public QObject {
  Q_OBJECT

private slots:
  void everyMistakeIsNamed_data() {
    QTest::addColumn<QStringList>("words");
    for (const std::string& name : faultyKernels()) {
      QVERIFY2(expected().count(name) == 1, name.c_str());
      QTest::newRow(name.c_str()) << expected().at(name);
    }
    QCOMPARE(expected().size(), faultyKernels().size());
  }

  void everyMistakeIsNamed() {
    QFETCH(QStringList, words);
    const std::string name = QTest::currentDataTag();
    const auto device = simt::createSimtDevice();
    Buffer<float> room(*device, 256);
    room.fill(0);
    for (const bool recording : {false, true}) {
      for (const simt::Schedule& schedule :
           {simt::Schedule{Order::forward, 0}, simt::Schedule{Order::reverse, 0},
            simt::Schedule{Order::seeded, 11}}) {
        device->setSchedule(schedule);
        if (recording) device->startRecording();
        const std::string said =
            failure(*device, [&](LaunchContext& context) { launchFaulty(context, name, room.data()); });
        for (const QString& word : words) {
          const std::string wanted =
              word.startsWith('@') ? placeOf(word.mid(1).toStdString()) : word.toStdString();
          QVERIFY2(said.find(wanted) != std::string::npos,
                   qPrintable(QString::fromStdString("'" + said + "' lacks '" + wanted + "'")));
        }
        if (recording) QCOMPARE(device->stopRecording().faults, std::vector<std::string>{said});
      }
    }
  }

  void theDeviceWorksOn() {
    const auto device = simt::createSimtDevice();
    Buffer<float> room(*device, 256);
    std::vector<float> values(1000, 1.0f);
    Buffer<float> in(*device, values.size());
    in.upload(values);
    Buffer<double> sum(*device, 1);
    for (const std::string& name : faultyKernels()) {
      room.fill(0);
      QVERIFY(!failure(*device, [&](LaunchContext& context) {
                 launchFaulty(context, name, room.data());
               }).empty());
      device->launch("a test",
                     [&](LaunchContext& context) { treeSum(context, in.data(), sum.data(), 1000); });
      QCOMPARE(sum.download().front(), 1000.0);
    }
  }

  /// By code that launches, which may be anybody's.
  void whatIsCaughtIsAFaultAllTheSame() {
    const auto device = simt::createSimtDevice();
    Buffer<float> room(*device, 256);
    for (const std::string& name : faultyKernels()) {
      room.fill(0);
      const auto launch = [&](LaunchContext& context) { launchFaulty(context, name, room.data()); };
      const std::string said = failure(*device, launch);
      room.fill(0);
      const std::string caught = failure(*device, [&](LaunchContext& context) {
        try {
          launch(context);
        } catch (...) {
        }
      });
      QCOMPARE(caught, said);
    }
    QCOMPARE(failure(*device, [](LaunchContext&) {}), std::string());
  }

  void waitingLanesAreUnwound() {
    const auto device = simt::createSimtDevice();
    Buffer<float> room(*device, 256);
    objectsMade = 0;
    objectsGone = 0;
    QVERIFY(!failure(*device, [&](LaunchContext& context) {
               launchFaulty(context, "waits with an object", room.data());
             }).empty());
    QCOMPARE(objectsMade.load(), 64);
    QCOMPARE(objectsGone.load(), 64);
  }

  void theFirstBlockIsReported() {
    const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 4);
    const auto device = simt::createSimtDevice();
    Buffer<float> room(*device, 256);
    for (int run = 0; run < 20; ++run) {
      const std::string said = failure(*device, [&](LaunchContext& context) {
        launchFaulty(context, "shared index out of range", room.data(), 500);
      });
      QVERIFY2(said.find("of block 0 ") != std::string::npos, said.c_str());
    }
    device->setSchedule({Order::reverse, 0});
    const std::string said = failure(*device, [&](LaunchContext& context) {
      launchFaulty(context, "shared index out of range", room.data(), 500);
    });
    QVERIFY2(said.find("of block 499 ") != std::string::npos, said.c_str());
  }

  void shapesThatCannotBe() {
    const auto device = simt::createSimtDevice();
    Buffer<float> room(*device, 256);
    for (const int threads : {-1, 1025, 100000}) {
      const std::string said = failure(*device, [&](LaunchContext& context) {
        launchFaulty(context, "two barriers", room.data(), 1, threads);
      });
      QVERIFY2(said.find("invalid configuration") != std::string::npos, said.c_str());
      QVERIFY2(said.find(std::to_string(threads) + " threads") != std::string::npos, said.c_str());
    }
    const std::string none =
        failure(*device, [&](LaunchContext& context) { indices(context, nullptr, 1, 0); });
    QVERIFY2(none.find("cannot have 0 threads") != std::string::npos, none.c_str());
    const std::string grid = failure(
        *device, [&](LaunchContext& context) { indices(context, nullptr, std::size_t{1} << 31, 32); });
    QVERIFY2(grid.find("2147483648 blocks") != std::string::npos, grid.c_str());

    const std::size_t most = device->info().sharedBytesPerBlock;
    QCOMPARE(most, std::size_t{232448});
    QVERIFY(failure(*device, [&](LaunchContext& context) { wantsShared(context, most); }).empty());
    const std::string shared =
        failure(*device, [&](LaunchContext& context) { wantsShared(context, most + 1); });
    QVERIFY2(shared.find("232449 bytes of shared memory") != std::string::npos, shared.c_str());
  }

  void aKernelsOwnLimitOfThreads() {
    const auto device = simt::createSimtDevice();
    Buffer<int> ran(*device, 1);
    for (const int bound : {512, 1024}) {
      ran.fill(0);
      QVERIFY(failure(*device, [&](LaunchContext& context) {
                bounded(context, bound, bound, ran.data());
              }).empty());
      QCOMPARE(ran.download().front(), bound);
      const std::string said =
          failure(*device, [&](LaunchContext& context) { bounded(context, bound, bound + 32, ran.data()); });
      QVERIFY2(said.find(bound == 1024 ? "invalid configuration" : "at most " + std::to_string(bound)) !=
                   std::string::npos,
               said.c_str());
      QCOMPARE(ran.download().front(), bound);
    }
  }
};

QTEST_GUILESS_MAIN(TestSimtFaults)
#include "tst_simt_faults.moc"
