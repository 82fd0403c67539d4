// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/simt/exec/simt_toy_kernels.hpp"

#include <QTest>

#include <algorithm>
#include <array>

using namespace lloyd;
using namespace lloyd::test;
using simt::Counters;

namespace {

/// Every member by its name, so that a difference says which.
QString describe(const Counters& c) {
  return QString(
             "loads %1/%2 stores %3/%4 shared %5 conflicts %6 barriers %7 collectives %8 shared atomics %9 ")
             .arg(c.globalLoadRequests)
             .arg(c.globalLoadSectors)
             .arg(c.globalStoreRequests)
             .arg(c.globalStoreSectors)
             .arg(c.sharedRequests)
             .arg(c.bankConflicts)
             .arg(c.barriers)
             .arg(c.warpCollectives)
             .arg(c.sharedAtomics) +
         QString("global atomics %1 requests %2 lanes %3").arg(c.globalAtomics).arg(c.requests).arg(c.lanes);
}

/// One launch on a fresh device that records it.
template <class Work>
simt::Trace traceOf(std::size_t floats, const simt::Schedule& schedule, const Work& work) {
  const auto device = simt::createSimtDevice();
  device->setSchedule(schedule);
  std::vector<float> values(floats);
  for (std::size_t i = 0; i < floats; ++i)
    values[i] = static_cast<float>(i % 7);
  Buffer<float> in(*device, floats);
  in.upload(values);
  Buffer<float> out(*device, 4096);
  out.fill(0);
  device->startRecording();
  device->launch("a test", [&](LaunchContext& context) { work(context, in.data(), out.data()); });
  return device->stopRecording();
}

const simt::Schedule forward{simt::Schedule::Order::forward, 0};
const simt::Schedule seeded{simt::Schedule::Order::seeded, 77};

} // namespace

/// What is counted, against what was counted by hand.
class TestSimtCounters : public QObject {
  Q_OBJECT

private slots:
  void sums_data() {
    QTest::addColumn<int>("blocks");
    QTest::addColumn<Counters>("expected"); // of one block
    // 8 warps load and store once; step after step d = 1 ... 128 asks for 3 requests (two loads, one store)
    // of each warp with a lane at work: all 8 warps for d = 1 ... 16, then 4, 2 and 1; the sum is read once
    // and stored once. 8 + 3 (5 * 8 + 4 + 2 + 1) + 1 = 150 on shared memory, no two words of one bank in any:
    // lanes that are 2d apart touch words that are 2d apart, at most 32 / 2d of a warp. Lanes: 256 + 256, 3
    // (128 + 64 + ... + 1) = 765, 1 + 1.
    QTest::newRow("modulo") << 3
                            << counted({8, 32, 1, 1, 150, 0, 9, 0, 0, 0, 8 + 150 + 1, 256 + 256 + 765 + 2});
    // 128 / d lanes work, one beside the other: 4, 2 warps and then 1. 8 + 3 (4 + 2 + 6) + 1 = 45. Lane t
    // touches word 2dt (and + d): for d = 1 two words in each of 16 banks, one conflict a request, 3 * 4 =
    // 12; for d = 2 four words in 8 banks, 3 conflicts in 3 * 2 requests, 18; then 3 * 7 three times (32
    // lanes in 4 banks, 16 in 2, 8 in 1), 3 * 3 and 3 * 1.
    QTest::newRow("strided") << 3
                             << counted({8, 32, 1, 1, 45, 12 + 18 + 21 + 21 + 21 + 9 + 3, 9, 0, 0, 0,
                                         8 + 45 + 1, 256 + 256 + 765 + 2});
    QTest::newRow("sequential") << 3
                                << counted({8, 32, 1, 1, 45, 0, 9, 0, 0, 0, 8 + 45 + 1, 256 + 256 + 765 + 2});
    // Its own part stays in a register: a step is one load and one store.
    QTest::newRow("add on load") << 3
                                 << counted({16, 64, 1, 1, 8 + 2 * 12, 0, 9, 0, 0, 0, 16 + 32 + 1,
                                             512 + 256 + 2 * 255 + 1});
    // d = 128 and 64, then one load by the last warp.
    QTest::newRow("shuffles") << 3
                              << counted({16, 64, 1, 1, 8 + 2 * (4 + 2) + 1, 0, 3, 5, 0, 0, 16 + 21 + 1,
                                          512 + 256 + 2 * (128 + 64) + 32 + 1});
    // Each thread has two values. 8 warps and then one fold in 5 shuffles; 8 lanes store, 8 lanes of one warp
    // load; one atomic, which is no store.
    QTest::newRow("grid stride") << 3
                                 << counted(
                                        {16, 64, 0, 0, 8 + 1, 0, 1, 45, 0, 1, 16 + 9 + 1, 512 + 8 + 8 + 1});
  }

  void sums() {
    QFETCH(int, blocks);
    QFETCH(Counters, expected);
    const auto many = static_cast<std::size_t>(blocks);
    Counters all;
    for (int block = 0; block < blocks; ++block)
      all += expected;
    for (const simt::Schedule& schedule : {forward, seeded}) {
      const simt::Trace trace =
          traceOf(many * 512, schedule, [&](LaunchContext& context, float* in, float* out) {
            launchSum(context, QTest::currentDataTag(), in, out, many);
          });
      QCOMPARE(describe(trace.counters), describe(all));
      QCOMPARE(trace.races, std::uint64_t{0});
      checkLines(trace);
    }
  }

  void accesses_data() {
    QTest::addColumn<Counters>("expected");
    QTest::newRow("consecutive") << counted({1, 4, 1, 4, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("shifted by one") << counted({1, 5, 1, 4, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("every third") << counted({1, 12, 1, 4, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("every eighth") << counted({1, 32, 1, 4, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("all the same") << counted({1, 1, 1, 4, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("reversed") << counted({1, 4, 1, 32, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("quadruples") << counted({1, 16, 1, 16, 0, 0, 0, 0, 0, 0, 2, 64});
    // 384 bytes: some records lie in two sectors, and no sector is counted twice.
    QTest::newRow("triples") << counted({1, 12, 1, 4, 0, 0, 0, 0, 0, 0, 2, 64});
    QTest::newRow("few lanes") << counted({1, 4, 1, 4, 0, 0, 0, 0, 0, 0, 2, 8});
    // Round i is of lanes i and above, all on one float: 32 requests of one sector.
    QTest::newRow("rounds") << counted({32, 32, 1, 4, 0, 0, 0, 0, 0, 0, 33, 528 + 32});
    QTest::newRow("apart") << counted({2, 4, 1, 4, 0, 0, 2, 0, 0, 0, 3, 64});
    QTest::newRow("two on a line") << counted({2, 8, 1, 4, 0, 0, 0, 0, 0, 0, 3, 96});
    QTest::newRow("atomics") << counted({0, 0, 0, 0, 2, 0, 2, 0, 1, 1, 4, 4 + 32 + 4 + 4});
    QTest::newRow("banks, stride 1") << counted({0, 0, 1, 4, 2, 0, 0, 0, 0, 0, 3, 96});
    QTest::newRow("banks, stride 2") << counted({0, 0, 1, 4, 2, 2, 0, 0, 0, 0, 3, 96});
    QTest::newRow("banks, stride 31") << counted({0, 0, 1, 4, 2, 0, 0, 0, 0, 0, 3, 96});
    QTest::newRow("banks, stride 32") << counted({0, 0, 1, 4, 2, 62, 0, 0, 0, 0, 3, 96});
    // A half warp of doubles fills the banks once; with every second one, two words meet in each of 16 banks.
    QTest::newRow("banks, doubles") << counted({0, 0, 1, 4, 2, 0, 0, 0, 0, 0, 3, 96});
    QTest::newRow("banks, every second double") << counted({0, 0, 1, 4, 2, 4, 0, 0, 0, 0, 3, 96});
    // A quarter of a warp: 8 lanes of 4 words; with every eighth, all 8 lanes in the same 4 banks.
    QTest::newRow("banks, quadruples") << counted({0, 0, 1, 4, 2, 0, 0, 0, 0, 0, 3, 96});
    QTest::newRow("banks, every eighth quadruple")
        << counted({0, 0, 1, 4, 2, std::uint64_t{2} * 4 * 7, 0, 0, 0, 0, 3, 96});
    QTest::newRow("broadcast") << counted({0, 0, 1, 4, 3, 1, 1, 0, 0, 0, 4, 128});
  }

  void accesses() {
    QFETCH(Counters, expected);
    for (const simt::Schedule& schedule : {forward, seeded}) {
      const simt::Trace trace = traceOf(4096, schedule, [&](LaunchContext& context, float* in, float* out) {
        launchAccess(context, QTest::currentDataTag(), in, out);
      });
      QCOMPARE(describe(trace.counters), describe(expected));
      checkLines(trace);
    }
  }

  void turnsOfAtomics_data() {
    QTest::addColumn<int>("shared");
    QTest::addColumn<int>("global");
    QTest::newRow("all on one word") << 32 << 32;
    QTest::newRow("a bank each") << 1 << 1;
    QTest::newRow("two words a bank") << 2 << 1;
    QTest::newRow("four lanes a word") << 4 << 4;
    QTest::newRow("all words in one bank") << 32 << 1;
    // Bank 0 serves the eight lanes and the four; no address has more than the eight.
    QTest::newRow("a mixture") << 12 << 8;
    QTest::newRow("doubles") << 2 << 1; // each of two words
    QTest::newRow("atomics") << 8 << 1;
  }

  void turnsOfAtomics() {
    QFETCH(int, shared);
    QFETCH(int, global);
    for (const simt::Schedule& schedule : {forward, seeded}) {
      const simt::Trace trace = traceOf(4096, schedule, [&](LaunchContext& context, float* in, float* out) {
        launchAccess(context, QTest::currentDataTag(), in, out);
      });
      QCOMPARE(trace.counters.sharedAtomics, std::uint64_t{1});
      QCOMPARE(trace.counters.globalAtomics, std::uint64_t{1});
      QCOMPARE(trace.counters.sharedAtomicTurns, static_cast<std::uint64_t>(shared));
      QCOMPARE(trace.counters.globalAtomicTurns, static_cast<std::uint64_t>(global));
    }
  }

  void linesExecuted_data() {
    QTest::addColumn<int>("lines");
    QTest::addColumn<int>("lanes");
    QTest::newRow("consecutive") << 2 << 64;
    QTest::newRow("half branch") << 2 << 16 + 32;
    // Two lines one way, one the other, and the store.
    QTest::newRow("either branch") << 4 << 8 + 8 + 24 + 32;
    QTest::newRow("four rounds") << 5 << 5 * 32;
    // Round i is of lanes i and above.
    QTest::newRow("rounds") << 33 << 528 + 32;
    // Two loads and a store on one line.
    QTest::newRow("two on a line") << 1 << 32;
    QTest::newRow("apart") << 3 << 16 + 16 + 32;
  }

  void linesExecuted() {
    QFETCH(int, lines);
    QFETCH(int, lanes);
    for (const simt::Schedule& schedule : {forward, seeded}) {
      const simt::Trace trace = traceOf(4096, schedule, [&](LaunchContext& context, float* in, float* out) {
        launchAccess(context, QTest::currentDataTag(), in, out);
      });
      QCOMPARE(trace.counters.warpLines, static_cast<std::uint64_t>(lines));
      QCOMPARE(trace.counters.warpLineLanes, static_cast<std::uint64_t>(lanes));
      QCOMPARE(trace.counters.lanesPerLine(), static_cast<double>(lanes) / lines);
    }
  }

  /// The first steps of Harris' ladder are about divergence: one block of 256 adds the same values, and both
  /// its kernels put the same lanes to work on their 8 steps.
  void divergenceOfSums_data() {
    QTest::addColumn<int>("lines");
    QTest::addColumn<int>("lanes");
    // 8 warps fill; steps d = 1 ... 16 of all 8 warps, then 4, 2 and 1; one lane stores.
    QTest::newRow("modulo") << 8 + 5 * 8 + 4 + 2 + 1 + 1 << 256 + 255 + 1;
    // 4, 2 and then 1 warp six times.
    QTest::newRow("sequential") << 8 + 4 + 2 + 6 + 1 << 256 + 255 + 1;
    // Each warp loads twice, folds in five exchanges and stores with one lane; the first warp loads with 8
    // lanes, folds, and adds with one.
    QTest::newRow("grid stride") << 8 * (2 + 5 + 1) + 1 + 5 + 1 << 8 * (64 + 160 + 1) + 8 + 160 + 1;
  }

  void divergenceOfSums() {
    QFETCH(int, lines);
    QFETCH(int, lanes);
    for (const simt::Schedule& schedule : {forward, seeded}) {
      const simt::Trace trace = traceOf(512, schedule, [&](LaunchContext& context, float* in, float* out) {
        launchSum(context, QTest::currentDataTag(), in, out, 1);
      });
      QCOMPARE(trace.counters.warpLines, static_cast<std::uint64_t>(lines));
      QCOMPARE(trace.counters.warpLineLanes, static_cast<std::uint64_t>(lanes));
    }
  }

  void launchesAddUp() {
    const auto once = traceOf(1024, forward, [&](LaunchContext& context, float* in, float* out) {
      launchSum(context, "shuffles", in, out, 2);
    });
    const auto twice = traceOf(1024, forward, [&](LaunchContext& context, float* in, float* out) {
      launchSum(context, "shuffles", in, out, 2);
      launchSum(context, "shuffles", in, out, 2);
    });
    Counters sum = once.counters;
    sum += once.counters;
    QCOMPARE(describe(twice.counters), describe(sum));
    QCOMPARE(once.lines.size(), twice.lines.size());
    QCOMPARE(once.counters.lanesPerRequest(),
             static_cast<double>(once.counters.lanes) / static_cast<double>(once.counters.requests));
    QCOMPARE(Counters().lanesPerRequest(), 0.0);
    QCOMPARE(Counters().lanesPerLine(), 0.0);
    QCOMPARE(twice.counters, sum);
  }

private:
  static Counters counted(const std::array<std::uint64_t, 12>& values) {
    return {values[0], values[1], values[2], values[3], values[4],  values[5],
            values[6], values[7], values[8], values[9], values[10], values[11]};
  }

  /// Lines are sorted, name this repository's file, and add up to the whole.
  static void checkLines(const simt::Trace& trace) {
    Counters sum;
    for (const simt::Trace::Line& line : trace.lines) {
      QCOMPARE(line.file, std::string("tests/gpu/simt/exec/simt_toy_kernels.cpp"));
      QVERIFY(line.line > 0);
      sum += line.counters;
    }
    QCOMPARE(describe(sum), describe(trace.counters));
    QVERIFY(sum == trace.counters);
    QVERIFY(std::is_sorted(
        trace.lines.begin(), trace.lines.end(),
        [](const simt::Trace::Line& a, const simt::Trace::Line& b) { return a.line < b.line; }));
    QVERIFY(!trace.lines.empty());
  }
};

QTEST_GUILESS_MAIN(TestSimtCounters)
#include "tst_simt_counters.moc"
