// SPDX-License-Identifier: GPL-3.0-or-later
// Points whose labels the shaders look up by tiles.
#include "tests/app/render/points/point_bench.hpp"
#include "tests/app/render/points/tile_labels.hpp"

#include <QtTest>

#include <stdexcept>

namespace lloyd {

namespace {

std::vector<Rgb> manyColours(std::size_t count) {
  std::vector<Rgb> colours;
  for (std::size_t i = 0; i < count; ++i)
    colours.push_back({static_cast<std::uint8_t>(255 - i % 200), static_cast<std::uint8_t>(i * 37 % 256),
                       static_cast<std::uint8_t>(i / 2)});
  return colours;
}

/// The last six of 256 have no colour, and half of the points have the first eight.
std::vector<Label> manyLabels(std::size_t n, unsigned seed) {
  std::vector<Label> labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t bits = (static_cast<std::uint32_t>(i) + seed) * 2654435761U;
    labels[i] = static_cast<Label>((bits >> 12U) % 2 == 0 ? bits >> 24U : bits >> 29U);
  }
  return labels;
}

} // namespace

class TestTileLookup : public QObject {
  Q_OBJECT
private slots:
  void tilesDrawThePictureOfTheirPoints_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<float>("size");
    QTest::addColumn<bool>("density");
    QTest::addColumn<bool>("computed");
    QTest::newRow("squares") << 2 << 2.0F << false << true;
    QTest::newRow("discs") << 2 << 6.0F << false << true;
    QTest::newRow("values") << 1 << 2.0F << false << true;
    QTest::newRow("balls") << 3 << 6.0F << false << true;
    QTest::newRow("counted crowd") << 2 << 1.0F << true << true;
    QTest::newRow("counted values") << 1 << 2.0F << true << true;
    QTest::newRow("blended crowd") << 2 << 1.0F << true << false;
    QTest::newRow("nearest points") << 3 << 1.0F << false << true;
    QTest::newRow("points in space") << 3 << 1.0F << false << false;
    QTest::newRow("blended values") << 1 << 2.0F << true << false;
  }
  void tilesDrawThePictureOfTheirPoints() {
    QFETCH(int, d);
    QFETCH(float, size);
    QFETCH(bool, density);
    QFETCH(bool, computed);
    constexpr std::size_t n = 70001; // the last tile is not full
    Bench bench(computed ? CrowdDrawing::computed : CrowdDrawing::drawn);
    bench.look.size = size;
    bench.look.density = density;
    if (bench.look.crowd(d) && computed && bench.points.crowdDrawing() != CrowdDrawing::computed)
      QSKIP("This OpenGL has no compute shaders");
    bench.points.setColours(manyColours(250));
    const std::vector<float> values = scattered(n, d);
    PointBuffers buffers(n, d, values.data(), false);
    bench.show(buffers, values);
    const auto pictures = [&] {
      const QImage all = bench.drawAll();
      const QImage ordered = bench.draw([](PointRenderer& renderer) { renderer.drawOrdered(0, n); });
      const QImage part = bench.draw([](PointRenderer& renderer) { renderer.drawRange(4097, 901); });
      return std::vector<QImage>{all, ordered, part};
    };
    std::vector<QImage> before;
    // Both buffers in turn have either form, and tiles of several sizes, the other one another.
    for (const unsigned tile : {128U, 256U, 384U}) {
      const std::vector<Label> labels = manyLabels(n, tile);
      const TileLabels tiles(labels, tile);
      QVERIFY(tiles.mixed > 20 && tiles.whole > 20);
      buffers.upload({labels.data(), LabelWidth::four});
      const std::vector<QImage> right = pictures();
      QVERIFY(litPixels(right[0]) > 1000 && right != before);
      before = right;
      tiles.upload(buffers);
      QVERIFY(pictures() == right);
      tiles.upload(buffers);
      QVERIFY(pictures() == right);
      buffers.upload({labels.data(), LabelWidth::four});
      QVERIFY(pictures() == right);
    }
    throwOnGlError(currentGl(), "Drawing labels by tiles");
  }

  void groupsHideThem() {
    constexpr std::size_t n = 3000;
    Bench bench;
    const std::vector<float> values = scattered(n, 2);
    PointBuffers buffers(n, 2, values.data(), false);
    bench.show(buffers, values);
    const std::vector<std::int32_t> groups = striped(n);
    const std::vector<Label> labels(n, 1);
    const TileLabels tiles(labels, 128);
    for (const bool density : {false, true}) {
      bench.look.density = density;
      buffers.upload({groups.data(), LabelWidth::four});
      const QImage striped = bench.drawAll();
      tiles.upload(buffers);
      const QImage one = bench.drawAll();
      QVERIFY(one != striped);
      buffers.setGroups(groups.data());
      QVERIFY(bench.drawAll() == striped);
      buffers.setGroups(nullptr);
      QVERIFY(bench.drawAll() == one);
    }
  }

  /// The renderer goes on with other points, whose buffers may have the names of the old ones.
  void otherPointsHaveOtherPlaces() {
    Bench bench;
    for (const std::size_t n : {std::size_t{5000}, std::size_t{3001}, std::size_t{5000}}) {
      const std::vector<float> values = scattered(n, 2);
      PointBuffers buffers(n, 2, values.data(), false);
      bench.show(buffers, values);
      const std::vector<Label> labels = striped(n);
      buffers.upload({labels.data(), LabelWidth::four});
      const QImage right = bench.drawAll();
      TileLabels(labels, 256).upload(buffers);
      QVERIFY(bench.drawAll() == right);
    }
  }

  void theyNeedPlaces() {
    Bench bench;
    constexpr std::size_t n = 2000;
    const std::vector<float> values = scattered(n, 2);
    PointBuffers buffers(n, 2, values.data(), false);
    QCOMPARE(buffers.names().places, 0U);
    QVERIFY(buffers.names().mostTileLabelBytes >= 65536); // what every OpenGL 3.3 grants
    QVERIFY_EXCEPTION_THROWN(buffers.setFront(0, LabelForm(LabelWidth::one, 128)), std::logic_error);
    const unsigned name = buffers.makePlaces();
    QVERIFY(name != 0 && buffers.makePlaces() == name && buffers.names().places == name);
    buffers.setFront(0, LabelForm(LabelWidth::one, 128));
    QVERIFY(buffers.names().labelForms[0] == LabelForm(LabelWidth::one, 128));
    const PointBuffers moving(n, 2, values.data(), true);
    QCOMPARE(moving.names().mostTileLabelBytes, std::size_t{0});
  }
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestTileLookup)
#include "tst_tile_lookup.moc"
