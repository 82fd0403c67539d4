// SPDX-License-Identifier: GPL-3.0-or-later
// The family that compares by matrix products: whatever it filters by, its labels are those of the float
// chain, on data that leave scores no digits.
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>

using namespace lloyd;
using namespace lloyd::test;

namespace {

struct Data {
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
};

/// 0 <= value < 1
float number(std::uint64_t stream, std::uint64_t index) {
  return static_cast<float>(randomBits(11, stream, index) >> 40) * 0x1p-24F;
}

Data uniform(const Problem& problem) {
  Data data{std::vector<float>(problem.pointValues()), std::vector<float>(problem.centroidValues())};
  for (std::size_t i = 0; i < data.points.size(); ++i)
    data.points[i] = number(0, i);
  for (std::size_t i = 0; i < data.centroids.size(); ++i)
    data.centroids[i] = number(1, i);
  return data;
}

Data changed(const Problem& problem, const std::function<float(float)>& change) {
  Data data = uniform(problem);
  for (std::vector<float>* values : {&data.points, &data.centroids})
    for (float& value : *values)
      value = change(value);
  return data;
}

/// Small whole numbers: every distance is exact, and many are the same.
Data ties(const Problem& problem) {
  return changed(problem, [](float value) { return std::floor(3 * value); });
}

/// Each centroid is there twice, and the second time by a bit off in one coordinate, or not at all.
Data nearTies(const Problem& problem) {
  Data data = uniform(problem);
  const auto d = static_cast<std::size_t>(problem.d);
  for (std::size_t c = 1; c < static_cast<std::size_t>(problem.k); c += 2) {
    std::copy_n(data.centroids.begin() + static_cast<std::ptrdiff_t>((c - 1) * d), d,
                data.centroids.begin() + static_cast<std::ptrdiff_t>(c * d));
    if (c % 4 == 1) data.centroids[c * d + c % d] = std::nextafter(data.centroids[c * d + c % d], 2.0F);
  }
  return data;
}

Data allTheSame(const Problem& problem) {
  return changed(problem, [](float) { return 0.7F; });
}

/// Points far from the origin, as far as floats tell them apart.
Data offset(const Problem& problem) {
  return changed(problem, [](float value) { return 1e6F + 10 * value; });
}

/// Half of the clusters far away and large, the others small: one bound must serve both.
Data hugeBesideSmall(const Problem& problem) {
  Data data = changed(problem, [](float value) { return 1e-3F * value; });
  const auto d = static_cast<std::size_t>(problem.d);
  for (std::size_t at = 0; at < data.centroids.size(); ++at)
    if (at / d % 2 == 1) data.centroids[at] *= 1e9F;
  return data;
}

Data denormal(const Problem& problem) {
  return changed(problem, [](float value) { return 1e-40F * value; });
}

/// Squares overflow, and with them distances; no cluster is nearer than infinitely far.
Data overflowing(const Problem& problem) {
  return changed(problem, [](float value) { return 3e38F * (value - 0.5F); });
}

std::vector<Label> chainLabels(const Problem& problem, const Data& data) {
  const auto d = static_cast<std::size_t>(problem.d);
  std::vector<Label> labels(problem.n);
  for (std::size_t i = 0; i < problem.n; ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    for (int c = 0; c < problem.k; ++c) {
      float distance = 0;
      for (std::size_t j = 0; j < d; ++j)
        distance = addSquare(distance, data.points[j * problem.n + i],
                             data.centroids[static_cast<std::size_t>(c) * d + j]);
      if (!(distance < nearest)) continue;
      nearest = distance;
      labels[i] = c;
    }
  }
  return labels;
}

/// How a family member is run once, and what it wrote.
struct Outcome {
  std::vector<Label> labels;
  std::uint32_t changed = 0;
  std::uint32_t rechecked = 0;
};
Outcome classify(Device& device, const Variant& variant, const Problem& problem, const Data& data) {
  const std::size_t stride = rowStride(problem.n);
  const auto d = static_cast<std::size_t>(problem.d);
  const bool records = variant.info.layout == Layout::aos;
  std::vector<float> laidOut((records ? problem.n : stride) * d, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < problem.n; ++i)
      laidOut[records ? i * d + j : j * stride + i] = data.points[j * problem.n + i];
  const Buffer<float> points(device, laidOut);
  const Buffer<float> centroids(device, data.centroids);
  const Buffer<Label> oldLabels(device, std::vector<Label>(problem.n, -1));
  Buffer<Label> labels(device, problem.n);
  Buffer<std::uint32_t> counts(device, 2);
  labels.fill(0xa5);
  counts.fill(0);
  run(device, variant,
      ClassifyArgs{.problem = problem,
                   .points = {points.data(), stride},
                   .centroids = centroids.data(),
                   .oldLabels = oldLabels.data(),
                   .labels = labels.data(),
                   .changed = counts.data(),
                   .tuning = {},
                   .rechecked = counts.data() + 1});
  const std::vector<std::uint32_t> said = counts.download();
  return {labels.download(), said[0], said[1]};
}

struct Kind {
  const char* name;
  Data (*make)(const Problem&);
};
constexpr std::array kinds{Kind{"uniform", uniform},
                           Kind{"exact ties", ties},
                           Kind{"near ties and duplicates", nearTies},
                           Kind{"all the same", allTheSame},
                           Kind{"an offset of 1e6", offset},
                           Kind{"huge beside small", hugeBesideSmall},
                           Kind{"denormal numbers", denormal},
                           Kind{"squares that overflow", overflowing}};

} // namespace

class TestDistance : public QObject {
  Q_OBJECT

private slots:
  void labelsAreThoseOfTheChain_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<QString>("id");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (const Variant* variant : Registry::instance().all())
        if (variant->info.family == "distance" && variant->runsOn(backend))
          QTest::addRow("%s on %s", variant->id().c_str(), name(backend).data())
              << static_cast<int>(backend) << QString::fromStdString(variant->id());
  }
  void labelsAreThoseOfTheChain() {
    QFETCH(int, backend);
    QFETCH(QString, id);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    // 520 coordinates are more than v7 keeps in shared memory.
    std::vector<Problem> problems{{1, 8, 2}, {129, 2, 17}, {77, 33, 130}, {40, 64, 256}, {33, 520, 70}};
    if (used.device->backend() == Backend::cuda)
      problems = {{1, 2, 2},
                  {1000, 8, 17},
                  {1000, 33, 256},
                  {1000, 64, 1000},
                  {1000, 400, 300},
                  {3001, 784, 256},
                  {(std::size_t{1} << 18) + 5, 64, 17}};
    for (const Problem& problem : problems)
      for (const Kind& kind : kinds) {
        const Data data = kind.make(problem);
        const Outcome found = classify(*used.device, variant, problem, data);
        // Of all variants the same, and what takes the time.
        static std::map<std::tuple<std::size_t, int, int, std::string>, std::vector<Label>> known;
        std::vector<Label>& right = known[{problem.n, problem.d, problem.k, kind.name}];
        if (right.empty()) right = chainLabels(problem, data);
        const auto [wrong, wanted] = std::mismatch(found.labels.begin(), found.labels.end(), right.begin());
        QVERIFY2(wrong == found.labels.end(),
                 qPrintable(QStringLiteral("%1, n %2, d %3, k %4: point %5 is %6")
                                .arg(kind.name)
                                .arg(problem.n)
                                .arg(problem.d)
                                .arg(problem.k)
                                .arg(wrong - found.labels.begin())
                                .arg(wrong == found.labels.end() ? -1 : *wrong)));
        QCOMPARE(found.changed, static_cast<std::uint32_t>(problem.n)); // no label was there before
      }
  }

  /// The filter filters: few uniform points are in doubt, and all that have no nearest cluster are.
  void pointsInDoubtAreCounted_data() { labelsAreThoseOfTheChain_data(); }
  void pointsInDoubtAreCounted() {
    QFETCH(int, backend);
    QFETCH(QString, id);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    const bool filters = variant.info.workBytes != nullptr;
    const Problem problem{200, 32, 20};
    const auto share = [&](const Data& data) {
      return static_cast<double>(classify(*used.device, variant, problem, data).rechecked) / 200.0;
    };
    QVERIFY2(share(uniform(problem)) <= (filters ? 0.1 : 0.0),
             qPrintable(QString::number(share(uniform(problem)))));
    QCOMPARE(share(allTheSame(problem)), filters ? 1.0 : 0.0);
    QCOMPARE(share(overflowing(problem)), filters ? 1.0 : 0.0);
  }
};

QTEST_APPLESS_MAIN(TestDistance)
#include "tst_distance.moc"
