// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/render/points/point_bench.hpp"

#include <QtTest>

#include <vector>

namespace lloyd {

class TestPointRenderer : public QObject {
  Q_OBJECT
private slots:
  void pointsLandWhereTheyShould_data() {
    QTest::addColumn<float>("size");
    QTest::newRow("square") << 2.0F;
    QTest::newRow("disc") << 9.0F;
  }
  void pointsLandWhereTheyShould() {
    QFETCH(float, size);
    Bench bench;
    bench.look.size = size;
    const std::vector<float> values{0, 1, 0, 1, 0, 0, 1, 1};
    PointBuffers buffers(4, 2, values.data(), false);
    const std::vector<Label> labels{0, 1, 2, -1};
    buffers.upload({labels.data(), LabelWidth::four});
    bench.show(buffers, values);
    const QImage image = bench.drawAll();
    QCOMPARE(bench.at(image, {0, 0, 0}), QColor(255, 0, 0));
    QCOMPARE(bench.at(image, {1, 0, 0}), QColor(0, 255, 0));
    QCOMPARE(bench.at(image, {0, 1, 0}), QColor(0, 0, 255));
    const Rgb grey = unlabelledOf(Theme::dark);
    QCOMPARE(bench.at(image, {1, 1, 0}), QColor(grey.r, grey.g, grey.b));
    QCOMPARE(bench.at(image, {0.5, 0.5, 0}), QColor(0, 0, 0));
    // The second axis points up.
    QVERIFY(bench.camera.project({0, 1, 0})->y < bench.camera.project({0, 0, 0})->y);
  }

  void newLabelsChangeColours() {
    Bench bench;
    const std::vector<float> values{0, 1, 0, 1};
    PointBuffers buffers(2, 2, values.data(), false);
    bench.show(buffers, values);
    QCOMPARE(bench.at(bench.drawAll(), {0, 0, 0}).red(), int{unlabelledOf(Theme::dark).r});
    std::vector<Label> labels{1, 1};
    buffers.upload({labels.data(), LabelWidth::four});
    QCOMPARE(bench.at(bench.drawAll(), {0, 0, 0}), QColor(0, 255, 0));
    labels = {2, 99};
    buffers.upload({labels.data(), LabelWidth::four});
    const QImage image = bench.drawAll();
    QCOMPARE(bench.at(image, {0, 0, 0}), QColor(0, 0, 255));
    // A label of a cluster that is no more is no cluster.
    QCOMPARE(bench.at(image, {1, 1, 0}).red(), int{unlabelledOf(Theme::dark).r});
  }

  void groupsColourInPlaceOfLabels() {
    Bench bench;
    const std::vector<float> values{0, 1, 0, 1, 0, 0, 1, 1};
    PointBuffers buffers(4, 2, values.data(), false);
    std::vector<Label> labels{0, 0, 0, 0};
    buffers.upload({labels.data(), LabelWidth::four});
    bench.show(buffers, values);
    const std::vector<std::int32_t> groups{1, 2, -1, 3};
    buffers.setGroups(groups.data());
    QImage image = bench.drawAll();
    const int grey = unlabelledOf(Theme::dark).r;
    QCOMPARE(bench.at(image, {0, 0, 0}), QColor(0, 255, 0));
    QCOMPARE(bench.at(image, {1, 0, 0}), QColor(0, 0, 255));
    QCOMPARE(bench.at(image, {0, 1, 0}).red(), grey);
    QCOMPARE(bench.at(image, {1, 1, 0}).red(), grey); // beyond the colours there are
    QCOMPARE(bench.draw([](PointRenderer& renderer) { renderer.drawOrdered(0, 4); }), image);
    // Labels that arrive meanwhile are not seen, on whichever side they lie, and not lost either.
    labels = {2, 2, 2, 2};
    buffers.upload({labels.data(), LabelWidth::four});
    QCOMPARE(bench.drawAll(), image);
    buffers.setFront(1 - buffers.frontLabels());
    QCOMPARE(bench.drawAll(), image);
    buffers.setFront(1 - buffers.frontLabels());
    const std::vector<std::int32_t> others{0, 0, 0, 0};
    buffers.setGroups(others.data());
    QCOMPARE(bench.at(bench.drawAll(), {0, 0, 0}), QColor(255, 0, 0));
    buffers.setGroups(nullptr);
    image = bench.drawAll();
    for (const glm::dvec3 place : {glm::dvec3(0, 0, 0), glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 0)})
      QCOMPARE(bench.at(image, place), QColor(0, 0, 255));
  }

  void groupsFollowMovedPoints() {
    Bench bench;
    const std::vector<float> values{0, 1, 0, 1};
    PointBuffers buffers(2, 2, values.data(), true);
    const std::vector<std::int32_t> groups{1, 2};
    buffers.setGroups(groups.data());
    bench.show(buffers, values);
    QCOMPARE(bench.at(bench.drawAll(), {0, 0, 0}), QColor(0, 255, 0));
    const std::vector<Label> labels{0, 0};
    const std::vector<float> moved{1, 0, 0, 1};
    buffers.upload({labels.data(), LabelWidth::four}, moved.data(), 2);
    const QImage image = bench.drawAll();
    QCOMPARE(bench.at(image, {1, 0, 0}), QColor(0, 255, 0));
    QCOMPARE(bench.at(image, {0, 1, 0}), QColor(0, 0, 255));
  }

  void groupsAreNoneOfTheBuffersThatAreLent() {
    const GlFixture fixture({kWidth, kHeight});
    const std::vector<float> values{0, 1};
    PointBuffers buffers(2, 1, values.data(), true);
    const GlPointBuffers before = buffers.names();
    QCOMPARE(buffers.groupsName(), 0U);
    const std::vector<std::int32_t> groups{0, 1};
    buffers.setGroups(groups.data());
    const GlPointBuffers after = buffers.names();
    for (std::size_t i = 0; i < 2; ++i) {
      QCOMPARE(after.labels[i], before.labels[i]);
      QCOMPARE(after.positions[i], before.positions[i]);
      QVERIFY(buffers.groupsName() != after.labels[i] && buffers.groupsName() != after.positions[i]);
    }
    const unsigned name = buffers.groupsName();
    buffers.setGroups(nullptr);
    QVERIFY(!buffers.grouped());
    buffers.setGroups(groups.data());
    QCOMPARE(buffers.groupsName(), name);
    // No points have no groups.
    PointBuffers empty(0, 2, nullptr, false);
    empty.setGroups(groups.data());
    QVERIFY(!empty.grouped());
  }

  void movedPointsAreDrawnWhereTheyAre() {
    Bench bench;
    const std::vector<float> values{0, 1, 0, 1};
    PointBuffers buffers(2, 2, values.data(), true);
    bench.show(buffers, values);
    const std::vector<Label> labels{0, 1};
    const std::vector<float> moved{1, 0, 0, 1};
    buffers.upload({labels.data(), LabelWidth::four}, moved.data(), 2);
    QCOMPARE(bench.at(bench.drawAll(), {1, 0, 0}), QColor(255, 0, 0));
    buffers.setFront(0);
    QCOMPARE(bench.at(bench.drawAll(), {1, 0, 0}), QColor(0, 0, 0));
  }

  void oneDimensionIsValueAgainstPosition() {
    Bench bench;
    const std::vector<float> values{5, -1, 2};
    PointBuffers buffers(3, 1, values.data(), false);
    const std::vector<Label> labels{0, 1, 2};
    buffers.upload({labels.data(), LabelWidth::four});
    bench.show(buffers, values);
    const QImage image = bench.drawAll();
    QCOMPARE(bench.at(image, {0, 5, 0}), QColor(255, 0, 0));
    QCOMPARE(bench.at(image, {1, -1, 0}), QColor(0, 255, 0));
    QCOMPARE(bench.at(image, {2, 2, 0}), QColor(0, 0, 255));
    QVERIFY(bench.camera.project({2, 2, 0})->x > bench.camera.project({0, 5, 0})->x + kWidth / 2.0);
    // By index too, the position is the point's own.
    const QImage ordered = bench.draw([](PointRenderer& renderer) { renderer.drawOrdered(0, 3); });
    QCOMPARE(ordered, image);
  }

  void manyDimensionsAreDrawnByTheFirstThree() {
    const std::vector<float> five{0, 1, 0, 1, 0, 1, 7, 9, -5, 400};
    const std::vector<float> three(five.begin(), five.begin() + 6);
    Bench bench;
    const std::vector<Label> labels{0, 1};
    bench.look.size = 6;
    PointBuffers full(2, 5, five.data(), false);
    full.upload({labels.data(), LabelWidth::four});
    bench.show(full, five);
    const QImage image = bench.drawAll();
    PointBuffers cut(2, 3, three.data(), false);
    cut.upload({labels.data(), LabelWidth::four});
    bench.show(cut, three);
    QCOMPARE(bench.drawAll(), image);
    QVERIFY(litPixels(image) > 30);
  }

  void nearerPointsHideFartherOnes() {
    Bench bench;
    // Along the line of sight of the view from the second axis, drawn far one last and first.
    const std::vector<float> values{0.5F, 0.5F, 0, 1, 0, 1, 0.5F, 0.5F, 0.5F, 0.5F, 0, 1};
    for (const bool nearLast : {false, true}) {
      std::vector<float> turned = values;
      if (nearLast) std::swap(turned[4], turned[5]);
      PointBuffers buffers(4, 3, turned.data(), false);
      const std::vector<Label> labels =
          nearLast ? std::vector<Label>{1, 0, 2, 2} : std::vector<Label>{0, 1, 2, 2};
      buffers.upload({labels.data(), LabelWidth::four});
      bench.look.size = 8;
      bench.show(buffers, turned);
      bench.camera.axisView(1);
      const QColor seen = bench.at(bench.drawAll(), {0.5, 0.5, 0.5});
      // The view looks from the low end of the second axis.
      QVERIFY2(seen.red() > 150 && seen.green() < 60, qPrintable(seen.name()));
    }
  }

  void unitSpreadFarFromZeroStaysSharp() {
    Bench bench;
    const std::vector<float> values{10000, 10001, 10000.5F, 10000, 10001, 10000.25F};
    PointBuffers buffers(3, 2, values.data(), false);
    const std::vector<Label> labels{0, 1, 2};
    buffers.upload({labels.data(), LabelWidth::four});
    bench.show(buffers, values);
    bench.camera.zoom(40, *bench.camera.project({10000.5, 10000.25, 0}));
    QCOMPARE(bench.at(bench.drawAll(), {10000.5, 10000.25, 0}), QColor(0, 0, 255));
  }

  void sampleDrawsAsManyPointsAsAsked() {
    // A lattice on which every point has pixels of its own.
    std::vector<float> values(800);
    for (std::size_t i = 0; i < 400; ++i) {
      const std::size_t row = i / 20;
      values[i] = static_cast<float>(i % 20);
      values[400 + i] = static_cast<float>(row);
    }
    Bench bench;
    bench.look.size = 1;
    const PointBuffers buffers(400, 2, values.data(), false);
    bench.show(buffers, values);
    for (const std::size_t count : {0U, 1U, 37U, 400U}) {
      const QImage image = bench.draw([&](PointRenderer& renderer) { renderer.drawOrdered(0, count); });
      QCOMPARE(litPixels(image), static_cast<int>(count));
    }
    QCOMPARE(litPixels(bench.draw([](PointRenderer& renderer) { renderer.drawRange(390, 100); })), 10);
    QCOMPARE(litPixels(bench.draw([](PointRenderer& renderer) { renderer.drawRange(500, 1); })), 0);
  }

  void slicesAddUpToTheWholePicture_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<float>("size");
    QTest::addColumn<bool>("density");
    QTest::newRow("squares") << 2 << 2.0F << false;
    QTest::newRow("discs") << 2 << 5.0F << false;
    QTest::newRow("values") << 1 << 3.0F << false;
    QTest::newRow("balls") << 3 << 5.0F << false;
    QTest::newRow("points in space") << 3 << 2.0F << false;
    QTest::newRow("density") << 2 << 1.0F << true;
    QTest::newRow("density of values") << 1 << 2.0F << true;
  }
  void slicesAddUpToTheWholePicture() {
    QFETCH(int, d);
    QFETCH(float, size);
    QFETCH(bool, density);
    constexpr std::size_t n = 5003;
    Bench bench;
    bench.look.size = size;
    bench.look.density = density;
    const std::vector<float> values = scattered(n, d);
    PointBuffers buffers(n, d, values.data(), false);
    buffers.upload({striped(n).data(), LabelWidth::four});
    bench.show(buffers, values);
    const QImage whole = bench.draw([](PointRenderer& renderer) { renderer.drawOrdered(0, n); });
    const QImage sliced = bench.draw([](PointRenderer& renderer) {
      for (std::size_t first = 0; first < n; first += 777)
        renderer.drawOrdered(first, 777);
    });
    QVERIFY(litPixels(whole) > 1000);
    QCOMPARE(sliced, whole);
    // Even the order makes no difference, but where crowds are blended and take the last point's colour.
    if (!density || bench.points.crowdDrawing() == CrowdDrawing::computed) QCOMPARE(bench.drawAll(), whole);
  }

  void crowdsAreLighterThanLonePoints_data() {
    QTest::addColumn<bool>("counted");
    QTest::newRow("counted") << true;
    QTest::newRow("blended") << false;
  }
  void crowdsAreLighterThanLonePoints() {
    QFETCH(bool, counted);
    Bench bench(counted ? CrowdDrawing::computed : CrowdDrawing::drawn);
    bench.look.density = true;
    bench.look.size = 1;
    const std::vector<float> values{0, 1, 1, 1, 1, 0, 1, 1, 1, 1};
    PointBuffers buffers(5, 2, values.data(), false);
    const std::vector<Label> labels(5, 0);
    buffers.upload({labels.data(), LabelWidth::four});
    bench.show(buffers, values);
    const QImage image = bench.drawAll();
    const int lone = bench.at(image, {0, 0, 0}).red();
    const int crowd = bench.at(image, {1, 1, 0}).red();
    QVERIFY2(lone > 80 && crowd > lone + 50, qPrintable(QStringLiteral("%1 %2").arg(lone).arg(crowd)));
  }
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestPointRenderer)
#include "tst_point_renderer.moc"
