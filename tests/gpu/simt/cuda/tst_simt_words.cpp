// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/simt/exec/simt_word_kernels.hpp"

#include <QTest>

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// Uploads values, as a kernel's argument.
template <class T>
Buffer<T> onDevice(Device& device, const std::vector<T>& values) {
  Buffer<T> buffer(device, values.size());
  buffer.upload(values);
  return buffer;
}

/// The lane that a shuffle reads, in the words of the CUDA programming guide.
int sourceLane(Shuffle kind, int lane, int argument, int width) {
  const int segment = lane / width;
  const int within = lane % width;
  switch (kind) {
  case Shuffle::index:
    return segment * width + argument % width;
  case Shuffle::up:
    return within < argument ? lane : lane - argument;
  case Shuffle::down:
    return within + argument >= width ? lane : lane + argument;
  default:
    return (lane ^ argument) / width > segment ? lane : lane ^ argument; // later groups are out of reach
  }
}

/// What a series of atomics on one cell must leave and give back, whatever their order was: the order is
/// told by the values that were found.
template <class T>
T combine(Atomic kind, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    switch (kind) {
    case Atomic::sub:
      return static_cast<T>(a - b);
    case Atomic::max:
      return std::max(a, b);
    case Atomic::min:
      return std::min(a, b);
    case Atomic::bitOr:
      return a | b;
    case Atomic::bitAnd:
      return a & b;
    case Atomic::bitXor:
      return a ^ b;
    case Atomic::compareAndSwap:
      return a == b ? static_cast<T>(b + 1) : a;
    default:
      break;
    }
  }
  return kind == Atomic::exchange ? b : static_cast<T>(a + b);
}

} // namespace

/// Every word of kernels against plain C++.
class TestSimtWords : public QObject {
  Q_OBJECT

private:
  std::unique_ptr<simt::SimtDevice> device_ = simt::createSimtDevice();

  template <class Work>
  void launch(const Work& work) {
    device_->launch("a test", [&](LaunchContext& context) { work(context); });
  }

  template <class T>
  void checkShuffles() {
    std::vector<T> values(32);
    for (std::size_t lane = 0; lane < 32; ++lane) // all bits of a wide type matter
      values[lane] = static_cast<T>(static_cast<double>(lane + 1) * (sizeof(T) == 8 ? 0x1.00000001p40 : 3.0));
    const Buffer<T> in = onDevice(*device_, values);
    Buffer<T> out(*device_, 32);
    for (const Shuffle kind : {Shuffle::index, Shuffle::up, Shuffle::down, Shuffle::exclusive}) {
      for (int width = 1; width <= 32; width *= 2) {
        for (int argument = 0; argument < 32; ++argument) {
          launch([&](LaunchContext& context) {
            shuffle(context, kind, in.data(), out.data(), static_cast<unsigned>(argument), width);
          });
          const std::vector<T> got = out.download();
          for (int lane = 0; lane < 32; ++lane)
            QCOMPARE(got[static_cast<std::size_t>(lane)],
                     values[static_cast<std::size_t>(sourceLane(kind, lane, argument, width))]);
        }
      }
    }
    launch([&](LaunchContext& context) {
      shuffle(context, Shuffle::index, in.data(), out.data(), 7, 32, true);
    });
    const std::vector<T> rotated = out.download();
    for (std::size_t lane = 0; lane < 32; ++lane)
      QCOMPARE(rotated[lane], values[(lane + 7) % 32]);
  }

  template <class T>
  void checkAtomics(std::span<const Atomic> kinds) {
    for (const Atomic kind : kinds) {
      std::vector<T> values(64);
      std::iota(values.begin(), values.end(), static_cast<T>(1));
      if (kind == Atomic::compareAndSwap) std::iota(values.begin(), values.end(), static_cast<T>(100));
      for (const bool shared : {true, false}) {
        const auto start = static_cast<T>(100);
        const Buffer<T> in = onDevice(*device_, values);
        Buffer<T> cell = onDevice(*device_, std::vector<T>{start});
        Buffer<T> before(*device_, values.size());
        device_->setSchedule({simt::Schedule::Order::forward, 0});
        launch([&](LaunchContext& context) {
          if (shared)
            sharedAtomic(context, kind, in.data(), cell.data(), before.data(), 64);
          else
            globalAtomic(context, kind, in.data(), cell.data(), before.data(), 1, 64);
        });
        const std::vector<T> found = before.download();
        T expected = start; // one block in forward order: lane after lane
        for (std::size_t i = 0; i < values.size(); ++i) {
          QCOMPARE(found[i], expected);
          expected = combine(kind, expected, values[i]);
        }
        QCOMPARE(cell.download().front(), expected);
      }
    }
  }

private slots:
  void shuffles() {
    checkShuffles<int>();
    checkShuffles<unsigned>();
    checkShuffles<float>();
    checkShuffles<double>();
    checkShuffles<long long>();
    checkShuffles<unsigned long long>();
  }

  void votesAndReductions_data() {
    QTest::addColumn<bool>("halves");
    QTest::newRow("the whole warp") << false;
    QTest::newRow("each half by itself") << true;
  }

  void votesAndReductions() {
    QFETCH(bool, halves);
    const std::vector<std::vector<unsigned>> cases{std::vector<unsigned>(32, 1),
                                                   std::vector<unsigned>(32, 4),
                                                   {5,  3,  0x80000000u, 7, 9, 11,          13, 15, 1, 1, 1,
                                                    1,  1,  1,           1, 1, 17,          2,  4,  6, 8, 10,
                                                    12, 14, 0,           0, 0, 0xffffffffu, 99, 98, 1, 0}};
    for (const std::vector<unsigned>& values : cases) {
      const Buffer<unsigned> in = onDevice(*device_, values);
      Buffer<unsigned> out(*device_, std::size_t{32} * 9);
      launch([&](LaunchContext& context) { votes(context, in.data(), out.data(), halves); });
      const std::vector<unsigned> got = out.download();
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::size_t first = halves && lane >= 16 ? 16 : 0;
        const std::size_t last = halves ? first + 16 : 32;
        unsigned ballot = 0;
        unsigned sum = 0;
        unsigned least = values[first];
        unsigned most = values[first];
        int leastSigned = static_cast<int>(values[first]);
        int mostSigned = leastSigned;
        for (std::size_t at = first; at < last; ++at) {
          ballot |= (values[at] & 1u) << at;
          sum += values[at];
          least = std::min(least, values[at]);
          most = std::max(most, values[at]);
          leastSigned = std::min(leastSigned, static_cast<int>(values[at]));
          mostSigned = std::max(mostSigned, static_cast<int>(values[at]));
        }
        const unsigned all = std::popcount(ballot) == static_cast<int>(last - first) ? 1 : 0;
        const std::vector<unsigned> expected{ballot,
                                             ballot != 0 ? 1u : 0u,
                                             all,
                                             sum,
                                             least,
                                             most,
                                             sum,
                                             static_cast<unsigned>(leastSigned),
                                             static_cast<unsigned>(mostSigned)};
        QCOMPARE(std::vector<unsigned>(got.begin() + static_cast<std::ptrdiff_t>(lane * 9),
                                       got.begin() + static_cast<std::ptrdiff_t>(lane * 9 + 9)),
                 expected);
      }
    }
  }

  void activeLanesAreThoseOfTheBranch() {
    Buffer<unsigned> out(*device_, 32);
    for (const auto order : {simt::Schedule::Order::forward, simt::Schedule::Order::reverse}) {
      device_->setSchedule({order, 0});
      launch([&](LaunchContext& context) { active(context, out.data()); });
      const std::vector<unsigned> got = out.download();
      for (std::size_t lane = 0; lane < 32; ++lane)
        QCOMPARE(got[lane], lane % 2 == 1 ? 0xaaaaaaaau : 0x55555555u);
    }
  }

  void barriersCount_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("live");
    QTest::newRow("one thread") << 1 << 1;
    QTest::newRow("a part of a warp") << 20 << 20;
    QTest::newRow("three warps") << 96 << 96;
    QTest::newRow("some have returned") << 100 << 40;
    QTest::newRow("the largest block") << 1024 << 1000;
  }

  void barriersCount() {
    QFETCH(int, threads);
    QFETCH(int, live);
    for (const int every : {1, 3, 2000}) { // all hold it, some do, none does
      std::vector<int> predicates(static_cast<std::size_t>(threads));
      for (std::size_t t = 0; t < predicates.size(); ++t)
        predicates[t] = (t + 1) % static_cast<std::size_t>(every) == 0 ? static_cast<int>(t) + 5 : 0;
      const Buffer<int> in = onDevice(*device_, predicates);
      Buffer<int> out(*device_, predicates.size() * 3);
      out.fill(0x55);
      launch([&](LaunchContext& context) { blockVotes(context, in.data(), out.data(), threads, live); });
      const auto holding = static_cast<int>(
          std::count_if(predicates.begin(), predicates.begin() + live, [](int value) { return value != 0; }));
      const std::vector<int> got = out.download();
      for (int t = 0; t < threads; ++t) {
        const auto at = static_cast<std::size_t>(t) * 3;
        QCOMPARE(got[at], t < live ? holding : 0x55555555);
        QCOMPARE(got[at + 1], t < live ? (holding > 0 ? 1 : 0) : 0x55555555);
        QCOMPARE(got[at + 2], t < live ? (holding == live ? 1 : 0) : 0x55555555);
      }
    }
  }

  void atomics() {
    const std::vector<Atomic> all{Atomic::add,    Atomic::sub,      Atomic::max,
                                  Atomic::min,    Atomic::bitOr,    Atomic::bitAnd,
                                  Atomic::bitXor, Atomic::exchange, Atomic::compareAndSwap};
    const std::vector<Atomic> onFloats{Atomic::add, Atomic::exchange};
    checkAtomics<int>(all);
    checkAtomics<unsigned>(all);
    checkAtomics<unsigned long long>(all);
    checkAtomics<float>(onFloats);
    checkAtomics<double>(onFloats);
  }

  void indices() {
    constexpr std::size_t blocks = 5;
    constexpr int threads = 70;
    Buffer<unsigned> out(*device_, blocks * threads * 5);
    launch([&](LaunchContext& context) { test::indices(context, out.data(), blocks, threads); });
    const std::vector<unsigned> got = out.download();
    for (unsigned i = 0; i < blocks * threads; ++i) {
      const std::vector<unsigned> expected{i / threads, threads, blocks, i % threads, 4};
      const auto first = got.begin() + static_cast<std::ptrdiff_t>(i) * 5;
      QCOMPARE(std::vector<unsigned>(first, first + 5), expected);
    }
  }

  void vectorLoads() {
    constexpr std::size_t threads = 40;
    std::vector<float> four(threads * 4);
    std::vector<float> two(threads * 2);
    std::vector<int> integers(threads * 4);
    std::iota(four.begin(), four.end(), 1.0f);
    std::iota(two.begin(), two.end(), -7.0f);
    std::iota(integers.begin(), integers.end(), -50);
    const Buffer<float> a = onDevice(*device_, four);
    const Buffer<float> b = onDevice(*device_, two);
    const Buffer<int> c = onDevice(*device_, integers);
    Buffer<float> aOut(*device_, four.size());
    Buffer<float> bOut(*device_, two.size());
    Buffer<int> cOut(*device_, integers.size());
    launch([&](LaunchContext& context) {
      test::vectors(context, a.data(), b.data(), c.data(), aOut.data(), bOut.data(), cOut.data(), threads);
    });
    const auto doubled = [](auto values) {
      for (auto& value : values)
        value *= 2;
      return values;
    };
    QCOMPARE(aOut.download(), doubled(four));
    QCOMPARE(bOut.download(), doubled(two));
    QCOMPARE(cOut.download(), doubled(integers));
  }

  void assignments() {
    Buffer<int> out(*device_, 26);
    launch([&](LaunchContext& context) { test::assignments(context, out.data()); });
    int a[2];
    std::vector<int> expected;
    a[0] = 12;
    expected.push_back(a[0]);
    expected.push_back(a[0] += 3);
    expected.push_back(a[0] -= 5);
    expected.push_back(a[0] *= 7);
    expected.push_back(a[0] /= 4);
    expected.push_back(a[0] |= 33);
    expected.push_back(a[0] &= 57);
    expected.push_back(a[0] ^= 5);
    expected.push_back(a[0]++);
    expected.push_back(++a[0]);
    expected.push_back(a[0]--);
    expected.push_back(a[0] + 1);
    const std::vector<int> got = out.download();
    QCOMPARE(std::vector<int>(got.begin(), got.begin() + 12), expected);
    QCOMPARE(std::vector<int>(got.begin() + 12, got.begin() + 24), expected);
  }

  void dynamicSharedMemory() {
    constexpr int threads = 200;
    Buffer<float> out(*device_, threads);
    Buffer<unsigned> outToo(*device_, threads);
    launch([&](LaunchContext& context) { dynamicArrays(context, out.data(), outToo.data(), threads); });
    const std::vector<float> first = out.download();
    const std::vector<unsigned> second = outToo.download();
    for (std::size_t t = 0; t < threads; ++t) {
      QCOMPARE(first[t], static_cast<float>(threads - 1 - t));
      QCOMPARE(second[t], static_cast<unsigned>(1000 + threads - 1 - t));
    }
  }

  void copiesThatRunAhead() {
    constexpr std::size_t threads = 96;
    std::vector<float> values(4 * threads);
    std::iota(values.begin(), values.end(), 1.0f);
    const Buffer<float> in = onDevice(*device_, values);
    Buffer<float> out(*device_, values.size());
    launch([&](LaunchContext& context) { copies(context, in.data(), out.data(), threads); });
    const std::vector<float> found = out.download();
    for (std::size_t at = 0; at < values.size(); ++at)
      QCOMPARE(found[at], values[(threads - 1 - at / 4) * 4 + at % 4]);
  }

  void aTreeSumsUnderEverySchedule() {
    std::vector<float> values(5000);
    std::iota(values.begin(), values.end(), 1.0f);
    const Buffer<float> in = onDevice(*device_, values);
    Buffer<double> sum(*device_, 1);
    using Order = simt::Schedule::Order;
    for (const simt::Schedule& schedule :
         {simt::Schedule{Order::forward, 0}, simt::Schedule{Order::reverse, 0},
          simt::Schedule{Order::seeded, 1}, simt::Schedule{Order::seeded, 2}}) {
      device_->setSchedule(schedule);
      device_->startRecording();
      launch([&](LaunchContext& context) { treeSum(context, in.data(), sum.data(), values.size()); });
      const simt::Trace trace = device_->stopRecording();
      QCOMPARE(sum.download().front(), 5000.0 * 5001 / 2);
      QCOMPARE(trace.races, std::uint64_t{0}); // __syncwarp orders what a warp does
      QCOMPARE(trace.counters.warpCollectives, std::uint64_t{10});
      QCOMPARE(trace.counters.barriers, std::uint64_t{4});
    }
  }
};

QTEST_GUILESS_MAIN(TestSimtWords)
#include "tst_simt_words.moc"
