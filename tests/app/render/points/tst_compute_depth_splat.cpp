// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest points that compute shaders find against a search by hand.
#include "tests/app/render/points/depth_splat_bench.hpp"

#include <QtTest>

#include <memory>

namespace lloyd {

namespace {

/// How many pixels differ by more than the rounding of a colour, of those that are not doubtful.
std::size_t differences(const Colours& seen, const Colours& expected) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (expected[i][3] == 1) continue;
    bool same = true;
    for (std::size_t c = 0; c < 4; ++c)
      same = same && std::abs(int{seen[i].at(c)} - int{expected[i].at(c)}) <= 1;
    different += same ? 0 : 1;
  }
  return different;
}

std::size_t count(const Colours& colours, std::uint8_t alpha) {
  return static_cast<std::size_t>(std::count_if(colours.begin(), colours.end(),
                                                [alpha](const auto& pixel) { return pixel[3] == alpha; }));
}

} // namespace

class TestComputeDepthSplat : public QObject {
  Q_OBJECT
private slots:
  void init() {
    fixture_ = std::make_unique<GlFixture>(QSize(kWidth, kHeight));
    if (!computeOf(&fixture_->context())) QSKIP("This OpenGL has no compute shaders");
  }
  void cleanup() { fixture_.reset(); }

  void everyPixelIsWhatASearchByHandFinds_data() {
    QTest::addColumn<float>("size");
    QTest::addColumn<double>("zoom");
    QTest::newRow("from outside") << 1.0F << 1.0;
    QTest::newRow("larger points") << 2.0F << 1.0;
    QTest::newRow("from close by") << 1.0F << 2.5;
    QTest::newRow("from within") << 2.0F << 6.0;
  }
  void everyPixelIsWhatASearchByHandFinds() {
    QFETCH(float, size);
    QFETCH(double, zoom);
    Cloud cloud(30000, size);
    cloud.camera.zoom(zoom, {kWidth / 2.0, kHeight / 2.0});
    const Colours expected = cloud.expected();
    // Enough points to hide one another, few pixels that cannot be said, and some without a point.
    QVERIFY(count(expected, 255) > 6000);
    QVERIFY2(count(expected, 1) < 200, qPrintable(QString::number(count(expected, 1))));
    Finder finder(cloud);
    QCOMPARE(differences(finder.range(0, cloud.n()), expected), std::size_t{0});
    // Again, in another order, and without any point.
    QCOMPARE(differences(finder.ordered(0, cloud.n()), expected), std::size_t{0});
    QCOMPARE(finder.range(0, cloud.n()), finder.ordered(0, cloud.n()));
    QCOMPARE(count(finder.range(0, 0), 0), std::size_t{kWidth} * kHeight);
  }

  void slicesHideOneAnother() {
    const Cloud cloud(20011, 2);
    Finder finder(cloud);
    const Colours whole = finder.range(0, cloud.n());
    Colours sliced;
    for (std::size_t first = 0; first < cloud.n(); first += 3001) {
      QVERIFY(sliced != whole);
      sliced = finder.ordered(first, 3001, first == 0);
    }
    QVERIFY(sliced == whole);
    // Of a stretch in parts too, whichever comes first.
    const Colours parts = finder.after(true, [&](ComputeDepthSplat& table) {
      table.addRange(5000, cloud.n() - 5000);
      table.addRange(0, 5000);
    });
    QVERIFY(parts == whole);
    // A picture that is empty again has forgotten all.
    QVERIFY(finder.range(0, 100) != whole);
  }

  void memoryThatIsSeenInPartsIsSearchedWhole() {
    const Cloud cloud(9001);
    Finder all(cloud);
    const Colours whole = all.range(0, cloud.n());
    for (const std::size_t points : {4096U, 1003U, 777U}) {
      Finder finder(cloud, points);
      QVERIFY(finder.range(0, cloud.n()) == whole);
      QVERIFY(finder.ordered(0, cloud.n()) == whole);
    }
  }

  void ofPointsAsNearTheFirstClusterIsSeen() {
    Cloud cloud(0);
    for (const Label label : {3, 1, 2, -1, 4})
      cloud.add({0.5F, 0.5F, 0.5F}, label);
    do {
      Finder finder(cloud);
      const Colours seen = finder.range(0, cloud.n());
      QCOMPARE(count(seen, 255), std::size_t{1});
      const auto pixel = *std::max_element(seen.begin(), seen.end());
      QVERIFY(pixel[1] > 150 && pixel[0] < 60 && pixel[2] < 60);
    } while (std::next_permutation(cloud.labels.begin(), cloud.labels.end()));
  }

  void pointsThatAreNowhereAreNotSeen() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
    Cloud cloud(0);
    const glm::vec3 towards(cloud.camera.towardsEye());
    for (const glm::vec3 nowhere :
         {glm::vec3(nan, 0.5F, 0.5F), glm::vec3(0.5F, nan, 0.5F), glm::vec3(0.5F, 0.5F, nan),
          glm::vec3(far, 0.5F, 0.5F), glm::vec3(0.5F, -far, 0.5F), glm::vec3(3e38F, 3e38F, -3e38F),
          0.5F + 1e3F * towards, 0.5F - 1e6F * towards})
      cloud.add(nowhere, 0);
    Finder nobody(cloud);
    QCOMPARE(count(nobody.range(0, cloud.n()), 0), std::size_t{kWidth} * kHeight);
    cloud.add({0.5F, 0.5F, 0.5F}, 0);
    Finder one(cloud);
    QCOMPARE(count(one.range(0, cloud.n()), 255), std::size_t{1});
  }

  void aDepthTestSeesTheSame_data() {
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("perspective") << false;
    QTest::newRow("orthographic") << true;
  }
  void aDepthTestSeesTheSame() {
    QFETCH(bool, orthographic);
    constexpr std::size_t n = 20000;
    const std::vector<float> values = scattered(n, 3);
    Bench computed, drawn(CrowdDrawing::drawn);
    const auto picture = [&](Bench& bench) {
      bench.fixture.makeCurrent();
      PointBuffers buffers(n, 3, values.data(), false);
      buffers.upload({striped(n).data(), LabelWidth::four});
      bench.show(buffers, values);
      bench.camera.setOrthographic(orthographic);
      return bench.drawAll();
    };
    const QImage a = picture(computed), b = picture(drawn);
    int different = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        different += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
    // Rasterisers round places to fractions of a pixel, which moves the edges of some points.
    QVERIFY2(different <= litPixels(b) / 20, qPrintable(QString::number(different)));
    QVERIFY(litPixels(b) > 8000);
    computed.fixture.makeCurrent(); // a bench ends in its own context
  }

  void theRendererLeavesCrowdsToIt() {
    // Of two points in one place the first in memory passes a depth test, and the first cluster is found
    // here.
    const std::vector<float> values{0.5F, 0.5F, 0, 1, 0.5F, 0.5F, 0, 1, 0.5F, 0.5F, 0, 1};
    const std::vector<Label> labels{1, 0, 2, 2};
    Bench bench;
    PointBuffers buffers(4, 3, values.data(), false);
    buffers.upload({labels.data(), LabelWidth::four});
    bench.show(buffers, values);
    const auto middle = [&](float size) {
      bench.look.size = size;
      return bench.at(bench.drawAll(), {0.5, 0.5, 0.5});
    };
    QVERIFY(middle(2).red() > 150);
    QVERIFY(middle(8).green() > 150);
  }

  void memoryGivenBackIsTakenAgain() {
    const Cloud cloud(2000);
    Finder finder(cloud);
    const Colours whole = finder.range(0, cloud.n());
    const Colours few = finder.range(0, 100);
    finder.table().release();
    // What was found before is gone with it, so that nothing hides what comes.
    QVERIFY(few != whole);
    QVERIFY(finder.range(0, cloud.n(), false) == whole);
  }

private:
  std::unique_ptr<GlFixture> fixture_;
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestComputeDepthSplat)
#include "tst_compute_depth_splat.moc"
