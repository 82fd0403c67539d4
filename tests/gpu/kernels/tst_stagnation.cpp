// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/random.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace lloyd;

namespace {

/// Values of a bell whose float sum stands still.
///
/// A float sum of n values near m stops taking their differences in once a unit in its last place, about
/// n m 2^-24, is wider than their spread: every addition is then rounded the same way. What 2^27 points of
/// spread 1 are to one sum, 2^16 points of spread 1/2048 are too, and those the simulator can take. Their
/// middles lie where rounding takes much away.
struct Bell {
  std::size_t n;
  float spread;
  float middle;
};
constexpr Bell wide{std::size_t{1} << 23, 1.0F, 10.0F};
constexpr Bell narrow{std::size_t{1} << 16, 1.0F / 2048, 15.9014F};
constexpr Bell few{std::size_t{1} << 13, 1.0F / 2048, 15.9014F}; // for many clusters, which are many passes

std::vector<float> valuesOf(const Bell& bell) {
  std::vector<float> values(bell.n);
  for (std::size_t i = 0; i < bell.n; ++i) {
    float sum = -2;
    for (std::uint64_t part = 0; part < 4; ++part)
      sum += static_cast<float>(randomBits(27, part, i) >> 40) * 0x1p-24F;
    values[i] = bell.middle + bell.spread * 1.7320508F * sum;
  }
  return values;
}

double meanOf(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values)
    sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

/// Of the range, which begins at the centroid: it lies at 0, as one that has not found its points yet.
double allowedFor(const std::vector<float>& values) {
  return 1e-5 * static_cast<double>(*std::max_element(values.begin(), values.end()));
}

/// Every value in cluster 0, which has its centre at 0; the other clusters are far away and stay empty.
class Bench {
public:
  Bench(Device& device, const std::vector<float>& values, int k)
      : device_(device), problem_{values.size(), 1, k}, values_(device, rowStride(values.size())),
        centroids_(device, static_cast<std::size_t>(k)), oldLabels_(device, values.size()),
        labels_(device, values.size()), changed_(device, 1), sums_(device, static_cast<std::size_t>(k)),
        counts_(device, static_cast<std::size_t>(k)) {
    values_.upload(values);
    box_ = boxOf(values.data(), values.size(), 1);
    std::vector<float> centroids(static_cast<std::size_t>(k));
    for (std::size_t c = 1; c < centroids.size(); ++c)
      centroids[c] = -1000 - static_cast<float>(c);
    centroids_.upload(centroids);
    oldLabels_.fill(0);
    labels_.fill(0);
  }

  /// The mean deviation that a variant finds.
  double mean(const Variant& variant, Stage stage, const Tuning& tuning) {
    changed_.fill(0);
    sums_.fill(0);
    counts_.fill(0);
    const PointView points{values_.data(), rowStride(problem_.n), box_}; // of one dimension, either layout
    const LabelWidth width = variant.labelWidth(problem_.k);
    if (stage == Stage::fused) {
      run(device_, variant,
          FusedArgs{problem_, points, centroids_.data(), LabelView(oldLabels_.data(), width),
                    LabelSpan(labels_.data(), width), changed_.data(), sums_.data(), counts_.data(), tuning});
    } else {
      run(device_, variant,
          ReduceArgs{problem_, points, oldLabels_.data(), centroids_.data(), sums_.data(), counts_.data(),
                     tuning});
    }
    device_.synchronize();
    const std::uint32_t count = counts_.download().front();
    return count == problem_.n ? sums_.download().front() / count : std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] const Problem& problem() const { return problem_; }

private:
  Device& device_;
  Problem problem_;
  Box box_;
  Buffer<float> values_;
  Buffer<float> centroids_;
  Buffer<Label> oldLabels_;
  Buffer<Label> labels_;
  Buffer<std::uint32_t> changed_;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
};

/// The tunings that give one sum the most values: every parameter at its usual value, and each in turn at its
/// largest.
std::vector<Tuning> tuningsOf(const Variant& variant) {
  std::vector<Tuning> tunings{variant.complete({})};
  for (const Parameter& parameter : variant.info.parameters) {
    if (parameter.name == "arithmetic") continue;
    Tuning tuning = tunings.front();
    tuning.set(parameter.name, *std::max_element(parameter.values.begin(), parameter.values.end()));
    tunings.push_back(tuning);
  }
  return tunings;
}

} // namespace

/// A sum of many millions of floats in a float stands still: additions that are smaller than half a unit in
/// its last place are lost. Every variant's sums must go on.
class TestStagnation : public QObject {
  Q_OBJECT

private slots:
  /// The control: with these values the mistake would be seen.
  void aRunningFloatSumStandsStill_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("2^23 points of spread 1") << 0;
    QTest::newRow("2^16 points of spread 1/2048") << 1;
    QTest::newRow("2^13 points of spread 1/2048") << 2;
  }
  void aRunningFloatSumStandsStill() {
    QFETCH(int, which);
    const std::vector<float> values = valuesOf(which == 0 ? wide : which == 1 ? narrow : few);
    float sum = 0;
    for (const float value : values)
      sum += value;
    const double off =
        std::abs(static_cast<double>(sum) / static_cast<double>(values.size()) - meanOf(values));
    QVERIFY2(off > 5 * allowedFor(values), qPrintable(QString::number(off / allowedFor(values))));
    qInfo("off by %.3g of the mean, %.0f times what is allowed", off / meanOf(values),
          off / allowedFor(values));
  }

  void sumsGoOn_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("k");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      for (const Variant* variant : Registry::instance().all())
        for (const int k : {1, 1000}) // many clusters leave a shared table fewer copies, with more in each
          if (variant->on(backend).has(Stage::reduce) || variant->on(backend).has(Stage::fused))
            QTest::addRow("%s on %s, k %d", variant->id().c_str(), name(backend).data(), k)
                << QString::fromStdString(variant->id()) << static_cast<int>(backend) << k;
  }
  void sumsGoOn() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    QFETCH(int, k);
    const test::Found found = test::findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    const Variant& variant = *Registry::instance().find(id.toStdString());
    std::size_t ran = 0;
    std::string refusal;
    const auto check = [&](const Bell& bell) {
      const std::vector<float> values = valuesOf(bell);
      const double expected = meanOf(values);
      Bench bench(device, values, k);
      for (const Stage stage : {Stage::reduce, Stage::fused}) {
        if (!variant.on(device.backend()).has(stage)) continue;
        for (const Tuning& tuning : tuningsOf(variant)) {
          if (const auto reason = variant.whyNot(stage, bench.problem(), device.info(), tuning)) {
            refusal = *reason;
            continue;
          }
          const double off = std::abs(bench.mean(variant, stage, tuning) - expected);
          const QString text = QStringLiteral("block %1, items %2: off by %3 of what is allowed")
                                   .arg(tuning.block)
                                   .arg(tuning.items)
                                   .arg(off / allowedFor(values));
          QVERIFY2(off <= allowedFor(values), qPrintable(text));
          ++ran;
        }
      }
    };
    check(k == 1 ? narrow : few);
    if (device.backend() != Backend::simt && k == 1) check(wide);
    if (ran == 0) QSKIP(refusal.c_str());
  }
};

QTEST_GUILESS_MAIN(TestStagnation)
#include "tst_stagnation.moc"
