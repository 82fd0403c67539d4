// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/occupancy/occupancy.hpp"

#include <QTest>

#include <array>
#include <cmath>

using namespace lloyd;

namespace {

constexpr std::array<int, 6> blocks{32, 64, 128, 256, 512, 1024};

} // namespace

class TestOccupancy : public QObject {
  Q_OBJECT
private slots:
  /// Per cent at 32 to 1,024 threads, worked out by hand from the guide's limits; -1: refused.
  void percentages_data() {
    using Row = std::array<int, 6>;
    QTest::addColumn<int>("card");
    QTest::addColumn<int>("registers");
    QTest::addColumn<QList<int>>("expected");
    const auto row = [](int card, int registers, const Row& expected) {
      QTest::addRow("cc %d.%d, %d registers", card / 10, card % 10, registers)
          << card << registers << QList<int>(expected.begin(), expected.end());
    };
    constexpr Row refused{-1, -1, -1, -1, -1, -1};
    row(30, 32, {25, 50, 100, 100, 100, 100});
    row(52, 32, {50, 100, 100, 100, 100, 100});
    row(75, 32, {50, 100, 100, 100, 100, 100});
    row(86, 32, {33, 67, 100, 100, 100, 67});
    row(90, 32, {50, 100, 100, 100, 100, 100});
    row(30, 40, {25, 50, 75, 75, 75, 50});
    row(52, 40, {50, 75, 75, 75, 75, 50});
    row(75, 40, {50, 100, 100, 100, 100, 100});
    row(86, 40, {33, 67, 100, 100, 100, 67});
    row(90, 40, {50, 75, 75, 75, 75, 50});
    row(30, 64, refused);
    row(52, 64, {50, 50, 50, 50, 50, 50});
    row(75, 64, {50, 100, 100, 100, 100, 100});
    row(86, 64, {33, 67, 67, 67, 67, 67});
    row(90, 64, {50, 50, 50, 50, 50, 50});
    row(30, 96, refused);
    row(52, 96, {31, 31, 31, 25, 25, -1});
    row(75, 96, {50, 63, 63, 50, 50, -1});
    row(86, 96, {33, 42, 42, 33, 33, -1});
    row(90, 96, {31, 31, 31, 25, 25, -1});
    row(30, 128, refused);
    row(52, 128, {25, 25, 25, 25, 25, -1});
    row(75, 128, {50, 50, 50, 50, 50, -1});
    row(86, 128, {33, 33, 33, 33, 33, -1});
    row(90, 128, {25, 25, 25, 25, 25, -1});
  }
  void percentages() {
    QFETCH(int, card);
    QFETCH(int, registers);
    QFETCH(QList<int>, expected);
    const auto limits = cardLimits(card);
    QVERIFY(limits.has_value());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const LaunchNeeds needs{.threads = blocks[i], .registers = registers};
      const Occupancy found = occupancy(*limits, needs);
      const int percent = found.blocks == 0 ? -1 : static_cast<int>(std::lround(100 * found.share));
      QCOMPARE(percent, expected[static_cast<qsizetype>(i)]);
      QCOMPARE(whyNoLaunch(*limits, needs).has_value(), found.blocks == 0);
    }
  }

  void sharedMemoryBinds() {
    const CardLimits hopper = *cardLimits(90);
    // 227 KiB and the one that CUDA keeps are all there is; of half of that less the kept part there are two.
    QCOMPARE(occupancy(hopper, {64, 32, std::size_t{227} * 1024}).blocks, 1);
    QCOMPARE(occupancy(hopper, {64, 32, std::size_t{113} * 1024}).blocks, 2);
    QCOMPARE(occupancy(hopper, {64, 32, std::size_t{113} * 1024 + 1}).blocks, 1);
    QCOMPARE(occupancy(hopper, {64, 32, std::size_t{228} * 1024}).blocks, 0);
    QVERIFY(whyNoLaunch(hopper, {64, 32, std::size_t{228} * 1024})->find("232448 bytes of shared memory") !=
            std::string::npos);
    QCOMPARE(bindingText(hopper, {64, 32, std::size_t{113} * 1024}),
             std::string("shared memory allows 2 blocks of 64 threads; nothing else binds"));
    QCOMPARE(occupancy(*cardLimits(52), {64, 32, std::size_t{48} * 1024}).blocks, 2);
  }

  void whatBindsIsNamed() {
    const CardLimits hopper = *cardLimits(90);
    QCOMPARE(bindingText(hopper, {256, 40, 0}),
             std::string("registers allow 6 blocks of 256 threads; nothing else binds"));
    QCOMPARE(bindingText(hopper, {32, 16, 0}),
             std::string("the limit of blocks allows 32 blocks of 32 threads; nothing else binds"));
    QCOMPARE(bindingText(hopper, {64, 32, 0}),
             std::string("the limit of threads, the limit of blocks and registers allow 32 blocks of 64 "
                         "threads; nothing else binds"));
    QCOMPARE(bindingText(hopper, {1024, 96, 0}),
             std::string("one block of 1024 threads needs 98304 registers, and a multiprocessor has 65536"));
    QCOMPARE(bindingText(*cardLimits(30), {256, 64, 0}),
             std::string("a thread has at most 63 registers there, and this kernel needs 64"));
    const Occupancy found = occupancy(hopper, {256, 40, 0});
    QCOMPARE(found.roomOf(Resource::threads), 8);
    QCOMPARE(found.roomOf(Resource::registers), 6);
    QCOMPARE(found.usedOf(Resource::threads), 0.75);
    QCOMPARE(found.usedOf(Resource::registers), 48 * 1280 / 65536.0);
  }

  void aCardOfTheSameGenerationStandsIn() {
    QCOMPARE(cardLimits(87)->computeCapability, 86);
    QCOMPARE(cardLimits(103)->computeCapability, 100);
    QVERIFY(!cardLimits(61)); // 6.x is none of those that are known
    QVERIFY(!cardLimits(20));
  }
};

QTEST_GUILESS_MAIN(TestOccupancy)
#include "tst_occupancy.moc"
