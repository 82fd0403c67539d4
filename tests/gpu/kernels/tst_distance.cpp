// SPDX-License-Identifier: GPL-3.0-or-later
// The family that compares by matrix products, and cpu.v4, which does so on the processor: whatever they
// filter by, labels are those of the float chain, on data that leave scores no digits.
#include "gpu/core/contract/registry.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/hostile_data.hpp"

#include <QTest>

#include <limits>
#include <map>
#include <string>
#include <tuple>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// How a family member is run once, and what it wrote.
struct Outcome {
  std::vector<Label> labels;
  std::uint32_t changed = 0;
  std::uint32_t rechecked = 0;
};
Outcome classify(Device& device, const Variant& variant, const Problem& problem, const hostile::Data& data) {
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

} // namespace

class TestDistance : public QObject {
  Q_OBJECT

private slots:
  void labelsAreThoseOfTheChain_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<QString>("id");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      for (const Variant* variant : Registry::instance().all())
        if ((variant->info.family == "distance" || variant->id() == "cpu.v4") && variant->runsOn(backend))
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
    if (used.device->backend() == Backend::cpu)
      problems = {{1, 2, 2},       {1, 784, 1000}, {31, 8, 17},   {1000, 33, 256},
                  {130, 64, 1000}, {70, 784, 256}, {20005, 3, 17}};
    if (used.device->backend() == Backend::cuda)
      problems = {{1, 2, 2},
                  {1000, 8, 17},
                  {1000, 33, 256},
                  {1000, 64, 1000},
                  {1000, 400, 300},
                  {3001, 784, 256},
                  {(std::size_t{1} << 18) + 5, 64, 17}};
    for (const Problem& problem : problems)
      for (const hostile::Kind& kind : hostile::kinds) {
        const hostile::Data data = kind.make(problem);
        const Outcome found = classify(*used.device, variant, problem, data);
        // Of all variants the same, and what takes the time.
        static std::map<std::tuple<std::size_t, int, int, std::string>, std::vector<Label>> known;
        std::vector<Label>& right = known[{problem.n, problem.d, problem.k, kind.name}];
        if (right.empty()) right = hostile::chainLabels(problem, data);
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

  /// Squared norms multiplied by each other would be 0, and a bound made of that no bound.
  void smallNumbersAreNoNearTies_data() { labelsAreThoseOfTheChain_data(); }
  void smallNumbersAreNoNearTies() {
    QFETCH(int, backend);
    QFETCH(QString, id);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    if (variant.info.workBytes == nullptr) QSKIP("it takes no products");
    const Problem problem{6000, 8, 64};
    for (const float size : {3e-13F, 3e-16F, 3e-19F}) {
      const hostile::Data data = hostile::changed(problem, [size](float value) { return size * value; });
      const Outcome found = classify(*used.device, variant, problem, data);
      QVERIFY2(found.labels == hostile::chainLabels(problem, data), qPrintable(QString::number(size)));
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
    const auto share = [&](const hostile::Data& data) {
      return static_cast<double>(classify(*used.device, variant, problem, data).rechecked) / 200.0;
    };
    QVERIFY2(share(hostile::uniform(problem)) <= (filters ? 0.1 : 0.0),
             qPrintable(QString::number(share(hostile::uniform(problem)))));
    QCOMPARE(share(hostile::allTheSame(problem)), filters ? 1.0 : 0.0);
    QCOMPARE(share(hostile::overflowing(problem)), filters ? 1.0 : 0.0);
  }
};

QTEST_APPLESS_MAIN(TestDistance)
#include "tst_distance.moc"
