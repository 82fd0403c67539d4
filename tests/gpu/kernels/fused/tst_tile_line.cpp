// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

const Variant& tiles() { return variantOf(QStringLiteral("fused.v3")); }

Tuning smallest() { return smallBlocks(tiles()); }

/// Points on a line in tiles, passed over in place again and again while the centroids move.
class Passes {
public:
  Passes(Device& device, HostProblem& host)
      : device_(device), host_(host), points_(device, host.problem.n),
        centroids_(device, host.centroids.size()), changed_(device, 1), sums_(device, host.centroids.size()),
        counts_(device, host.centroids.size()), stored_(device, host.problem.n),
        tiled_(device, host.problem.n, 1, size()) {
    points_.upload(host.points);
    tiled_.order({points_.data(), host.problem.n, box()});
  }

  /// A pass from the labels of the last one, on a card with so many multiprocessors; its result.
  FusedResult pass(int multiprocessors) {
    centroids_.upload(host_.centroids);
    changed_.fill(0);
    sums_.fill(0);
    counts_.fill(0);
    FusedArgs args{.problem = host_.problem,
                   .points = {points_.data(), host_.problem.n, box()},
                   .centroids = centroids_.data(),
                   .oldLabels = {},
                   .labels = {},
                   .changed = changed_.data(),
                   .sums = sums_.data(),
                   .counts = counts_.data(),
                   .tuning = tiles().complete(smallest())};
    args.tiles = tiled_.argsInPlace();
    device_.lendWorkMemory(tiles().info.workBytes(host_.problem, args.tuning), [&](const WorkMemory& work) {
      args.work = work;
      device_.launch(tiles().id(), [&](LaunchContext& context) {
        context.multiprocessors = multiprocessors;
        tiles().on(device_.backend()).fused(args, context);
      });
    });
    FusedResult found;
    tiled_.writeLabels({stored_.data(), LabelWidth::one});
    found.labels.resize(host_.problem.n);
    downloadLabels(device_, {stored_.data(), LabelWidth::one}, found.labels);
    found.changed = changed_.download().front();
    found.sums = sums_.download();
    found.counts = counts_.download();
    return found;
  }

private:
  [[nodiscard]] unsigned size() const {
    return tiles().info.tileSize(host_.problem, tiles().complete(smallest()));
  }
  [[nodiscard]] Box box() const { return boxOf(host_.points.data(), host_.problem.n, 1); }

  Device& device_;
  HostProblem& host_;
  Buffer<float> points_;
  Buffer<float> centroids_;
  Buffer<std::uint32_t> changed_;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint8_t> stored_;
  TiledPoints tiled_;
};

/// A little, not at all, and quite a lot.
void moveCentroids(HostProblem& host, int pass, Draw& draw) {
  for (float& value : host.centroids)
    value += static_cast<float>(draw.between(-1, 1) * (pass % 3 == 0 ? 0.05 : pass % 3 == 1 ? 0 : 2));
  host.oldLabels = host.labels;
  relabel(host);
}

void everyKindOnEveryDevice() {
  QTest::addColumn<int>("backend");
  QTest::addColumn<int>("kind");
  for (const Backend backend : {Backend::simt, Backend::cuda})
    for (std::size_t kind = 0; kind < pointKindNames.size(); ++kind)
      QTest::addRow("%s on %s", pointKindNames[kind], name(backend).data())
          << static_cast<int>(backend) << static_cast<int>(kind);
}

} // namespace

/// One dimension, where fused.v3 adds clusters up by stretches of the sorted points.
class TestTileLine : public QObject {
  Q_OBJECT

private slots:
  void stretchesAreRight_data() { everyKindOnEveryDevice(); }
  /// Enough tiles for a warp to take 32 runs at once, and few enough multiprocessors for it to have to.
  void stretchesAreRight() {
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    for (const int k : {1, 7, 200}) {
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), {k == 200 ? 40961u : 300017u, 1, k});
      FusedBench bench(*found.device, host, tiles());
      std::optional<FusedResult> first;
      for (const int multiprocessors : {1, 5, 100}) {
        const FusedResult result = bench.runWith(
            smallest(), [&](LaunchContext& context) { context.multiprocessors = multiprocessors; });
        if (!first) first = result;
        QVERIFY(result == *first);
      }
      const std::string defect = defectOf(host, *first, 1e-12 * 10);
      QVERIFY2(defect.empty(), defect.c_str());
    }
  }

  void labelsInPlaceFollowTheCentroids_data() { everyKindOnEveryDevice(); }
  /// Tiles that nobody has labelled, that stay what they were, and that become mixed and cease to be so.
  void labelsInPlaceFollowTheCentroids() {
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    HostProblem host = makeProblem(static_cast<PointKind>(kind), {30011, 1, 7});
    Passes passes(*found.device, host);
    Draw draw(3);
    for (int pass = 0; pass < 8; ++pass) {
      moveCentroids(host, pass, draw);
      if (pass == 0) host.oldLabels.assign(host.problem.n, -1);
      const std::string defect = defectOf(host, passes.pass(1 + 3 * pass), allowedOf(host));
      QVERIFY2(defect.empty(), defect.c_str());
    }
  }

  void noRacesInAnyOrder_data() {
    QTest::addColumn<int>("order");
    const QStringList orders{"forward", "reverse", "seeded"};
    for (qsizetype order = 0; order < orders.size(); ++order)
      QTest::newRow(qPrintable(orders[order])) << static_cast<int>(order);
  }
  /// Runs with a border, and tiles on it, whose labels lie where the old ones do.
  void noRacesInAnyOrder() {
    QFETCH(int, order);
    const auto device = simt::createSimtDevice();
    device->setSchedule({.order = static_cast<simt::Schedule::Order>(order), .seed = 7});
    HostProblem host = makeProblem(PointKind::uniform, {20011, 1, 9});
    Passes passes(*device, host);
    Draw draw(5);
    for (int pass = 0; pass < 3; ++pass) {
      moveCentroids(host, pass, draw);
      if (pass == 0) host.oldLabels.assign(host.problem.n, -1);
      device->startRecording();
      const FusedResult result = passes.pass(3);
      const simt::Trace trace = device->stopRecording();
      QVERIFY(trace.counters.requests > 0);
      QCOMPARE(trace.races, std::size_t{0});
      QVERIFY2(trace.faults.empty(), trace.faults.empty() ? "" : trace.faults.front().c_str());
      const std::string defect = defectOf(host, result, allowedOf(host));
      QVERIFY2(defect.empty(), defect.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestTileLine)
#include "tst_tile_line.moc"
