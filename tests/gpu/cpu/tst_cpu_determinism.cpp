// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/support/only_target.hpp"

#include <QTest>

#include <oneapi/tbb/global_control.h>

#include <cmath>

using namespace lloyd;

namespace {

/// All that one pass writes.
struct Outcome {
  std::vector<Label> labels;
  std::vector<std::uint32_t> changed;
  std::vector<double> sums;
  std::vector<std::uint32_t> counts;
  bool operator==(const Outcome&) const = default;
};

/// One problem in device memory, in both layouts.
class Bench {
public:
  Bench(Device& device, const Problem& problem)
      : device_(device), problem_(problem), stride_(rowStride(problem.n)),
        rows_(device, stride_ * dimensions()), records_(device, problem.pointValues()),
        centroids_(device, problem.centroidValues()), oldLabels_(device, problem.n) {
    std::vector<float> values(stride_ * dimensions());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(randomBits(3, 0, i) >> 40) * 1e-3f;
    rows_.upload(values);
    std::vector<float> centres(problem.centroidValues());
    for (std::size_t i = 0; i < centres.size(); ++i)
      centres[i] = static_cast<float>(randomBits(3, 1, i) >> 40) * 1e-3f;
    centroids_.upload(centres);
    oldLabels_.fill(0);
    device.interleave({problem.n, problem.d, {rows_.data(), stride_}, records_.data()});
  }

  /// The fused stage, or classify and then reduce.
  Outcome run(const char* id) {
    const Variant& variant = *Registry::instance().find(id);
    const PointView points{variant.info.layout == Layout::aos ? records_.data() : rows_.data(), stride_};
    Buffer<Label> labels(device_, problem_.n);
    Buffer<std::uint32_t> changed(device_, 1);
    Buffer<double> sums(device_, problem_.centroidValues());
    Buffer<std::uint32_t> counts(device_, static_cast<std::size_t>(problem_.k));
    changed.fill(0);
    sums.fill(0);
    counts.fill(0);
    if (variant.has(Stage::fused)) {
      lloyd::run(device_, variant,
                 FusedArgs{problem_, points, centroids_.data(), oldLabels_.data(), labels.data(),
                           changed.data(), sums.data(), counts.data(), Tuning()});
    } else {
      lloyd::run(device_, variant,
                 ClassifyArgs{problem_, points, centroids_.data(), oldLabels_.data(), labels.data(),
                              changed.data(), Tuning()});
      lloyd::run(device_, variant,
                 ReduceArgs{problem_, points, labels.data(), centroids_.data(), sums.data(), counts.data(),
                            Tuning()});
    }
    return {labels.download(), changed.download(), sums.download(), counts.download()};
  }

  double inertia(const std::vector<Label>& found) {
    Buffer<Label> labels(device_, found.size());
    Buffer<double> sum(device_, 1);
    labels.upload(found);
    sum.fill(0);
    device_.inertia({problem_, {rows_.data(), stride_}, centroids_.data(), labels.data(), sum.data()});
    return sum.download().front();
  }

private:
  [[nodiscard]] std::size_t dimensions() const { return static_cast<std::size_t>(problem_.d); }

  Device& device_;
  Problem problem_;
  std::size_t stride_;
  Buffer<float> rows_;
  Buffer<float> records_;
  Buffer<float> centroids_;
  Buffer<Label> oldLabels_;
};

/// The variants that add up parts on all cores, those that can take so many dimensions.
std::vector<const char*> onAllCores(int d) {
  return d < 2 ? std::vector{"cpu.v3"} : std::vector{"cpu.v3", "cpu.v4"};
}

/// Whether sums are the same but for rounding. Points lie in 0 .. 16777 in every dimension.
bool closeSums(const Outcome& found, const Outcome& wanted) {
  const std::size_t d = found.sums.size() / found.counts.size();
  for (std::size_t i = 0; i < found.sums.size(); ++i) {
    const double most = 1e-6 * 16777 * (1 + found.counts[i / d]);
    if (!(std::abs(found.sums[i] - wanted.sums[i]) <= most)) return false;
  }
  return true;
}

void addProblems() {
  QTest::addColumn<int>("n");
  QTest::addColumn<int>("d");
  QTest::addColumn<int>("k");
  QTest::newRow("records") << 200001 << 2 << 16;
  QTest::newRow("one dimension") << 100003 << 1 << 5;
  QTest::newRow("three dimensions") << 99991 << 3 << 64;
  QTest::newRow("many clusters") << 50001 << 3 << 300;
  QTest::newRow("five dimensions") << 40009 << 5 << 16;
  QTest::newRow("six dimensions") << 40011 << 6 << 3;
  QTest::newRow("seven dimensions") << 40014 << 7 << 64;
  QTest::newRow("many dimensions") << 30011 << 20 << 12;
}

} // namespace

/// The same bits from the processor, whatever it runs on and however often.
class TestCpuDeterminism : public QObject {
  Q_OBJECT

private slots:
  void threadsDoNotMatter_data() { addProblems(); }
  void threadsDoNotMatter() {
    QFETCH(int, n);
    QFETCH(int, d);
    QFETCH(int, k);
    const auto device = createCpuDevice();
    Bench bench(*device, {static_cast<std::size_t>(n), d, k});
    for (const char* id : onAllCores(d)) {
      const Outcome once = bench.run(id);
      const double inertia = bench.inertia(once.labels);
      for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{16}}) {
        const oneapi::tbb::global_control control(oneapi::tbb::global_control::max_allowed_parallelism,
                                                  threads);
        QVERIFY2(bench.run(id) == once, id);
        QCOMPARE(bench.inertia(once.labels), inertia);
      }
    }
  }

  void twentyRunsAreOne() {
    const auto device = createCpuDevice();
    Bench bench(*device, {120007, 2, 16});
    for (const char* id : onAllCores(2)) {
      const Outcome once = bench.run(id);
      for (int run = 0; run < 20; ++run)
        QVERIFY2(bench.run(id) == once, id);
    }
  }

  void variantsAgreeOnEveryLabel_data() { addProblems(); }
  void variantsAgreeOnEveryLabel() {
    QFETCH(int, n);
    QFETCH(int, d);
    QFETCH(int, k);
    const auto device = createCpuDevice();
    Bench bench(*device, {static_cast<std::size_t>(n), d, k});
    const Outcome scalar = bench.run("cpu.v1");
    std::vector<const char*> others = onAllCores(d);
    others.push_back("cpu.v2");
    for (const char* id : others) {
      const Outcome other = bench.run(id);
      QVERIFY(other.labels == scalar.labels);
      QCOMPARE(other.changed, scalar.changed);
      QCOMPARE(other.counts, scalar.counts);
      QVERIFY2(closeSums(other, scalar), id);
    }
  }

  void instructionSetsAgreeOnEveryLabel_data() { addProblems(); }
  void instructionSetsAgreeOnEveryLabel() {
    QFETCH(int, n);
    QFETCH(int, d);
    QFETCH(int, k);
    const auto device = createCpuDevice();
    Bench bench(*device, {static_cast<std::size_t>(n), d, k});
    for (const char* id : onAllCores(d)) {
      const Outcome best = bench.run(id);
      forEveryTarget([&](const char* target) {
        const Outcome found = bench.run(id);
        QVERIFY2(found.labels == best.labels, target);
        QCOMPARE(found.changed, best.changed);
        QCOMPARE(found.counts, best.counts);
        QVERIFY2(closeSums(found, best), target);
      });
    }
  }
};

QTEST_GUILESS_MAIN(TestCpuDeterminism)
#include "tst_cpu_determinism.moc"
