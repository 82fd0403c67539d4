// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/gpu/kernels/fused/tile_candidates.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::array<unsigned, 12> clusterCounts{1, 2, 3, 4, 7, 8, 9, 16, 16, 31, 57, 256};

void everyDevice() {
  QTest::addColumn<int>("backend");
  for (const Backend backend : {Backend::simt, Backend::cuda})
    QTest::addRow("%s", name(backend).data()) << static_cast<int>(backend);
}

void extend(Box& box, std::span<const float> x) {
  const bool isNew = !box.known();
  for (std::size_t j = 0; j < x.size(); ++j) {
    box.low[j] = isNew ? x[j] : std::min(box.low[j], x[j]);
    box.high[j] = isNew ? x[j] : std::max(box.high[j], x[j]);
  }
}

} // namespace

/// What fused.v3 adds to the other fused variants: boxes that rule centroids out, labels that stay with
/// tiles, sums that no shape of a launch can change.
class TestFusedTiles : public QObject {
  Q_OBJECT

  std::size_t points_ = 0;

private slots:
  void theNearestIsAmongTheCandidates_data() {
    QTest::addColumn<int>("box");
    QTest::addColumn<int>("d");
    for (std::size_t box = 0; box < boxKinds.size(); ++box)
      for (const int d : {1, 2, 3})
        QTest::addRow("%s, d %d", boxKinds[box].name, d) << static_cast<int>(box) << d;
  }
  /// Tiles of a few points, some of them as near to being between two centroids as floats allow.
  void theNearestIsAmongTheCandidates() {
    QFETCH(int, box);
    QFETCH(int, d);
    constexpr std::size_t inTile = 3;
    const BoxKind& kind = boxKinds[static_cast<std::size_t>(box)];
    for (unsigned centroids = 0; centroids < centroidKinds; ++centroids) {
      Draw draw(5000 + 100 * static_cast<unsigned>(box) + 10 * static_cast<unsigned>(d) + centroids);
      for (int i = 0; i < 120; ++i) {
        const unsigned k = clusterCounts[draw.below(clusterCounts.size())];
        const Scene scene = makeScene(kind, static_cast<CentroidKind>(centroids), d, k, 64, draw);
        std::vector<Box> tiles(1 + draw.below(16));
        std::vector<std::array<float, 3>> points(tiles.size() * inTile);
        for (std::size_t p = 0; p < points.size(); ++p) {
          const auto x = std::span(points[p]).first(static_cast<std::size_t>(d));
          drawPoint(scene, draw, x);
          // Most tiles are small: their points lie a few floats from the first.
          if (p % inTile != 0 && draw.below(3) > 0)
            for (std::size_t j = 0; j < x.size(); ++j)
              x[j] = stepped(points[p - p % inTile][j], static_cast<int>(draw.below(2001)) - 1000);
          extend(tiles[p / inTile], x);
        }
        const std::vector<TileCandidates> found = candidatesOfTiles(tiles, d, scene.centroids);
        for (std::size_t p = 0; p < points.size(); ++p) {
          const auto x = std::span(points[p]).first(static_cast<std::size_t>(d));
          const unsigned right = nearestByDefinition(scene.centroids, x);
          const TileCandidates& own = found[p / inTile];
          const bool isThere =
              own.all || std::find(own.clusters.begin(), own.clusters.end(), right) != own.clusters.end();
          QVERIFY2(isThere, qPrintable(QStringLiteral("k %1: %2 is not among %3 candidates")
                                           .arg(k)
                                           .arg(right)
                                           .arg(own.clusters.size())));
          QVERIFY(std::is_sorted(own.clusters.begin(), own.clusters.end()));
          ++points_;
        }
      }
    }
  }
  void soManyPointsWereTried() {
    if (points_ == 0) QSKIP("the points of the other function are needed");
    QVERIFY(points_ > 1000000);
  }

  /// Boxes that ruled nothing out would be right, and useless.
  void smallTilesHaveOneCandidate() {
    for (const int d : {1, 2, 3}) {
      Draw draw(11);
      const Scene scene = makeScene(boxKinds[0], CentroidKind::inside, d, 16, 64, draw);
      std::size_t named = 0;
      constexpr int count = 2000;
      for (int i = 0; i < count; ++i) {
        Box tile;
        for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
          tile.low[j] = static_cast<float>(draw.between(0, 0.99));
          tile.high[j] = tile.low[j] + 0.01f;
        }
        named += candidatesOfTiles({&tile, 1}, d, scene.centroids).front().clusters.size();
      }
      QVERIFY(named < count * 3 / 2);
    }
  }

  void everyShapeGivesTheSameBits_data() { everyDevice(); }
  void everyShapeGivesTheSameBits() {
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = variantOf(QStringLiteral("fused.v3"));
    for (const int d : {1, 2, 3}) {
      const HostProblem host = makeProblem(PointKind::uniform, {20011, d, 16});
      FusedBench bench(*found.device, host, variant);
      std::optional<FusedResult> first;
      for (const int block : variant.parameter("block")->values)
        for (const int items : variant.parameter("items")->values) {
          Tuning tuning;
          tuning.set("block", block);
          tuning.set("items", items);
          if (variant.whyNot(Stage::fused, host.problem, found.device->info(), tuning)) continue;
          for (const int multiprocessors : {1, 3, 100}) {
            const FusedResult result = bench.runWith(
                tuning, [&](LaunchContext& context) { context.multiprocessors = multiprocessors; });
            if (!first) first = result;
            QVERIFY(result == *first);
          }
        }
      const std::string defect = defectOf(host, *first, 1e-12 * 10);
      QVERIFY2(defect.empty(), defect.c_str());
    }
  }

  void changesAreCountedFromPassToPass_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("k");
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (const int k : {7, 256})
        QTest::addRow("%s, k %d", name(backend).data(), k) << static_cast<int>(backend) << k;
  }
  /// Tiles that nobody has labelled, that stay what they were, and that become mixed and cease to be so.
  void changesAreCountedFromPassToPass() {
    QFETCH(int, backend);
    QFETCH(int, k);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    const Variant& variant = variantOf(QStringLiteral("fused.v3"));
    HostProblem host = makeProblem(PointKind::uniform, {30011, 2, k});
    const std::size_t n = host.problem.n;
    const auto clusters = static_cast<std::size_t>(k);
    const std::size_t stride = rowStride(n);
    Buffer<float> points(device, stride * 2);
    for (std::size_t j = 0; j < 2; ++j)
      device.upload(points.data() + j * stride, host.points.data() + j * n, n * sizeof(float));
    Buffer<float> centroids(device, host.centroids.size());
    Buffer<Label> labels(device, n);
    Buffer<std::uint32_t> changed(device, 1);
    Buffer<double> sums(device, 2 * clusters);
    Buffer<std::uint32_t> counts(device, clusters);
    TiledPoints tiled(device, n, 2, variant.info.tileSize(host.problem, variant.complete({})));
    const Box box = boxOf(host.points.data(), n, 2);
    tiled.order({points.data(), stride, box});
    Draw draw(3);
    std::vector<Label> before(n, -1);
    for (int pass = 0; pass < 8; ++pass) {
      // A little, not at all, and quite a lot.
      for (float& value : host.centroids)
        value += static_cast<float>(draw.between(-1, 1) * (pass % 3 == 0 ? 0.05 : pass % 3 == 1 ? 0 : 2));
      // The highest bit of every label, and nothing else of it.
      if (k == 256 && pass % 2 == 1)
        std::rotate(host.centroids.begin(), host.centroids.begin() + host.problem.d * k / 2,
                    host.centroids.end());
      relabel(host);
      centroids.upload(host.centroids);
      changed.fill(0);
      sums.fill(0);
      counts.fill(0);
      run(device, variant,
          FusedArgs{.problem = host.problem,
                    .points = {points.data(), stride, box},
                    .centroids = centroids.data(),
                    .oldLabels = {labels.data(), LabelWidth::one},
                    .labels = {labels.data(), LabelWidth::one},
                    .changed = changed.data(),
                    .sums = sums.data(),
                    .counts = counts.data(),
                    .tuning = {},
                    .tiled = &tiled});
      tiled.keepPass();
      tiled.writeLabels({labels.data(), LabelWidth::one});
      std::vector<Label> stored(n);
      downloadLabels(device, {labels.data(), LabelWidth::one}, stored);
      QVERIFY(stored == host.labels);
      std::uint32_t others = 0;
      for (std::size_t i = 0; i < n; ++i)
        others += stored[i] != before[i] ? 1 : 0;
      QCOMPARE(changed.download().front(), others);
      before = stored;
    }
  }
};

QTEST_GUILESS_MAIN(TestFusedTiles)
#include "tst_fused_tiles.moc"
