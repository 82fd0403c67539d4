// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of one, two and four bytes in the buffers, and crowds as a person sees them on either path.
#include "tests/app/render/points/point_bench.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

/// Labels as they are stored in fewer bytes.
template <class Stored>
std::vector<Stored> narrowed(const std::vector<Label>& labels) {
  return {labels.begin(), labels.end()};
}

std::vector<Rgb> manyColours(std::size_t count) {
  std::vector<Rgb> colours;
  for (std::size_t i = 0; i < count; ++i)
    colours.push_back({static_cast<std::uint8_t>(255 - i % 200), static_cast<std::uint8_t>(i * 37 % 256),
                       static_cast<std::uint8_t>(i / 2)});
  return colours;
}

} // namespace

class TestLabelWidths : public QObject {
  Q_OBJECT
private slots:
  void everyWidthDrawsTheSamePicture_data() {
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
  }
  void everyWidthDrawsTheSamePicture() {
    QFETCH(int, d);
    QFETCH(float, size);
    QFETCH(bool, density);
    QFETCH(bool, computed);
    constexpr std::size_t n = 6001;
    Bench bench(computed ? CrowdDrawing::computed : CrowdDrawing::drawn);
    bench.look.size = size;
    bench.look.density = density;
    if (bench.look.crowd(d) && computed && bench.points.crowdDrawing() != CrowdDrawing::computed)
      QSKIP("This OpenGL has no compute shaders");
    bench.points.setColours(manyColours(250));
    const std::vector<float> values = scattered(n, d);
    PointBuffers buffers(n, d, values.data(), false);
    bench.show(buffers, values);
    std::vector<Label> labels(n);
    for (std::size_t i = 0; i < n; ++i)
      labels[i] = static_cast<Label>(i * 2654435761U >> 8) % 256; // the last six have no colour
    for (Label& label : labels)
      label = label < 0 ? -label % 256 : label;
    const auto bytes = narrowed<std::uint8_t>(labels);
    const auto pairs = narrowed<std::uint16_t>(labels);
    const auto both = [&](const LabelView& view) {
      buffers.upload(view);
      const QImage whole = bench.drawAll();
      const QImage ordered = bench.draw([](PointRenderer& renderer) { renderer.drawOrdered(0, n); });
      return std::pair(whole, ordered);
    };
    const auto four = both({labels.data(), LabelWidth::four});
    QVERIFY(litPixels(four.first) > 1000);
    // Both buffers in turn have every width, the other one another.
    for (int round = 0; round < 2; ++round) {
      QVERIFY(both({bytes.data(), LabelWidth::one}) == four);
      QVERIFY(both({pairs.data(), LabelWidth::two}) == four);
      QVERIFY(both({labels.data(), LabelWidth::four}) == four);
      QVERIFY(both({bytes.data(), LabelWidth::one}) == four);
    }
    // The width is that of the buffer in front.
    buffers.upload({pairs.data(), LabelWidth::two});
    const int front = buffers.frontLabels();
    buffers.setFront(1 - front, LabelWidth::one);
    QVERIFY(bench.drawAll() == four.first);
    buffers.setFront(front, LabelWidth::two);
    QVERIFY(bench.drawAll() == four.first);
    const std::size_t revision = buffers.revision();
    buffers.setFront(front, LabelWidth::two);
    QCOMPARE(buffers.revision(), revision);
    buffers.setFront(front, LabelWidth::one);
    QVERIFY(buffers.revision() != revision);
    QVERIFY(bench.drawAll() != four.first);
  }

  void manyClustersHaveLabelsOfTwoBytes() {
    constexpr std::size_t n = 5000;
    Bench bench;
    bench.points.setColours(manyColours(1000));
    const std::vector<float> values = scattered(n, 2);
    PointBuffers buffers(n, 2, values.data(), false);
    bench.show(buffers, values);
    std::vector<Label> labels(n);
    for (std::size_t i = 0; i < n; ++i)
      labels[i] = static_cast<Label>(i % 1000);
    const auto pairs = narrowed<std::uint16_t>(labels);
    for (const bool density : {false, true}) {
      bench.look.density = density;
      buffers.upload({labels.data(), LabelWidth::four});
      const QImage four = bench.drawAll();
      buffers.upload({pairs.data(), LabelWidth::two});
      QVERIFY(bench.drawAll() == four);
    }
  }

  void theMajorityGivesTheColourInWhateverOrder() {
    Bench bench;
    if (bench.points.crowdDrawing() != CrowdDrawing::computed) QSKIP("This OpenGL has no compute shaders");
    bench.look.density = true;
    bench.look.size = 1;
    // Five points in one place, the corner of four pixels, and two corners that keep the view what it is.
    const std::vector<float> values{0, 1, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0, 1, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F};
    PointBuffers buffers(7, 2, values.data(), false);
    bench.show(buffers, values);
    const auto seen = [&](const std::vector<Label>& five) {
      std::vector<Label> labels{0, 0};
      labels.insert(labels.end(), five.begin(), five.end());
      buffers.upload({labels.data(), LabelWidth::four});
      return bench.at(bench.drawAll(), {0.5, 0.5, 0});
    };
    const QColor red = seen({0, 0, 0, 0, 0}), blue = seen({2, 2, 2, 2, 2}), grey = seen({-1, -1, -1, -1, -1});
    QVERIFY(red.red() > 150 && blue.blue() > 150 && red != blue && grey != red && grey != blue);
    const auto always = [&](std::vector<Label> five, const QColor& colour) {
      std::sort(five.begin(), five.end());
      do {
        if (seen(five) != colour) return false;
      } while (std::next_permutation(five.begin(), five.end()));
      return true;
    };
    QVERIFY(always({2, 2, 2, 0, 0}, blue));
    QVERIFY(always({2, 2, 0, 0, 0}, red));
    QVERIFY(always({2, 2, 0, 0, 1}, red)); // of several with as many the first
    QVERIFY(always({-1, -1, -1, 0, 2}, grey));
    QVERIFY(always({-1, -1, 2, 2, 0}, blue));
  }

  void bothPathsLightTheSamePixelsAsMuch() {
    Bench counted, blended(CrowdDrawing::drawn);
    QCOMPARE(blended.points.crowdDrawing(), CrowdDrawing::drawn);
    // Well inside pixels, and well off their middles, so that no rounding decides which ones a point covers;
    // two corners, for which it may, keep the view what it is.
    counted.camera.setData(2, {{0, 0, 0}, {1, 1, 0}});
    const auto clear = [](double at) { return std::abs(at * 2 - std::round(at * 2)) > 0.1; };
    const std::vector<float> candidates = scattered(40000, 2);
    std::vector<float> values{0, 1}, second{0, 1};
    for (std::size_t i = 0; values.size() < 20000; ++i) {
      const float x = candidates.at(i), y = candidates[40000 + i];
      const glm::dvec2 at = *counted.camera.project({x, y, 0});
      if (!clear(at.x) || !clear(at.y)) continue;
      values.push_back(x);
      second.push_back(y);
    }
    values.insert(values.end(), second.begin(), second.end());
    // With one colour for all, which point gives it does not matter.
    const std::vector<Label> labels(20000, 1);
    const auto picture = [&](Bench& bench, float size) {
      bench.fixture.makeCurrent();
      bench.look.density = true;
      bench.look.size = size;
      PointBuffers buffers(20000, 2, values.data(), false);
      buffers.upload({labels.data(), LabelWidth::four});
      bench.show(buffers, values);
      return bench.drawAll();
    };
    for (const float size : {1.0F, 2.0F, 3.0F}) {
      const QImage a = picture(counted, size), b = picture(blended, size);
      int different = 0;
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
          different += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
      QVERIFY2(different <= 18, qPrintable(QString::number(different)));
      QVERIFY(litPixels(a) > 5000);
    }
    // Whichever was made last is current, and a bench ends in its own context.
    counted.fixture.makeCurrent();
  }

  void groupsAndMovedPointsAreCountedToo() {
    Bench bench;
    bench.look.density = true;
    bench.look.size = 1;
    const std::vector<float> values{0, 1, 1, 0, 1, 1};
    PointBuffers buffers(3, 2, values.data(), true);
    bench.show(buffers, values);
    const std::vector<std::uint8_t> labels{0, 0, 0};
    const std::vector<float> moved{1, 0, 0, 0, 1, 1};
    buffers.upload({labels.data(), LabelWidth::one}, moved.data(), 3);
    const std::vector<std::int32_t> groups{1, 2, 2};
    QImage image = bench.drawAll();
    QVERIFY(bench.at(image, {0, 1, 0}).red() > 80 && bench.at(image, {1, 0, 0}).red() > 80);
    QCOMPARE(bench.at(image, {1, 1, 0}), QColor(0, 0, 0));
    buffers.setGroups(groups.data());
    image = bench.drawAll();
    QVERIFY(bench.at(image, {1, 0, 0}).green() > 80 && bench.at(image, {1, 0, 0}).red() == 0);
    QVERIFY(bench.at(image, {0, 1, 0}).blue() > 80 && bench.at(image, {0, 1, 0}).red() == 0);
    buffers.setGroups(nullptr);
    QVERIFY(bench.at(bench.drawAll(), {1, 0, 0}).red() > 80);
  }
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestLabelWidths)
#include "tst_label_widths.moc"
