// SPDX-License-Identifier: GPL-3.0-or-later
// cpu.v4 filters clusters by scores whose rounding differs from one instruction set to the next. Its labels
// must not, in either of its stages, on data that leave scores no digits.
#include "gpu/core/contract/registry.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/support/hostile_data.hpp"
#include "tests/support/only_target.hpp"

#include <QTest>

#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// Points and centroids in device memory, and what a stage writes.
class Bench {
public:
  Bench(const Problem& problem, const hostile::Data& data)
      : problem_(problem), stride_(rowStride(problem.n)), points_(*device_, rowsOf(problem, data, stride_)),
        centroids_(*device_, data.centroids), labels_(*device_, problem.n), counts_(*device_, 2),
        sums_(*device_, problem.centroidValues()), sizes_(*device_, static_cast<std::size_t>(problem.k)) {}

  /// Fills the old labels in, which a fused stage may find where it writes the new ones.
  void fused(const std::vector<Label>& oldLabels) {
    clear();
    labels_.upload(oldLabels);
    run(*device_, variant(),
        FusedArgs{problem_, view(), centroids_.data(), labels_.data(), labels_.data(), counts_.data(),
                  sums_.data(), sizes_.data(), Tuning()});
  }
  void classify(const std::vector<Label>& oldLabels) {
    clear();
    const Buffer<Label> old(*device_, oldLabels);
    run(*device_, variant(),
        ClassifyArgs{.problem = problem_,
                     .points = view(),
                     .centroids = centroids_.data(),
                     .oldLabels = old.data(),
                     .labels = labels_.data(),
                     .changed = counts_.data(),
                     .tuning = {},
                     .rechecked = counts_.data() + 1});
  }

  [[nodiscard]] std::vector<Label> labels() const { return labels_.download(); }
  [[nodiscard]] std::uint32_t changed() const { return counts_.download()[0]; }
  [[nodiscard]] std::uint32_t rechecked() const { return counts_.download()[1]; }
  [[nodiscard]] std::vector<double> sums() const { return sums_.download(); }
  [[nodiscard]] std::vector<std::uint32_t> sizes() const { return sizes_.download(); }

private:
  /// What lies behind a row is nobody's.
  static std::vector<float> rowsOf(const Problem& problem, const hostile::Data& data, std::size_t stride) {
    std::vector<float> rows(stride * static_cast<std::size_t>(problem.d),
                            std::numeric_limits<float>::quiet_NaN());
    for (std::size_t j = 0; j < static_cast<std::size_t>(problem.d); ++j)
      std::copy_n(data.points.begin() + static_cast<std::ptrdiff_t>(j * problem.n), problem.n,
                  rows.begin() + static_cast<std::ptrdiff_t>(j * stride));
    return rows;
  }
  static const Variant& variant() { return *Registry::instance().find("cpu.v4"); }
  [[nodiscard]] PointView view() const { return {points_.data(), stride_}; }
  void clear() {
    labels_.fill(0xa5);
    counts_.fill(0);
    sums_.fill(0);
    sizes_.fill(0);
  }

  std::unique_ptr<Device> device_ = createCpuDevice();
  Problem problem_;
  std::size_t stride_;
  Buffer<float> points_;
  Buffer<float> centroids_;
  Buffer<Label> labels_;
  Buffer<std::uint32_t> counts_;
  Buffer<double> sums_;
  Buffer<std::uint32_t> sizes_;
};

/// Sums of deviations from the centroids by the labels, in double, and of their absolute values.
struct Sums {
  std::vector<double> plain;
  std::vector<double> absolute;
  std::vector<std::uint32_t> sizes;
};
Sums sumsOf(const Problem& problem, const hostile::Data& data, const std::vector<Label>& labels) {
  const auto d = static_cast<std::size_t>(problem.d);
  Sums sums{std::vector<double>(problem.centroidValues()), std::vector<double>(problem.centroidValues()),
            std::vector<std::uint32_t>(static_cast<std::size_t>(problem.k))};
  for (std::size_t i = 0; i < problem.n; ++i) {
    const auto cluster = static_cast<std::size_t>(labels[i]);
    ++sums.sizes[cluster];
    for (std::size_t j = 0; j < d; ++j) {
      const double deviation = static_cast<double>(data.points[j * problem.n + i]) -
                               static_cast<double>(data.centroids[cluster * d + j]);
      sums.plain[cluster * d + j] += deviation;
      sums.absolute[cluster * d + j] += std::abs(deviation);
    }
  }
  return sums;
}

} // namespace

class TestCpuProduct : public QObject {
  Q_OBJECT

private slots:
  void everyInstructionSetFindsTheNearest_data() {
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("k");
    QTest::newRow("one point") << 1 << 8 << 2;
    QTest::newRow("one cluster") << 40 << 5 << 1;
    QTest::newRow("a pair of coordinates") << 999 << 2 << 17;
    QTest::newRow("a block and a bit") << 517 << 8 << 13;
    QTest::newRow("odd") << 130 << 33 << 256;
    QTest::newRow("many clusters") << 67 << 64 << 1000;
    QTest::newRow("clusters in two turns") << 33 << 784 << 400;
  }
  void everyInstructionSetFindsTheNearest() {
    QFETCH(int, n);
    QFETCH(int, d);
    QFETCH(int, k);
    const Problem problem{static_cast<std::size_t>(n), d, k};
    for (const hostile::Kind& kind : hostile::kinds) {
      const hostile::Data data = kind.make(problem);
      const std::vector<Label> right = hostile::chainLabels(problem, data);
      const Sums sums = sumsOf(problem, data, right);
      std::vector<Label> old = right; // every third point comes from elsewhere
      std::uint32_t moved = 0;
      for (std::size_t i = 0; i < old.size(); i += 3, ++moved)
        old[i] = -1;
      Bench bench(problem, data);
      forEveryTarget([&](const char* target) {
        const std::string what = std::string(kind.name) + " on " + target;
        bench.classify(old);
        QVERIFY2(bench.labels() == right, what.c_str());
        QCOMPARE(bench.changed(), moved);
        bench.fused(old);
        QVERIFY2(bench.labels() == right, what.c_str());
        QCOMPARE(bench.changed(), moved);
        QVERIFY2(bench.sizes() == sums.sizes, what.c_str());
        const std::vector<double> found = bench.sums();
        for (std::size_t at = 0; at < found.size(); ++at) {
          const double most = 1e-6 * sums.absolute[at];
          // A deviation that no float can hold is infinite here, and not in double.
          if (sums.absolute[at] < 1e38) QVERIFY2(std::abs(found[at] - sums.plain[at]) <= most, what.c_str());
        }
      });
    }
  }

  /// The filter filters, whatever multiplies: few uniform points are in doubt, and none of those that scores
  /// cannot tell about is missed.
  void pointsInDoubtAreCounted() {
    const Problem problem{2000, 64, 100};
    const std::vector<Label> none(problem.n, -1);
    const hostile::Data uniform = hostile::uniform(problem);
    const hostile::Data same = hostile::allTheSame(problem);
    const hostile::Data some = hostile::someOverflow(problem);
    forEveryTarget([&](const char* target) {
      const auto rechecked = [&](const hostile::Data& data) {
        Bench bench(problem, data);
        bench.classify(none);
        return bench.rechecked();
      };
      QVERIFY2(rechecked(uniform) <= 20, target);
      QVERIFY2(rechecked(same) == 2000, target);
      QVERIFY2(rechecked(some) >= 2000 / 3 && rechecked(some) <= 2000 / 3 + 20, target);
    });
  }

  void itSaysWhatItCannotTake() {
    const std::unique_ptr<Device> device = createCpuDevice();
    const Variant& variant = *Registry::instance().find("cpu.v4");
    for (const Stage stage : {Stage::classify, Stage::fused}) {
      const auto why = [&](int d) { return variant.whyNot(stage, {100, d, 10}, device->info(), {}); };
      QVERIFY(why(1).has_value() && why(1)->find("cpu.v3") != std::string::npos);
      QVERIFY(!why(2).has_value());
      QVERIFY(!why(16384).has_value());
      QVERIFY(why(16385).has_value() && why(16385)->find("16384") != std::string::npos);
    }
  }
};

QTEST_GUILESS_MAIN(TestCpuProduct)
#include "tst_cpu_product.moc"
