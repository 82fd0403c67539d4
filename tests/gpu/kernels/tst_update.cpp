// SPDX-License-Identifier: GPL-3.0-or-later
// An update by one block and by many: every bit is that of the same additions made one after another here.
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/random.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <bit>
#include <cmath>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

namespace {

struct Data {
  std::vector<double> sums;
  std::vector<std::uint32_t> counts;
  std::vector<float> before;
};
Data make(const Problem& problem, bool allEmpty) {
  Data data{std::vector<double>(problem.centroidValues()),
            std::vector<std::uint32_t>(static_cast<std::size_t>(problem.k)),
            std::vector<float>(problem.centroidValues())};
  for (std::size_t c = 0; c < data.counts.size(); ++c) // each seventh is empty
    data.counts[c] = allEmpty || c % 7 == 3 ? 0 : static_cast<std::uint32_t>(1 + randomBits(3, 0, c) % 1000);
  for (std::size_t at = 0; at < data.sums.size(); ++at) {
    data.sums[at] = static_cast<double>(static_cast<std::int64_t>(randomBits(3, 1, at)) >> 32) * 0x1p-20;
    data.before[at] = static_cast<float>(randomBits(3, 2, at) >> 40) * 0x1p-20F;
  }
  return data;
}

struct Result {
  std::vector<float> after;
  float shift = 0;
  std::uint32_t empty = 0;
};
/// As the lanes of a cluster add up: each its own coordinates in their order, then each with the other half.
Result rightOf(const Problem& problem, const Data& data) {
  const auto d = static_cast<std::size_t>(problem.d);
  std::size_t lanes = 1;
  while (lanes < 32 && lanes < d)
    lanes *= 2;
  Result result{data.before};
  double largest = 0;
  for (std::size_t c = 0; c < data.counts.size(); ++c) {
    std::vector<double> move(lanes);
    if (data.counts[c] == 0) ++result.empty;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t at = c * d + j;
      const float before = data.before[at];
      if (data.counts[c] > 0)
        result.after[at] = static_cast<float>(static_cast<double>(before) + data.sums[at] / data.counts[c]);
      const double step = static_cast<double>(result.after[at]) - static_cast<double>(before);
      move[j % lanes] = std::fma(step, step, move[j % lanes]);
    }
    for (std::size_t distance = lanes / 2; distance > 0; distance /= 2) {
      const std::vector<double> others = move;
      for (std::size_t lane = 0; lane < lanes; ++lane)
        move[lane] += others[lane ^ distance];
    }
    largest = std::max(largest, move[0]);
  }
  result.shift = static_cast<float>(std::sqrt(largest));
  return result;
}

} // namespace

class TestUpdate : public QObject {
  Q_OBJECT

private slots:
  void bitsAreTheSame_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("k");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (const auto& [d, k] : {std::pair{1, 1},
                                 {3, 16},
                                 {2, 1024},
                                 {2, 5000},
                                 {16, 64},
                                 {16, 1000},
                                 {33, 257},
                                 {128, 1000},
                                 {784, 256}})
        QTest::addRow("d %d, k %d on %s", d, k, name(backend).data()) << static_cast<int>(backend) << d << k;
  }
  void bitsAreTheSame() {
    QFETCH(int, backend);
    QFETCH(int, d);
    QFETCH(int, k);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    Device& device = *used.device;
    const Problem problem{1, d, k};
    for (const bool allEmpty : {false, true}) {
      const Data data = make(problem, allEmpty);
      const Result right = rightOf(problem, data);
      const Buffer<double> sums(device, data.sums);
      const Buffer<std::uint32_t> counts(device, data.counts);
      const Buffer<float> before(device, data.before);
      Buffer<float> after(device, data.before.size());
      Buffer<UpdateOutcome> outcome(device, 1);
      after.fill(0x55);
      outcome.fill(0x55); // it is written whole
      run(device, *Registry::instance().find("update.v1"),
          UpdateArgs{.problem = problem,
                     .sums = sums.data(),
                     .counts = counts.data(),
                     .oldCentroids = before.data(),
                     .centroids = after.data(),
                     .outcome = outcome.data()});
      QVERIFY(after.download() == right.after);
      const UpdateOutcome said = outcome.download().front();
      QCOMPARE(std::bit_cast<std::uint32_t>(said.shift), std::bit_cast<std::uint32_t>(right.shift));
      QCOMPARE(said.emptyClusters, right.empty);
    }
  }
};

QTEST_APPLESS_MAIN(TestUpdate)
#include "tst_update.moc"
