// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/placed_points.hpp"

#include <QTest>

#include <cmath>
#include <stdexcept>

using namespace lloyd;
using namespace lloyd::test;

namespace {

const Variant* variant(const char* id) { return Registry::instance().find(id); }

Plan tilePlan() {
  Plan plan;
  plan.fused = variant("fused.v3");
  plan.update = variant("update.v1");
  return plan;
}

/// A clustering that starts from the problem's centroids, with layouts of its own.
struct Run {
  Run(Device& device, const HostProblem& host)
      : layouts(device, host.problem.n, host.problem.d), clustering(device, host.problem, layouts) {
    clustering.restore({.centroids = host.centroids});
  }
  PointLayouts layouts;
  Clustering clustering;
};

/// An iteration over points, whose box is that of the problem.
IterationResult iterate(Run& run, SharedPoints& points, const HostProblem& host,
                        const Plan& plan = tilePlan()) {
  Mapping mapping(points);
  PointMemory memory = mapping.memory();
  memory.box = boxOf(host.points.data(), host.problem.n, host.problem.d);
  IterationResult result = run.clustering.advance(plan, memory, {.inertia = true});
  mapping.flip();
  return result;
}

} // namespace

/// Labels that stay in the tiled layout while nobody looks: when they do, and that they are the same labels.
class TestTileLabels : public QObject {
  Q_OBJECT

private slots:
  /// Looks before and after change nothing but that.
  void withoutALookNoLabelOfAPointIsWritten_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("d");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (const int d : {1, 2, 3})
        QTest::addRow("%d on %s", d, name(backend).data()) << static_cast<int>(backend) << d;
  }
  void withoutALookNoLabelOfAPointIsWritten() {
    QFETCH(int, backend);
    QFETCH(int, d);
    const Found used = findDevice(static_cast<Backend>(backend));
    if (!used.device) QSKIP(used.why.c_str());
    Device& device = *used.device;
    for (const std::size_t n :
         {std::size_t{512}, std::size_t{2000}}) { // all tiles full, and the last one not
      const HostProblem host = makeProblem(PointKind::uniform, {n, d, 7});
      DevicePoints own(device, n, d, host.points.data(), false);
      PlacedPoints points(device, n, d, host.points.data());
      Run plain(device, host);
      Run tiledLabels(device, host);
      for (int i = 0; i < 8; ++i) {
        const bool seen = i < 2 || i > 5;
        points.unseen = !seen;
        const IterationResult right = iterate(plain, own, host);
        const IterationResult found = iterate(tiledLabels, points, host);
        QVERIFY(right.times[Stage::labels]);
        QCOMPARE(found.times[Stage::labels].has_value(), seen);
        QVERIFY(points.layout() == (seen ? LabelLayout(LabelWidth::one) : LabelLayout(LabelWidth::one, 256)));
        std::vector<Label> labels(n);
        downloadLabels(device, own.frontLabels(), labels);
        QVERIFY(points.labels() == labels);
        QCOMPARE(found.changed, right.changed);
        QVERIFY(found.centroids == right.centroids && found.sizes == right.sizes);
        QVERIFY(std::abs(*found.inertia - *right.inertia) <= 1e-11 * *right.inertia);
      }
    }
  }

  void theirInertiaIsThatOfThePoints_data() {
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
  }
  void theirInertiaIsThatOfThePoints() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    for (const PointKind kind : {PointKind::uniform, PointKind::oneCluster, PointKind::lattice})
      for (const Problem& problem : {Problem{300, 1, 2}, Problem{2500, 2, 9}, Problem{70001, 3, 5}}) {
        const HostProblem host = makeProblem(kind, problem);
        const std::size_t n = problem.n;
        DevicePoints points(device, n, problem.d, host.points.data(), false);
        const Mapping mapping(points);
        const PointMemory& memory = mapping.memory();
        TiledPoints tiled(device, n, problem.d, 128);
        tiled.order({memory.positions, memory.stride, boxOf(host.points.data(), n, problem.d)});
        const std::vector<std::uint8_t> stored(host.labels.begin(), host.labels.end());
        Buffer<std::uint8_t> in(device, n);
        in.upload(stored);
        tiled.takeLabels({in.data(), LabelWidth::one});
        // As a pass leaves them.
        const LabelSpan tiledLabels = memory.labelsOf(LabelLayout(LabelWidth::one, 128));
        const TileArgs from = tiled.args();
        const TileLabelSpan to = tileLabelsIn(tiledLabels, n);
        device.copy(to.tiles, from.oldLabels.tiles, from.view.count * sizeof(std::uint16_t));
        device.copy(to.points, from.oldLabels.points, from.view.count * 128);
        Buffer<float> centroids(device, host.centroids.size());
        centroids.upload(host.centroids);
        Buffer<double> inertia(device, 1);
        inertia.fill(0);
        tiled.addInertia(tiledLabels, problem.k, centroids.data(), inertia.data());
        double right = 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < host.d(); ++j) {
            const auto c = static_cast<std::size_t>(host.labels[i]);
            const double difference = static_cast<double>(host.points[j * n + i]) -
                                      static_cast<double>(host.centroids[c * host.d() + j]);
            right += difference * difference;
          }
        QVERIFY(std::abs(inertia.download()[0] - right) <= 1e-11 * right);
        const LabelSpan others = memory.labelsOf(LabelLayout(LabelWidth::one, 256));
        QVERIFY_EXCEPTION_THROWN(tiled.addInertia(others, problem.k, centroids.data(), inertia.data()),
                                 std::invalid_argument);
      }
  }

  void anotherClusteringReadsWhatTheLastOneLeft() {
    const Found found = findDevice(Backend::simt);
    HostProblem host = makeProblem(PointKind::uniform, {1500, 2, 9});
    PlacedPoints points(*found.device, 1500, 2, host.points.data());
    Run first(*found.device, host);
    iterate(first, points, host);
    QVERIFY(points.layout().tile != 0);
    host.problem.k = 4;
    host.centroids.resize(host.problem.centroidValues());
    for (const char* other : {"fused.v1", "fused.v3"}) {
      Run next(*found.device, host);
      Plan plan = tilePlan();
      plan.fused = variant(other);
      const IterationResult result = iterate(next, points, host, plan);
      QCOMPARE(result.changed, std::optional<std::uint64_t>(1500));
      relabel(host);
      QVERIFY(points.labels() == host.labels);
      iterate(first, points, host); // tiled again
    }
  }

  /// What repeats itself on the device begins where single iterations ended.
  void wholeIterationsGoOnFromThem() {
    const Found found = findDevice(Backend::simt);
    const HostProblem host = makeProblem(PointKind::uniform, {900, 2, 5});
    PlacedPoints points(*found.device, 900, 2, host.points.data());
    DevicePoints own(*found.device, 900, 2, host.points.data(), false);
    Plan loop = tilePlan();
    loop.fused = variant("fused.v2");
    loop.schedule = variant("schedule.graph");
    std::vector<std::vector<Label>> labels;
    std::vector<std::optional<std::uint64_t>> changed;
    for (SharedPoints* shared : {static_cast<SharedPoints*>(&points), static_cast<SharedPoints*>(&own)}) {
      Run run(*found.device, host);
      iterate(run, *shared, host);
      Mapping mapping(*shared);
      PointMemory memory = mapping.memory();
      memory.box = boxOf(host.points.data(), host.problem.n, host.problem.d);
      changed.push_back(run.clustering.iterateUntil(loop, memory, -1, 1).changed);
      mapping.flip();
    }
    QCOMPARE(changed[0], changed[1]);
    std::vector<Label> right(900);
    downloadLabels(*found.device, own.frontLabels(), right);
    QVERIFY(points.labels() == right);
  }

  /// A change of the plan that fails may leave no order to look old labels up in.
  void anOrderThatIsLostIsMadeAgain() {
    const HostProblem host = makeProblem(PointKind::uniform, {1500, 2, 9});
    Plan small = tilePlan();
    small.tuning.items = 128;
    Plan rows = tilePlan();
    rows.fused = variant("fused.v1");
    const auto plain = simt::createSimtDevice();
    PlacedPoints own(*plain, 1500, 2, host.points.data(), false);
    Run rightOne(*plain, host);
    iterate(rightOne, own, host);
    const IterationResult right = iterate(rightOne, own, host, rows);
    QVERIFY(*right.changed > 0);
    int faults = 0;
    for (;;) {
      FaultyDevice device(simt::createSimtDevice());
      PlacedPoints points(device, 1500, 2, host.points.data());
      Run run(device, host);
      iterate(run, points, host);
      device.plan({.call = faults + 1, .code = 2});
      try {
        iterate(run, points, host, small);
        break;
      } catch (const DeviceError&) {
        ++faults;
      }
      device.plan({});
      QCOMPARE(iterate(run, points, host, rows).changed, right.changed);
      QVERIFY(points.labels() == own.labels());
    }
    QVERIFY(faults > 10);
  }

  void whereTheyDoNotFitLabelsAreWrittenForEveryPoint() {
    const Found found = findDevice(Backend::simt);
    const auto formAfter = [&](std::size_t n) {
      const HostProblem host = makeProblem(PointKind::uniform, {n, 2, 3});
      PlacedPoints points(*found.device, n, 2, host.points.data());
      Run run(*found.device, host);
      iterate(run, points, host);
      return points.layout();
    };
    QCOMPARE(tileLabelBytes(1000, 256), std::size_t{256 + 1024});
    QVERIFY(formAfter(1000) == LabelLayout(LabelWidth::one, 256));
    QVERIFY(formAfter(100) == LabelWidth::one); // a tile takes more than four bytes a point
    QVERIFY(formAfter(128) == LabelLayout(LabelWidth::one, 256));
  }

  void labelsOfPointsThatMoveAreWritten() {
    const Found found = findDevice(Backend::simt);
    const HostProblem host = makeProblem(PointKind::uniform, {1000, 2, 3});
    DevicePoints points(*found.device, 1000, 2, host.points.data(), true, Sharing::none, true);
    PointMemory memory = points.map();
    memory.box = boxOf(host.points.data(), 1000, 2);
    found.device->copy(memory.nextPositions, memory.positions, 2 * memory.stride * sizeof(float));
    Run run(*found.device, host);
    run.clustering.advance(tilePlan(), memory);
    QVERIFY(memory.unseen && memory.labels->layout() == LabelWidth::one);
  }
};

QTEST_GUILESS_MAIN(TestTileLabels)
#include "tst_tile_labels.moc"
