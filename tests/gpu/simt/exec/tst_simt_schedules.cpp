// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/simt/exec/simt_race_kernels.hpp"
#include "tests/gpu/simt/exec/simt_word_kernels.hpp"

#include <QTest>

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>

using namespace lloyd;
using namespace lloyd::test;
using Order = simt::Schedule::Order;

namespace {

constexpr std::size_t blocks = 8;
constexpr int threads = 96;
constexpr std::size_t n = blocks * threads;

/// What inOrder() says on a fresh device: the sum, and the threads in the order in which they came.
std::vector<float> comeBy(const simt::Schedule& schedule) {
  const auto device = simt::createSimtDevice();
  device->setSchedule(schedule);
  device->startRecording(); // one block at a time
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = (i % 2 == 0 ? 1.0f : -1.0f) / static_cast<float>(i + 1);
  Buffer<float> in(*device, n);
  in.upload(values);
  Buffer<float> out(*device, n + 2);
  out.fill(0);
  device->launch("a test",
                 [&](LaunchContext& context) { inOrder(context, in.data(), out.data(), blocks, threads); });
  std::vector<float> found = out.download();
  found.pop_back();
  return found;
}

bool sameLines(const simt::Trace& a, const simt::Trace& b) {
  return std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(),
                    [](const simt::Trace::Line& one, const simt::Trace::Line& other) {
                      return one.file == other.file && one.line == other.line &&
                             one.counters == other.counters;
                    });
}

} // namespace

/// The order in which blocks and lanes get their turns, and what depends on it.
class TestSimtSchedules : public QObject {
  Q_OBJECT

private slots:
  void theOrderIsTheOneAskedFor() {
    const std::vector<float> forward = comeBy({Order::forward, 0});
    const std::vector<float> reverse = comeBy({Order::reverse, 0});
    for (std::size_t i = 0; i < n; ++i) {
      QCOMPARE(forward[1 + i], static_cast<float>(i));
      QCOMPARE(reverse[1 + i], static_cast<float>(n - 1 - i));
    }
  }

  void seedsGiveOrdersOfTheirOwn() {
    std::set<std::vector<float>> orders;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const std::vector<float> order = comeBy({Order::seeded, seed});
      QCOMPARE(comeBy({Order::seeded, seed}), order);
      std::vector<float> came(order.begin() + 1, order.end());
      // Lanes of a warp stay together; warps, the lanes in them and blocks are shuffled.
      for (std::size_t first = 0; first < n; first += 32)
        for (std::size_t i = first; i < first + 32; ++i)
          QCOMPARE(static_cast<int>(came[i]) / 32, static_cast<int>(came[first]) / 32);
      QVERIFY(static_cast<int>(came[0]) / threads != 0 || static_cast<int>(came[threads]) / threads != 1 ||
              static_cast<int>(came[std::size_t{2} * threads]) / threads != 2);
      std::sort(came.begin(), came.end());
      std::vector<float> all(n);
      std::iota(all.begin(), all.end(), 0.0f);
      QCOMPARE(came, all);
      orders.insert(order);
    }
    QCOMPARE(orders.size(), std::size_t{6});
  }

  void whatDependsOnTheOrderShows() {
    std::set<float> sums{comeBy({Order::forward, 0})[0], comeBy({Order::reverse, 0})[0]};
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
      sums.insert(comeBy({Order::seeded, seed})[0]);
    QVERIFY2(sums.size() >= 3, "a sum of floats by atomics came out the same in every order");
  }

  void theSameOrderGivesTheSameTrace() {
    for (const bool barrier : {true, false}) {
      std::vector<simt::Trace> traces;
      for (int run = 0; run < 2; ++run) {
        const auto device = simt::createSimtDevice();
        device->setSchedule({Order::seeded, 5});
        std::vector<float> values(std::size_t{4} * 256, 1.0f);
        Buffer<float> in(*device, values.size());
        in.upload(values);
        Buffer<float> out(*device, 4);
        device->startRecording();
        device->launch("a test",
                       [&](LaunchContext& context) { tree(context, in.data(), out.data(), 4, barrier); });
        traces.push_back(device->stopRecording());
      }
      QVERIFY(traces[0].counters == traces[1].counters);
      QVERIFY(!traces[0].lines.empty());
      QVERIFY(sameLines(traces[0], traces[1]));
      QCOMPARE(traces[0].races, traces[1].races);
      QCOMPARE(traces[0].examples.size(), traces[1].examples.size());
      for (std::size_t i = 0; i < traces[0].examples.size(); ++i)
        QCOMPARE(traces[0].examples[i].what, traces[1].examples[i].what);
    }
  }

  /// Blocks on several OS threads: results that do not depend on the order are the same.
  void severalThreadsGiveTheSame() {
    const oneapi::tbb::global_control four(oneapi::tbb::global_control::max_allowed_parallelism, 4);
    const auto device = simt::createSimtDevice();
    constexpr std::size_t many = 400;
    std::vector<float> values(many * 256);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i % 17);
    Buffer<float> in(*device, values.size());
    in.upload(values);
    Buffer<float> out(*device, many);
    std::vector<unsigned> ones(many * 64, 1);
    Buffer<unsigned> add(*device, ones.size());
    add.upload(ones);
    Buffer<unsigned> cell(*device, 1);
    Buffer<unsigned> before(*device, ones.size());
    std::vector<float> expected(many);
    for (std::size_t block = 0; block < many; ++block)
      for (std::size_t i = 0; i < 256; ++i)
        expected[block] += values[block * 256 + i];
    for (const Order order : {Order::forward, Order::seeded}) {
      device->setSchedule({order, 9});
      for (int run = 0; run < 10; ++run) {
        out.fill(0);
        device->launch("a test",
                       [&](LaunchContext& context) { tree(context, in.data(), out.data(), many, true); });
        QCOMPARE(out.download(), expected);
        cell.fill(0);
        device->launch("a test", [&](LaunchContext& context) {
          globalAtomic(context, Atomic::add, add.data(), cell.data(), before.data(), many, 64);
        });
        QCOMPARE(cell.download().front(), static_cast<unsigned>(ones.size()));
        std::vector<unsigned> found = before.download(); // each came upon another number
        std::sort(found.begin(), found.end());
        std::vector<unsigned> all(ones.size());
        std::iota(all.begin(), all.end(), 0u);
        QCOMPARE(found, all);
      }
    }
  }

  void cancelEndsALaunch_data() {
    QTest::addColumn<bool>("recording");
    QTest::newRow("recording") << true;
    QTest::newRow("on all threads") << false;
  }

  void cancelEndsALaunch() {
    QFETCH(bool, recording);
    const auto device = simt::createSimtDevice();
    std::atomic<bool> cancel = true;
    Buffer<float> in(*device, 256);
    Buffer<float> out(*device, 1);
    std::vector<float> values(256, 1.0f);
    in.upload(values);
    if (recording) device->startRecording();
    const auto launch = [&](bool afterTheFirst) {
      cancel = !afterTheFirst;
      device->launch("a test", [&](LaunchContext& context) {
        tree(context, in.data(), out.data(), 1, true);
        cancel = true;
        tree(context, in.data(), out.data(), 1, true);
      });
    };
    device->setCancel(&cancel);
    QVERIFY_EXCEPTION_THROWN(launch(false), Cancelled);
    QVERIFY_EXCEPTION_THROWN(launch(true), Cancelled);
    QCOMPARE(out.download().front(), 256.0f);
    device->setCancel(nullptr);
    out.fill(0);
    device->launch("a test", [&](LaunchContext& context) { tree(context, in.data(), out.data(), 1, true); });
    QCOMPARE(out.download().front(), 256.0f);
  }
};

QTEST_GUILESS_MAIN(TestSimtSchedules)
#include "tst_simt_schedules.moc"
