// SPDX-License-Identifier: GPL-3.0-or-later
// Races in global memory, which no order of blocks shows in a result.
#include "gpu/kernels/kernel.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QTest>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

using namespace lloyd;

namespace {

constexpr unsigned blocks = 4;
constexpr unsigned threads = 64;
constexpr std::size_t words = std::size_t{blocks} * threads;

LLOYD_KERNEL sumPlainly(LLOYD_GLOBAL(unsigned) room) {
  if (threadIdx.x == 0) room[0] = room[0] + 1;
}
LLOYD_KERNEL sumByAtomics(LLOYD_GLOBAL(unsigned) room) { atomicAdd(&room[0], 1U); }
LLOYD_KERNEL storeOne(LLOYD_GLOBAL(unsigned) room) {
  if (threadIdx.x == 0) room[0] = 1;
}
LLOYD_KERNEL storeOwnNumber(LLOYD_GLOBAL(unsigned) room) {
  if (threadIdx.x == 0) room[0] = blockIdx.x + 1;
}
LLOYD_KERNEL storeOwnWord(LLOYD_GLOBAL(unsigned) room) { room[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
/// The block that counts itself last adds what all have left.
LLOYD_KERNEL sumBehindCounter(LLOYD_GLOBAL(unsigned) room) {
  if (threadIdx.x != 0) return;
  room[1 + blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(&room[0], 1U) != gridDim.x - 1) return;
  unsigned sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block)
    sum += room[1 + block];
  room[1 + gridDim.x] = sum;
}
LLOYD_KERNEL sumBesideCounter(LLOYD_GLOBAL(unsigned) room) {
  if (threadIdx.x != 0) return;
  const bool isLast = atomicAdd(&room[0], 1U) == gridDim.x - 1;
  room[1 + blockIdx.x] = blockIdx.x;
  if (!isLast) return;
  unsigned sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block)
    sum += room[1 + block];
  room[1 + gridDim.x] = sum;
}
LLOYD_KERNEL readWhatIsCounted(LLOYD_GLOBAL(unsigned) room) {
  if (threadIdx.x != 0) return;
  const unsigned before = room[0];
  atomicAdd(&room[0], before + 1);
}
LLOYD_KERNEL storeOwnByte(LLOYD_GLOBAL(std::uint8_t) bytes) {
  if (threadIdx.x == 0) bytes[blockIdx.x] = static_cast<std::uint8_t>(blockIdx.x);
}
LLOYD_KERNEL storeLastByte(LLOYD_GLOBAL(std::uint8_t) bytes) {
  if (threadIdx.x == 0) bytes[2] = 1;
}

struct Kind {
  std::function<void(LaunchContext&, unsigned*)> launch;
  int races = 0;
  int sameValue = 0;
};

const std::map<std::string, Kind>& kinds() {
  const auto of = [](auto kernel) {
    return [kernel](LaunchContext& context, unsigned* memory) {
      launchKernel(context, {blocks, threads}, kernel, global(memory, words));
    };
  };
  static const std::map<std::string, Kind> all{
      {"a sum without atomics", {of(sumPlainly), 1, 0}},
      {"a sum by atomics", {of(sumByAtomics), 0, 0}},
      {"one value from all", {of(storeOne), 0, 1}},
      {"several values", {of(storeOwnNumber), 1, 0}},
      {"each its own word", {of(storeOwnWord), 0, 0}},
      {"a counter orders", {of(sumBehindCounter), 0, 0}},
      {"a counter comes too early", {of(sumBesideCounter), blocks - 1, 0}},
      {"a load of what is counted", {of(readWhatIsCounted), 1, 0}},
      {"each its own byte",
       {[](LaunchContext& context, unsigned* memory) {
          launchKernel(context, {blocks, threads}, storeOwnByte,
                       global(reinterpret_cast<std::uint8_t*>(memory), words));
        },
        0, 0}}};
  return all;
}

} // namespace

class TestBlockRaces : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void areToldUnderEveryOrder_data() {
    QTest::addColumn<QString>("kind");
    for (const auto& [kind, what] : kinds())
      QTest::newRow(kind.c_str()) << QString::fromStdString(kind);
  }
  void areToldUnderEveryOrder() {
    QFETCH(QString, kind);
    const Kind& what = kinds().at(kind.toStdString());
    const auto device = simt::createSimtDevice();
    Buffer<unsigned> memory(*device, words);
    using Order = simt::Schedule::Order;
    for (const simt::Schedule& schedule :
         {simt::Schedule{Order::forward, 0}, simt::Schedule{Order::reverse, 0},
          simt::Schedule{Order::seeded, 1}, simt::Schedule{Order::seeded, 2}}) {
      device->setSchedule(schedule);
      memory.fill(0);
      device->startRecording();
      device->launch("a test", [&](LaunchContext& context) { what.launch(context, memory.data()); });
      const simt::Trace trace = device->stopRecording();
      QCOMPARE(trace.races, static_cast<std::uint64_t>(what.races));
      QCOMPARE(trace.sameValueRaces, static_cast<std::uint64_t>(what.sameValue));
      QCOMPARE(trace.examples.empty(), what.races + what.sameValue == 0);
      for (const simt::Race& race : trace.examples) {
        QCOMPARE(race.sameValue, what.sameValue > 0);
        QVERIFY2(race.what.starts_with("global memory: thread ") &&
                     race.what.find(" at tests/gpu/simt/record/tst_block_races.cpp:") != std::string::npos,
                 race.what.c_str());
      }
    }
  }

  /// What is compared are the bytes that were stored: behind them the array may end.
  void anArrayOfThreeBytes() {
    const auto device = simt::createSimtDevice();
    Buffer<std::uint8_t> memory(*device, 3);
    memory.fill(0);
    device->startRecording();
    device->launch("a test", [&](LaunchContext& context) {
      launchKernel(context, {blocks, threads}, storeLastByte, global(memory.data(), 3));
    });
    const simt::Trace trace = device->stopRecording();
    QCOMPARE(trace.races, std::uint64_t{0});
    QCOMPARE(trace.sameValueRaces, std::uint64_t{1});
  }

  /// Word by word, and only those that the block takes part in.
  void ofOneBlockAllAreKept() {
    for (const std::uint32_t kept : {0U, blocks - 1}) {
      const auto device = simt::createSimtDevice();
      Buffer<unsigned> memory(*device, words);
      memory.fill(0);
      device->startRecording();
      device->keepSteps(kept);
      device->launch("a test", [&](LaunchContext& context) {
        launchKernel(context, {blocks, threads}, sumBesideCounter, global(memory.data(), words));
      });
      // The last block reads what each of the others stored too late.
      const std::vector<simt::BlockRecord::BetweenBlocks> races = device->stopRecording().block.betweenBlocks;
      QCOMPARE(races.size(), std::size_t{kept == 0 ? 1 : blocks - 1});
      for (std::size_t race = 0; race < races.size(); ++race) {
        const auto& [word, launch, sameValue, here, there] = races[race];
        QCOMPARE(word, reinterpret_cast<std::uintptr_t>(memory.data() + 1 + race));
        QVERIFY(launch == 0 && !sameValue);
        QCOMPARE(here.block, kept);
        QCOMPARE(there.block, kept == 0 ? blocks - 1 : static_cast<std::uint32_t>(race));
        QVERIFY(here.asked == (kept == 0 ? simt::Asked::globalStore : simt::Asked::globalLoad));
      }
    }
  }

  /// What one launch left, another may change.
  void launchesAreOrdered() {
    const auto device = simt::createSimtDevice();
    Buffer<unsigned> memory(*device, 1);
    memory.fill(0);
    device->startRecording();
    for (int launch = 0; launch < 3; ++launch)
      device->launch("a test", [&](LaunchContext& context) {
        launchKernel(context, {1, threads}, sumPlainly, global(memory.data(), 1));
      });
    QCOMPARE(device->stopRecording().races, std::uint64_t{0});
    QCOMPARE(memory.download(), std::vector<unsigned>{3});
  }
};

QTEST_GUILESS_MAIN(TestBlockRaces)
#include "tst_block_races.moc"
