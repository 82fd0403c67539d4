// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_cell_label.hpp"
#include "tests/gpu/kernels/fused/fused_scenes.hpp"

#include <QTest>

#include <sstream>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::array<unsigned, 12> clusterCounts{1, 2, 3, 4, 7, 8, 9, 16, 16, 31, 57, 256};

/// What a failure needs to be looked into.
std::string describe(const Scene& scene, std::span<const float> x, const CellLabel& found, unsigned right) {
  std::ostringstream text;
  text.precision(9);
  text << "d " << scene.d << ", k " << scene.k << ", " << scene.perAxis << " cells an axis, point";
  for (const float value : x)
    text << ' ' << value;
  text << ", cell " << found.cell << " of " << found.cells << " with " << found.candidates
       << " candidates: label " << found.label << ", by definition " << right << "; centroids";
  const auto d = static_cast<std::size_t>(scene.d);
  for (const unsigned c : {found.label, right})
    for (std::size_t j = 0; j < d; ++j)
      text << ' ' << scene.centroids[c * d + j];
  return text.str();
}

/// The empty string, or what is wrong with the label that the cells find.
std::string defect(const Scene& scene, std::span<const float> x, CellLabel& found) {
  found = labelByCell(scene.box, scene.perAxis, scene.centroids, x);
  const unsigned right = nearestByDefinition(scene.centroids, x);
  bool same = found.label == right && found.cell < found.cells;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const float center = scene.centroids[right * x.size() + j];
    same = same && found.deviation[j] == x[j] - center;
  }
  return same ? std::string() : describe(scene, x, found, right);
}

/// Fewer cells than there can be leave more candidates in each.
unsigned someCells(int d, Draw& draw) {
  const unsigned most = mostPerAxis(d);
  const unsigned least = d == 1 ? 256 : d == 2 ? 16 : 7;
  return draw.below(2) == 0 ? most : least + draw.below(most - least + 1);
}

} // namespace

/// The table of cells of fused.v2 against the definition of a label, without a kernel around it.
class TestFusedCells : public QObject {
  Q_OBJECT

  std::array<std::size_t, routeCount> met_{};
  std::size_t points_ = 0;

private slots:
  void theNearestIsAmongTheCandidates_data() {
    QTest::addColumn<int>("box");
    QTest::addColumn<int>("d");
    for (std::size_t box = 0; box < boxKinds.size(); ++box)
      for (const int d : {1, 2, 3})
        QTest::addRow("%s, d %d", boxKinds[box].name, d) << static_cast<int>(box) << d;
  }

  void theNearestIsAmongTheCandidates() {
    QFETCH(int, box);
    QFETCH(int, d);
    constexpr int scenes = 36;
    constexpr int points = 72;
    const BoxKind& kind = boxKinds[static_cast<std::size_t>(box)];
    for (unsigned centroids = 0; centroids < centroidKinds; ++centroids) {
      Draw draw(100 * static_cast<unsigned>(box) + 10 * static_cast<unsigned>(d) + centroids);
      for (int i = 0; i < scenes; ++i) {
        const unsigned k = clusterCounts[draw.below(clusterCounts.size())];
        const Scene scene =
            makeScene(kind, static_cast<CentroidKind>(centroids), d, k, someCells(d, draw), draw);
        std::array<float, 3> room{};
        const auto x = std::span(room).first(static_cast<std::size_t>(d));
        for (int point = 0; point < points; ++point) {
          drawPoint(scene, draw, x);
          CellLabel found;
          const std::string text = defect(scene, x, found);
          QVERIFY2(text.empty(), text.c_str());
          ++met_[static_cast<std::size_t>(found.route)];
          ++points_;
        }
      }
    }
  }

  void everyWayThroughTheCandidatesWasTaken() {
    if (points_ == 0) QSKIP("the points of the other functions are needed");
    QVERIFY(points_ > 1000000);
    for (const std::size_t route : met_)
      QVERIFY(route > points_ / 50);
  }

  /// A table that named all centroids everywhere would be right, and useless.
  void mostCellsNameOneOrTwo() {
    for (const int d : {1, 2, 3}) {
      Draw draw(7);
      const Scene scene = makeScene(boxKinds[0], CentroidKind::inside, d, 16, mostPerAxis(d), draw);
      constexpr int points = 2000;
      std::size_t named = 0;
      for (int point = 0; point < points; ++point) {
        std::array<float, 3> room{};
        const auto x = std::span(room).first(static_cast<std::size_t>(d));
        for (float& value : x)
          value = static_cast<float>(draw.unit());
        named += labelByCell(scene.box, scene.perAxis, scene.centroids, x).candidates;
      }
      const double mean = static_cast<double>(named) / points;
      QVERIFY2(mean < (d == 1   ? 1.05
                       : d == 2 ? 1.2
                                : 1.6),
               qPrintable(QStringLiteral("d %1: %2 candidates a cell").arg(d).arg(mean)));
    }
  }

  void everyFloatBesideABoundary_data() {
    QTest::addColumn<int>("box");
    for (std::size_t box = 0; box < boxKinds.size(); ++box)
      QTest::addRow("%s", boxKinds[box].name) << static_cast<int>(box);
  }

  /// In one dimension, where the label changes is found to the float by halving the floats between two
  /// centroids; a few hundred floats at either side are asked, one by one.
  void everyFloatBesideABoundary() {
    QFETCH(int, box);
    std::size_t boundaries = 0;
    for (unsigned centroids = 0; centroids < centroidKinds; ++centroids) {
      Draw draw(5000 + 10 * static_cast<unsigned>(box) + centroids);
      for (const unsigned k : {2u, 5u, 16u, 64u}) {
        const Scene scene = makeScene(boxKinds[static_cast<std::size_t>(box)],
                                      static_cast<CentroidKind>(centroids), 1, k, someCells(1, draw), draw);
        std::vector<float> sorted = scene.centroids;
        for (float& value : sorted)
          value = std::clamp(value, scene.box.low[0], scene.box.high[0]);
        sorted.push_back(scene.box.low[0]);
        sorted.push_back(scene.box.high[0]);
        std::sort(sorted.begin(), sorted.end());
        const auto labelAt = [&](std::int64_t order) {
          const float x = floatAt(static_cast<std::int32_t>(order));
          return nearestByDefinition(scene.centroids, {&x, 1});
        };
        for (std::size_t c = 0; c + 1 < sorted.size(); ++c) {
          std::int64_t below = orderOf(sorted[c]);
          std::int64_t above = orderOf(sorted[c + 1]);
          if (labelAt(below) == labelAt(above)) continue;
          const unsigned label = labelAt(below);
          while (above - below > 1) {
            const std::int64_t middle = below + (above - below) / 2;
            (labelAt(middle) == label ? below : above) = middle;
          }
          ++boundaries;
          for (std::int64_t at = below - 150; at <= above + 150; ++at) {
            const float x = floatAt(static_cast<std::int32_t>(at));
            if (x < scene.box.low[0] || x > scene.box.high[0]) continue;
            CellLabel found;
            const std::string text = defect(scene, {&x, 1}, found);
            QVERIFY2(text.empty(), text.c_str());
          }
        }
      }
    }
    // Where all squares are below the smallest float, all points are at distance 0 from all centroids.
    const bool onlyOne = boxKinds[static_cast<std::size_t>(box)].extent[0] < 1e-23;
    QVERIFY(onlyOne ? boundaries == 0 : boundaries > 0);
  }
};

QTEST_GUILESS_MAIN(TestFusedCells)
#include "tst_fused_cells.moc"
