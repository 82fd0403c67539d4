// SPDX-License-Identifier: GPL-3.0-or-later
// Crowds counted by compute shaders against counts by hand.
#include "tests/app/render/points/pixel_histogram_bench.hpp"

#include <QtTest>

#include <limits>
#include <memory>
#include <numeric>

namespace lloyd {

class TestPixelHistogram : public QObject {
  Q_OBJECT
private slots:
  void init() {
    fixture_ = std::make_unique<GlFixture>(QSize(kWidth, kHeight));
    if (!computeOf(&fixture_->context())) QSKIP("This OpenGL has no compute shaders");
  }
  void cleanup() { fixture_.reset(); }

  void everyPixelIsWhatACountByHandSays_data() {
    QTest::addColumn<int>("d");
    QTest::addRow("2-D") << 2;
    QTest::addRow("values") << 1;
  }
  void everyPixelIsWhatACountByHandSays() {
    QFETCH(int, d);
    const Crowd crowd(30000, d);
    const Seen expected = crowd.expected();
    QVERIFY(*std::max_element(expected.counts.begin(), expected.counts.end()) > 5);
    Counter counter(crowd);
    counter.begin(true);
    counter.range(0, crowd.n());
    QCOMPARE(counter.table().cellPixels(), 1);
    QVERIFY(counter.finish() == expected);
    // Again from the start, and from nothing.
    counter.begin(true);
    counter.ordered(0, crowd.n());
    QVERIFY(counter.finish() == expected);
    counter.begin(true);
    QVERIFY(counter.finish() != expected);
  }

  void slicesAddUpAndTheOrderIsNoMatter() {
    const Crowd crowd(20011);
    Counter counter(crowd);
    for (std::size_t first = 0; first < crowd.n(); first += 3001) {
      counter.begin(first == 0);
      counter.ordered(first, 3001);
      if (first == 6002) QVERIFY(counter.finish() != crowd.expected());
    }
    QVERIFY(counter.finish() == crowd.expected());
    counter.begin(true);
    counter.range(5000, crowd.n() - 5000);
    counter.range(0, 5000);
    QVERIFY(counter.finish() == crowd.expected());
  }

  void memoryThatIsSeenInPartsIsCountedWhole() {
    const Crowd crowd(9001);
    // Windows that begin inside words and between aligned bytes.
    for (const std::size_t points : {4096U, 1003U, 777U}) {
      PixelHistogram::Limits limits;
      limits.windowPoints = points;
      Counter counter(crowd, limits);
      counter.begin(true);
      counter.range(0, crowd.n());
      QVERIFY(counter.finish() == crowd.expected());
      counter.begin(true);
      counter.ordered(0, crowd.n());
      QVERIFY(counter.finish() == crowd.expected());
    }
  }

  void memoryIsBoundedByCellsAndCountsStayThoseOfPixels() {
    const Crowd crowd(30000);
    struct Case {
      std::size_t bytes, cell;
      bool byPixel;
    };
    constexpr std::size_t pixels = std::size_t{kWidth} * kHeight;
    for (const Case& one :
         {Case{pixels * 24, 1, true}, Case{pixels * 24 - 1, 2, true}, Case{pixels * 16, 2, true},
          Case{pixels * 12, 2, false}, Case{pixels * 8, 4, false}, Case{pixels * 4 + 4000, 16, false}}) {
      PixelHistogram::Limits limits;
      limits.bytes = one.bytes;
      Counter counter(crowd, limits);
      counter.begin(true);
      counter.range(0, crowd.n());
      const Seen seen = counter.finish();
      QCOMPARE(static_cast<std::size_t>(counter.table().cellPixels()), one.cell);
      QCOMPARE(counter.table().coloursByPixel(), one.byPixel);
      QVERIFY(seen == crowd.expected(one.cell, one.byPixel));
      QVERIFY(seen.counts == crowd.expected(1).counts);
      QCOMPARE(seen == crowd.expected(1), one.cell == 1);
    }
  }

  void manyColoursAreFoundAmongTheirBits() {
    // More kinds than a word has bits, each in few pixels.
    Crowd crowd(30000);
    std::vector<Rgb> hues;
    for (std::size_t i = 0; i < 100; ++i)
      hues.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(200 - i), 7});
    for (std::size_t i = 0; i < crowd.n(); ++i)
      crowd.labels[i] = static_cast<Label>(crowd.pixelOf(i) * 31 % 100);
    PixelHistogram::Limits limits;
    limits.bytes = std::size_t{kWidth} * kHeight * 200;
    Counter counter(crowd, limits);
    counter.table().setColours(hues);
    counter.begin(true);
    counter.range(0, crowd.n());
    const Seen seen = counter.finish();
    QVERIFY(counter.table().cellPixels() > 1 && counter.table().coloursByPixel());
    // All points of a pixel are of one kind, whatever its neighbours in the cell have.
    for (std::size_t i = 0; i < crowd.n(); ++i) {
      const Rgb hue = hues[static_cast<std::size_t>(crowd.labels[i])];
      QVERIFY((seen.colours[crowd.pixelOf(i)] == std::array<std::uint8_t, 4>{hue.r, hue.g, hue.b, 255}));
    }
  }

  void clustersOfOneColourCountTogether() {
    Crowd crowd(5);
    crowd.values.assign(10, 0.3F);
    crowd.labels = {0, 0, 1, 2, 3};
    Counter counter(crowd);
    const auto coloured = [&](std::vector<Rgb> colours) {
      counter.table().setColours(colours);
      counter.begin(true);
      counter.range(0, 5);
      return counter.finish().colours[crowd.pixelOf(0)];
    };
    QVERIFY((coloured({kRed, kGreen, kBlue, kGrey}) == std::array<std::uint8_t, 4>{255, 0, 0, 255}));
    QVERIFY((coloured({kRed, kGreen, kGreen, kGreen}) == std::array<std::uint8_t, 4>{0, 255, 0, 255}));
  }

  void pointsThatAreNowhereAreNotCounted() {
    Crowd crowd(6);
    const float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
    crowd.values = {nan, far, -far, 3e38F, -1e20F, 0.3F, 0.3F, 0.3F, 0.3F, 0.3F, nan, 0.3F};
    crowd.labels.assign(6, 0);
    Counter counter(crowd);
    counter.begin(true);
    counter.range(0, 6);
    const Seen seen = counter.finish();
    QCOMPARE(std::accumulate(seen.counts.begin(), seen.counts.end(), 0.0F), 1.0F);
    QCOMPARE(seen.counts[crowd.pixelOf(5)], 1.0F);
  }

private:
  std::unique_ptr<GlFixture> fixture_;
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestPixelHistogram)
#include "tst_pixel_histogram.moc"
