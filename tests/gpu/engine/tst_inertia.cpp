// SPDX-License-Identifier: GPL-3.0-or-later
// Inertia decides which of several clusterings is the best one, so that equal labels must have equal bits.
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/core/data/box.hpp"
#include "gpu/reference/reference.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <cmath>
#include <string>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr Problem problem{.n = 50'021, .d = 2, .k = 7};

/// [d][n]; squares of very different sizes, so that the order in which they are added shows in the bits.
std::vector<float> makePoints() {
  std::vector<float> points(problem.pointValues());
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = std::pow(1.0001F, static_cast<float>(i * 7919 % 60'013)) * (i % 2 == 0 ? 1.0F : -1.0F);
  return points;
}
std::vector<float> makeCentroids() {
  std::vector<float> centroids(problem.centroidValues());
  for (std::size_t i = 0; i < centroids.size(); ++i)
    centroids[i] = 17.3F * static_cast<float>(i);
  return centroids;
}
template <class Stored>
std::vector<Stored> makeLabels() {
  std::vector<Stored> labels(problem.n);
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<Stored>(i * 31 % static_cast<std::size_t>(problem.k));
  return labels;
}

} // namespace

class TestInertia : public QObject {
  Q_OBJECT

private slots:
  void equalLabelsHaveEqualBits_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<bool>("tiles");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      for (const bool tiles : {false, true})
        QTest::addRow("%s, %s", tiles ? "tiles" : "input order", name(backend).data())
            << static_cast<int>(backend) << tiles;
  }
  void equalLabelsHaveEqualBits() {
    QFETCH(int, backend);
    QFETCH(bool, tiles);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    Device& device = *used.device;
    const std::vector<float> rows = makePoints();
    const std::vector<float> centroids = makeCentroids();
    const std::vector<Label> labels = makeLabels<Label>();
    Buffer<float> points(device, rows.size());
    Buffer<float> at(device, centroids.size());
    Buffer<std::uint8_t> narrow(device, problem.n);
    Buffer<double> sum(device, 1);
    points.upload(rows);
    at.upload(centroids);
    narrow.upload(makeLabels<std::uint8_t>());

    TiledPoints tiled(device, problem.n, problem.d, 128);
    if (tiles) {
      tiled.order({points.data(), problem.n, boxOf(rows.data(), problem.n, problem.d)});
      tiled.takeLabels(LabelView(narrow.data(), LabelWidth::one));
    }
    const auto add = [&] {
      if (tiles)
        device.tileInertia({.problem = problem,
                            .view = tiled.args().view,
                            .labels = tiled.args().oldLabels,
                            .centroids = at.data(),
                            .inertia = sum.data()});
      else
        device.inertia({.problem = problem,
                        .points = {points.data(), problem.n},
                        .centroids = at.data(),
                        .labels = LabelView(narrow.data(), LabelWidth::one),
                        .inertia = sum.data()});
    };
    sum.fill(0);
    add();
    const double first = sum.download().front();
    const double right = reference::inertia(problem, rows, reference::asDoubles(centroids), labels);
    QVERIFY2(std::abs(first - right) <= 1e-12 * right,
             qPrintable(QStringLiteral("%1, not %2").arg(first, 0, 'g', 17).arg(right, 0, 'g', 17)));
    for (int again = 0; again < 20; ++again) {
      sum.fill(0);
      add();
      QCOMPARE(sum.download().front(), first);
    }
    add(); // to what is there
    QCOMPARE(sum.download().front(), 2 * first);
  }

  /// A person's kernel may store anything where a label belongs, and inertia reads centroids by it outside of
  /// the simulator.
  void aLabelThatNoClusterHasIsAFaultOnTheSimulator() {
    const Found used = findDevice(Backend::simt);
    QVERIFY(used.device);
    Device& device = *used.device;
    const std::vector<float> rows = makePoints();
    std::vector<std::uint8_t> labels = makeLabels<std::uint8_t>();
    labels[4711] = problem.k;
    Buffer<float> points(device, rows.size());
    Buffer<float> at(device, problem.centroidValues());
    Buffer<std::uint8_t> narrow(device, problem.n);
    Buffer<double> sum(device, 1);
    points.upload(rows);
    at.upload(makeCentroids());
    narrow.upload(labels);
    sum.fill(0);
    TiledPoints tiled(device, problem.n, problem.d, 128);
    tiled.order({points.data(), problem.n, boxOf(rows.data(), problem.n, problem.d)});
    tiled.takeLabels(LabelView(narrow.data(), LabelWidth::one));
    const auto faultOf = [](const auto& add) {
      try {
        add();
      } catch (const DeviceError& error) {
        return std::string(error.severity() == Severity::badRequest ? error.meaning() : "");
      }
      return std::string();
    };
    const std::string inOrder = faultOf([&] {
      device.inertia({.problem = problem,
                      .points = {points.data(), problem.n},
                      .centroids = at.data(),
                      .labels = LabelView(narrow.data(), LabelWidth::one),
                      .inertia = sum.data()});
    });
    QCOMPARE(inOrder, std::string("point 4711 has the label 7, which no cluster has: labels go from 0 to 6"));
    const std::string inTiles = faultOf([&] {
      device.tileInertia({.problem = problem,
                          .view = tiled.args().view,
                          .labels = tiled.args().oldLabels,
                          .centroids = at.data(),
                          .inertia = sum.data()});
    });
    QVERIFY2(inTiles.ends_with(" has the label 7, which no cluster has: labels go from 0 to 6"),
             inTiles.c_str());
    QCOMPARE(sum.download().front(), 0.0);
  }
};

QTEST_APPLESS_MAIN(TestInertia)
#include "tst_inertia.moc"
