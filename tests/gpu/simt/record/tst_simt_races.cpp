// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/simt/exec/simt_race_kernels.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;
using Order = simt::Schedule::Order;

namespace {

const std::vector<simt::Schedule>& schedules() {
  static const std::vector<simt::Schedule> all{
      {Order::forward, 0}, {Order::reverse, 0}, {Order::seeded, 1}, {Order::seeded, 2}, {Order::seeded, 3}};
  return all;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

/// Races in shared memory are found under every schedule, and nothing else is called one.
class TestSimtRaces : public QObject {
  Q_OBJECT

private slots:
  void aMissingBarrierIsFound() {
    constexpr std::size_t blocks = 4;
    const auto device = simt::createSimtDevice();
    std::vector<float> values(blocks * 256, 1.0f);
    Buffer<float> in(*device, values.size());
    in.upload(values);
    Buffer<float> out(*device, blocks);
    std::size_t right = 0;
    for (const simt::Schedule& schedule : schedules()) {
      device->setSchedule(schedule);
      for (const bool barrier : {true, false}) {
        device->startRecording();
        device->launch(
            "a test", [&](LaunchContext& context) { tree(context, in.data(), out.data(), blocks, barrier); });
        const simt::Trace trace = device->stopRecording();
        const bool sumsRight = out.download() == std::vector<float>(blocks, 256.0f);
        // Each of the words that a step both reads and writes: 0 to 126 in every block. Word 127 is read once
        // the step after it was added to, by its own thread alone when it is written.
        QCOMPARE(trace.races, barrier ? std::uint64_t{0} : std::uint64_t{blocks * 127});
        QCOMPARE(trace.sameValueRaces, std::uint64_t{0});
        if (barrier) {
          QVERIFY(sumsRight);
          QVERIFY(trace.examples.empty());
          continue;
        }
        right += sumsRight ? 1 : 0;
        QVERIFY(!trace.examples.empty());
        const std::string& what = trace.examples.front().what;
        QVERIFY2(contains(what, "of the shared array partial"), what.c_str());
        QVERIFY2(contains(what, "tests/gpu/simt/exec/simt_race_kernels.cpp:"), what.c_str());
        QVERIFY2(contains(what, "(warp "), what.c_str());
        QVERIFY(!trace.examples.front().sameValue);
      }
    }
    // A wrong kernel may well give the right sum: that is why races are looked for, and not only results.
    QVERIFY(right > 0);
    QVERIFY(right < schedules().size());
  }

  void eachKindIsTold_data() {
    QTest::addColumn<int>("races");
    QTest::addColumn<int>("sameValue");
    QTest::newRow("flag") << 0 << 1;
    QTest::newRow("the last one comes through") << 1 << 0;
    QTest::newRow("read too early") << 1 << 0;
    QTest::newRow("a reader writes") << 1 << 0;
    QTest::newRow("atomics only") << 0 << 0;
    QTest::newRow("atomic and store") << 1 << 0;
    QTest::newRow("atomic and load") << 1 << 0;
    QTest::newRow("neighbours, nothing between") << 64 << 0;
    QTest::newRow("neighbours, __syncwarp") << 0 << 0;
    QTest::newRow("neighbours, a vote") << 0 << 0;
    QTest::newRow("neighbours, a shuffle") << 0 << 0;
    QTest::newRow("neighbours, pairs") << 0 << 0;
    QTest::newRow("neighbours, other pairs") << 64 << 0;
    QTest::newRow("across warps") << 64 << 0;
  }

  void eachKindIsTold() {
    QFETCH(int, races);
    QFETCH(int, sameValue);
    const auto device = simt::createSimtDevice();
    Buffer<float> out(*device, 64);
    std::size_t faults = 0;
    for (const simt::Schedule& schedule : schedules()) {
      device->setSchedule(schedule);
      device->startRecording();
      try {
        device->launch("a test", [&](LaunchContext& context) {
          launchRace(context, QTest::currentDataTag(), out.data());
        });
      } catch (const std::exception&) {
        ++faults; // a lane came to a cell before its neighbour had written it: told in other words
      }
      const simt::Trace trace = device->stopRecording();
      if (!trace.faults.empty()) {
        QVERIFY(races > 0);
        QVERIFY2(contains(trace.faults.front(), "to which no thread of the block has stored yet"),
                 trace.faults.front().c_str());
        QVERIFY2(contains(trace.faults.front(), ": a race, for thread ") &&
                     contains(trace.faults.front(), " stores to it at "),
                 trace.faults.front().c_str());
        continue;
      }
      QCOMPARE(trace.races, static_cast<std::uint64_t>(races));
      QCOMPARE(trace.sameValueRaces, static_cast<std::uint64_t>(sameValue));
      QCOMPARE(trace.examples.empty(), races + sameValue == 0);
      for (const simt::Race& race : trace.examples)
        QCOMPARE(race.sameValue, sameValue > 0);
    }
    const std::string name = QTest::currentDataTag();
    const bool mayFault = name == "neighbours, nothing between" || name == "neighbours, other pairs";
    QVERIFY(mayFault || faults == 0);
  }
};

QTEST_GUILESS_MAIN(TestSimtRaces)
#include "tst_simt_races.moc"
