// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and counts of labels that points of a plane do not have: one cluster has all, or each cluster one, or
// one has half. Points lie far from the origin and near their centres, which float sums must not notice.
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/random.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// 0 <= value < 1
float number(std::uint64_t stream, std::uint64_t index) {
  return static_cast<float>(randomBits(16, stream, index) >> 40) * 0x1p-24F;
}

struct Kind {
  const char* name;
  Label (*label)(const Problem&, std::size_t point);
};
Label shuffled(const Problem& problem, std::size_t i) {
  return static_cast<Label>(number(0, i) * static_cast<float>(problem.k));
}
Label inOrder(const Problem& problem, std::size_t i) {
  return static_cast<Label>(i * static_cast<std::size_t>(problem.k) / problem.n);
}
Label allInOne(const Problem& problem, std::size_t) { return problem.k / 2; }
Label allInLast(const Problem& problem, std::size_t) { return problem.k - 1; }
Label oneEach(const Problem& problem, std::size_t i) {
  return static_cast<Label>(i % static_cast<std::size_t>(problem.k));
}
Label halfInOne(const Problem& problem, std::size_t i) { return i % 2 == 0 ? 0 : shuffled(problem, i); }
constexpr std::array kinds{Kind{"shuffled", shuffled},
                           Kind{"in order", inOrder},
                           Kind{"all in one", allInOne},
                           Kind{"all in the last one", allInLast},
                           Kind{"each cluster by turns", oneEach},
                           Kind{"half in one", halfInOne}};

/// Sizes around those of tiles, dimensions around those of groups of coordinates, more clusters than points.
const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{{0, 5, 3},      {1, 1, 1},       {31, 3, 40},
                                        {1023, 17, 5},  {1024, 16, 64},  {1025, 33, 320},
                                        {4097, 5, 321}, {1100, 3, 1000}, {3000, 2, 1}};
  return all;
}

struct Data {
  std::vector<Label> labels;
  std::vector<float> points; ///< [d][stride]; what lies behind a row is not a number
  std::vector<float> pivots;
  std::vector<double> sums; ///< right ones
  std::vector<std::uint32_t> counts;
};
Data make(const Problem& problem, const Kind& kind) {
  const auto d = static_cast<std::size_t>(problem.d);
  const std::size_t stride = rowStride(problem.n);
  Data data{std::vector<Label>(problem.n),
            std::vector<float>(stride * d, std::numeric_limits<float>::quiet_NaN()),
            std::vector<float>(problem.centroidValues()), std::vector<double>(problem.centroidValues()),
            std::vector<std::uint32_t>(static_cast<std::size_t>(problem.k))};
  for (std::size_t at = 0; at < data.pivots.size(); ++at)
    data.pivots[at] = 1e4F * (number(1, at) - 0.5F);
  for (std::size_t i = 0; i < problem.n; ++i) {
    data.labels[i] = kind.label(problem, i);
    const auto c = static_cast<std::size_t>(data.labels[i]);
    ++data.counts[c];
    for (std::size_t j = 0; j < d; ++j) {
      const float pivot = data.pivots[c * d + j];
      const float x = pivot + number(2, i * d + j);
      data.points[j * stride + i] = x;
      data.sums[c * d + j] += static_cast<double>(x) - static_cast<double>(pivot);
    }
  }
  return data;
}

/// What a variant gets wrong, or nothing.
std::string wrongOf(Device& device, const Variant& variant, const Problem& problem, const Data& data) {
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t stride = rowStride(problem.n);
  std::vector<float> given = data.points;
  if (variant.info.layout == Layout::aos) {
    given.assign(problem.n * d, 0.0F);
    for (std::size_t i = 0; i < problem.n; ++i)
      for (std::size_t j = 0; j < d; ++j)
        given[i * d + j] = data.points[j * stride + i];
  }
  const Buffer<float> points(device, given);
  const Buffer<float> pivots(device, data.pivots);
  const Buffer<Label> labels(device, data.labels);
  Buffer<double> sums(device, problem.centroidValues());
  Buffer<std::uint32_t> counts(device, k);
  sums.fill(0);
  counts.fill(0);
  run(device, variant,
      ReduceArgs{.problem = problem,
                 .points = {points.data(), stride},
                 .labels = labels.data(),
                 .pivots = pivots.data(),
                 .sums = sums.data(),
                 .counts = counts.data(),
                 .tuning = {}});
  if (counts.download() != data.counts) return "counts";
  const std::vector<double> found = sums.download();
  for (std::size_t at = 0; at < found.size(); ++at) {
    // Of the deviations, which are less than 1.
    const double allowed = 1e-5 * data.counts[at / d];
    if (!(std::abs(found[at] - data.sums[at]) <= allowed))
      return "cluster " + std::to_string(at / d) + ", dimension " + std::to_string(at % d) + " is " +
             std::to_string(found[at]) + ", not " + std::to_string(data.sums[at]);
  }
  return {};
}

} // namespace

class TestSums : public QObject {
  Q_OBJECT

private slots:
  void labelsOfAnyKind_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<QString>("id");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      for (const Variant* variant : Registry::instance().all())
        if (variant->on(backend).reduce)
          QTest::addRow("%s on %s", variant->id().c_str(), name(backend).data())
              << static_cast<int>(backend) << QString::fromStdString(variant->id());
  }
  void labelsOfAnyKind() {
    QFETCH(int, backend);
    QFETCH(QString, id);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    int ran = 0;
    for (const Problem& problem : problems()) {
      if (variant.whyNot(Stage::reduce, problem, used.device->info(), {})) continue;
      for (const Kind& kind : kinds) {
        // Variants that go through all points for each cluster take long on the simulator.
        const bool isLarge = problem.n * problem.centroidValues() > std::size_t{1} << 21;
        if (isLarge && kind.label != shuffled && kind.label != halfInOne) continue;
        const std::string wrong = wrongOf(*used.device, variant, problem, make(problem, kind));
        QVERIFY2(wrong.empty(), qPrintable(QStringLiteral("%1, n %2, d %3, k %4: %5")
                                               .arg(kind.name)
                                               .arg(problem.n)
                                               .arg(problem.d)
                                               .arg(problem.k)
                                               .arg(QString::fromStdString(wrong))));
        ++ran;
      }
    }
    QVERIFY(ran >= 3 * static_cast<int>(kinds.size()));
  }

  /// One after another on one device, whose memory to work in is lent to each: what one left there is nothing
  /// to the next.
  void workMemoryHoldsAnything() {
    for (const Backend backend : {Backend::simt, Backend::cuda}) {
      const Found used = findDevice(backend);
      if (!used.device) continue;
      const Variant& variant = *Registry::instance().find("reduce.sorted");
      for (const Problem& problem : {Problem{4097, 5, 321}, Problem{1025, 33, 20}, Problem{100, 3, 2}}) {
        const Data data = make(problem, kinds[0]);
        used.device->lendWorkMemory(variant.info.workBytes(problem, {}), [&](const WorkMemory& work) {
          used.device->fill(work.scratch, 0xff, variant.info.workBytes(problem, {}).scratch);
        });
        QCOMPARE(wrongOf(*used.device, variant, problem, data), std::string());
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestSums)
#include "tst_sums.moc"
