// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/scene_renderer.hpp"
#include "tests/app/render/gl/gl_fixture.hpp"

#include <QtTest>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace lloyd {

namespace {

constexpr int kWidth = 240, kHeight = 180;

/// A data set, its clusters and a camera on it, without OpenGL.
struct Data {
  std::size_t n;
  int d;
  std::vector<float> values;
  std::vector<Label> labels;
  std::vector<glm::dvec3> centroids{{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}};
  std::vector<Rgb> colours{paletteColour(Theme::dark, 0), paletteColour(Theme::dark, 1)};
  Camera camera;

  Data(std::size_t count, int dimensions)
      : n(count), d(dimensions), values(count * static_cast<std::size_t>(dimensions)), labels(count) {
    std::uint32_t state = 99;
    for (float& value : values) {
      state = state * 1664525U + 1013904223U;
      value = static_cast<float>(state >> 8) / 16777216.0F;
    }
    for (std::size_t i = 0; i < n; ++i)
      labels[i] = values[i] < 0.5F ? 0 : 1;
    camera.setViewport(kWidth, kHeight);
    camera.setData(drawnDimensions(d), drawnBounds(values.data(), n, d, n));
  }
  [[nodiscard]] Scene scene(const PointBuffers& points) const {
    Scene scene;
    scene.points = &points;
    scene.camera = &camera;
    scene.colours = colours;
    scene.centroids = centroids;
    return scene;
  }
  [[nodiscard]] std::unique_ptr<PointBuffers> upload() const {
    auto buffers = std::make_unique<PointBuffers>(n, d, values.data(), false);
    buffers->upload({labels.data(), LabelWidth::four});
    return buffers;
  }
};

QColor pixel(const QImage& image, glm::dvec2 at) {
  return image.pixelColor(static_cast<int>(at.x), static_cast<int>(at.y));
}

/// Pixels that are more red than blue by far, and the other way round.
std::pair<int, int> redAndBlue(const QImage& image) {
  int red = 0, blue = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QRgb seen = image.pixel(x, y);
      if (qGreen(seen) > std::max(qRed(seen), qBlue(seen)) - 20) continue;
      red += qRed(seen) > qBlue(seen) + 60 ? 1 : 0;
      blue += qBlue(seen) > qRed(seen) + 60 ? 1 : 0;
    }
  }
  return {red, blue};
}

QColor colour(Rgb rgb) { return {rgb.r, rgb.g, rgb.b}; }

} // namespace

class TestSceneRenderer : public QObject {
  Q_OBJECT
private slots:
  void sliceBySliceGivesTheSamePictureAsAtOnce_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("n");
    for (const int d : {1, 2, 3, 6})
      QTest::addRow("%d-D", d) << d << 4000;
    for (const int d : {1, 2, 3})
      QTest::addRow("crowd in %d-D", d) << d << 30000;
  }
  void sliceBySliceGivesTheSamePictureAsAtOnce() {
    QFETCH(int, d);
    QFETCH(int, n);
    const Data data(static_cast<std::size_t>(n), d);
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer atOnce(ProgressiveView::kEverything);
    const Drawn first = atOnce.render(data.scene(*points), fixture.target());
    QVERIFY(first.complete());
    // Blended crowds take the last point's colour, and so depend on the order.
    if (first.density && !first.majority) QSKIP("This OpenGL has no compute shaders");
    QCOMPARE(first.density, d < 3 && n > 5400);
    const QImage whole = fixture.image();

    const std::size_t budget = data.n * 3 / 10; // more than a quarter, so that points are as large
    SceneRenderer bySlices(budget);
    Scene scene = data.scene(*points);
    scene.moving = true;
    for (int frame = 0; frame < 3; ++frame) {
      const Drawn drawn = bySlices.render(scene, fixture.target());
      QCOMPARE(drawn.points, budget);
      QCOMPARE(drawn.total, data.n);
    }
    scene.moving = false;
    int frames = 0;
    while (!bySlices.render(scene, fixture.target()).complete())
      QVERIFY(++frames < 100);
    QCOMPARE(fixture.image(), whole);
  }

  void newLabelsAreSeenAtOnce() {
    const Data data(1, 2);
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kSoftwareBudget);
    Scene scene = data.scene(*points);
    scene.centroids = {};
    const glm::dvec2 at(kWidth / 2.0, kHeight / 2.0);
    renderer.render(scene, fixture.target());
    const QColor before = pixel(fixture.image(), at);
    const Label other = 1 - data.labels[0];
    points->upload({&other, LabelWidth::four});
    renderer.render(scene, fixture.target());
    QVERIFY(pixel(fixture.image(), at) != before);
    QCOMPARE(pixel(fixture.image(), at), colour(data.colours[static_cast<std::size_t>(other)]));
  }

  void groupsColourPointsAndLeaveCentroidsAlone_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("d");
    QTest::addRow("discs") << 300 << 2;
    QTest::addRow("density") << 60000 << 2;
    QTest::addRow("values") << 60000 << 1;
    QTest::addRow("balls") << 300 << 3;
  }
  void groupsColourPointsAndLeaveCentroidsAlone() {
    QFETCH(int, points);
    QFETCH(int, d);
    Data data(static_cast<std::size_t>(points), d);
    data.colours = {{0, 200, 0}, {0, 120, 0}};
    GlFixture fixture({kWidth, kHeight});
    const auto buffers = data.upload();
    // Hues that nothing else has, one for each half of the first coordinate, which a tilted view keeps apart.
    const std::vector<Rgb> hues{{255, 0, 0}, {0, 0, 255}};
    std::vector<std::int32_t> groups(data.n);
    for (std::size_t i = 0; i < data.n; ++i)
      groups[i] = data.values[i] < 0.5F ? 1 : 0;
    for (const std::size_t budget : {ProgressiveView::kEverything, std::size_t{100}}) {
      SceneRenderer renderer(budget);
      Scene scene = data.scene(*buffers);
      scene.frame = false;
      scene.groupColours = hues;
      const auto drawAll = [&] {
        int frames = 0;
        while (!renderer.render(scene, fixture.target()).complete())
          QVERIFY(++frames < 2000);
      };
      buffers->setGroups(nullptr);
      drawAll();
      const QImage byCluster = fixture.image();
      buffers->setGroups(groups.data());
      drawAll();
      const QImage byGroup = fixture.image();
      const auto [red, blue] = redAndBlue(byGroup);
      QVERIFY2(red > 100 && blue > 100, qPrintable(QStringLiteral("%1 %2").arg(red).arg(blue)));
      for (const glm::dvec3& centroid : data.centroids) {
        if (d == 1) break;
        const glm::dvec2 at = *data.camera.project(centroid);
        QCOMPARE(pixel(byGroup, at), pixel(byCluster, at));
      }
      // One group for all: the other hue is gone.
      const std::vector<std::int32_t> one(data.n, 0);
      buffers->setGroups(one.data());
      drawAll();
      QVERIFY(redAndBlue(fixture.image()).first > 100);
      QCOMPARE(redAndBlue(fixture.image()).second, 0);
      buffers->setGroups(nullptr);
      drawAll();
      QCOMPARE(fixture.image(), byCluster);
    }
  }

  void inACrowdPixelsShowTheGroupOfMostPoints_data() {
    QTest::addColumn<bool>("counted");
    QTest::newRow("counted") << true;
    QTest::newRow("blended") << false;
  }
  void inACrowdPixelsShowTheGroupOfMostPoints() {
    QFETCH(bool, counted);
    // Two lattices of crowds, as many points as pixels and more; nine of ten points of each are of one group.
    Data data(90000, 2);
    for (std::size_t i = 0; i < data.n; ++i) {
      data.values[i] = i % 2 == 0 ? 0.25F : 0.75F;
      data.values[data.n + i] = static_cast<float>(i % 100) / 100.0F;
    }
    data.camera.setData(2, drawnBounds(data.values.data(), data.n, 2, data.n));
    std::vector<std::int32_t> groups(data.n);
    for (std::size_t i = 0; i < data.n; ++i) {
      const bool exception = (i * 2654435761U >> 7) % 10 == 0;
      groups[i] = static_cast<std::int32_t>((i % 2) ^ (exception ? 1U : 0U));
    }
    const std::vector<Rgb> hues{{255, 0, 0}, {0, 0, 255}};
    GlFixture fixture({kWidth, kHeight});
    const auto buffers = data.upload();
    buffers->setGroups(groups.data());
    SceneRenderer renderer(ProgressiveView::kEverything,
                           counted ? CrowdDrawing::computed : CrowdDrawing::drawn);
    Scene scene = data.scene(*buffers);
    scene.frame = false;
    scene.centroids = {};
    scene.groupColours = hues;
    const Drawn drawn = renderer.render(scene, fixture.target());
    QVERIFY(drawn.density);
    if (counted && !drawn.majority) QSKIP("This OpenGL has no compute shaders");
    QCOMPARE(drawn.majority, counted);
    const QImage image = fixture.image();
    const auto left = redAndBlue(image.copy(0, 0, kWidth / 2, kHeight));
    const auto right = redAndBlue(image.copy(kWidth / 2, 0, kWidth / 2, kHeight));
    QVERIFY2(left.first > 30 && left.first > 4 * left.second,
             qPrintable(QStringLiteral("%1 %2").arg(left.first).arg(left.second)));
    QVERIFY2(right.second > 30 && right.second > 4 * right.first,
             qPrintable(QStringLiteral("%1 %2").arg(right.first).arg(right.second)));
    // Nine of ten blended pixels are right, and every counted one.
    QCOMPARE(left.second + right.first == 0, counted);
  }

  void centroidsCarryTheirColourAndAreWhereTheNumbersGo() {
    for (const int d : {1, 2, 3}) {
      const Data data(50, d);
      GlFixture fixture({kWidth, kHeight});
      const auto points = data.upload();
      SceneRenderer renderer(ProgressiveView::kEverything);
      renderer.render(data.scene(*points), fixture.target());
      const auto places = projectCentroids(data.camera, data.centroids);
      QCOMPARE(places.size(), std::size_t{2});
      for (std::size_t i = 0; i < 2; ++i) {
        QVERIFY(places[i]);
        QCOMPARE(pixel(fixture.image(), *places[i]), colour(data.colours[i]));
        const double ring = SceneRenderer::markerRadius(1, 2) - 1;
        QVERIFY(pixel(fixture.image(), *places[i] + glm::dvec2(ring, 0)).lightness() > 200);
      }
    }
  }

  void hoveredPointGetsARing() {
    const Data data(3, 2);
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kEverything);
    Scene scene = data.scene(*points);
    scene.centroids = {};
    renderer.render(scene, fixture.target());
    const QImage without = fixture.image();
    scene.hovered = drawnPosition(data.values.data(), 1, 2, data.n);
    renderer.render(scene, fixture.target());
    const QImage with = fixture.image();
    QVERIFY(with != without);
    // The point itself stays in view.
    const glm::dvec2 at = *data.camera.project(*scene.hovered);
    QCOMPARE(pixel(with, at), pixel(without, at));
  }

  void trailsAreDrawn() {
    const Data data(3, 2);
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kEverything);
    Scene scene = data.scene(*points);
    renderer.render(scene, fixture.target());
    const QImage without = fixture.image();
    // The second entry is from when there were more clusters.
    const std::deque<std::vector<glm::dvec3>> trails{{{0, 1, 0}, {1, 0, 0}},
                                                     {{0.1, 0.9, 0}, {0.9, 0.1, 0}, {0, 0, 0}}};
    scene.trails = &trails;
    renderer.render(scene, fixture.target());
    QVERIFY(fixture.image() != without);
  }

  void regionsAreDrawnBetweenCentroids() {
    Data data(3, 2);
    data.centroids = {{0.25, 0.25, 0}, {0.75, 0.25, 0}};
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kEverything);
    Scene scene = data.scene(*points);
    scene.frame = false;
    renderer.render(scene, fixture.target());
    const QImage without = fixture.image();
    scene.regions = true;
    const auto differing = [&] {
      renderer.render(scene, fixture.target());
      const QImage with = fixture.image();
      std::vector<int> columns;
      for (int x = 0; x < kWidth; ++x)
        if (pixel(with, {x, 8}) != pixel(without, {x, 8})) columns.push_back(x);
      return columns;
    };
    const int middle = static_cast<int>(data.camera.project({0.5, 0.25, 0})->x);
    const auto columns = differing();
    QVERIFY(!columns.empty() && columns.size() < 8);
    QVERIFY(columns.front() >= middle - 4 && columns.back() <= middle + 4);
    // It goes with them.
    data.centroids[1].x = 0.5;
    scene.centroids = data.centroids;
    QVERIFY(differing().back() < middle);
  }

  void themesDiffer() {
    const Data data(3, 2);
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kEverything);
    Scene scene = data.scene(*points);
    scene.frame = false;
    renderer.render(scene, fixture.target());
    QCOMPARE(pixel(fixture.image(), {1, 1}), colour(backgroundOf(Theme::dark)));
    scene.theme = Theme::light;
    renderer.render(scene, fixture.target());
    QCOMPARE(pixel(fixture.image(), {1, 1}), colour(backgroundOf(Theme::light)));
  }

  void anotherContextGivesTheSamePicture() {
    const Data data(3000, 3);
    const auto picture = [&](GlFixture& fixture, SceneRenderer& renderer, const PointBuffers& points) {
      renderer.render(data.scene(points), fixture.target());
      return fixture.image();
    };
    auto first = std::make_unique<GlFixture>(QSize(kWidth, kHeight));
    auto oldPoints = data.upload();
    auto oldRenderer = std::make_unique<SceneRenderer>(ProgressiveView::kEverything);
    const QImage before = picture(*first, *oldRenderer, *oldPoints);
    // The context dies under the objects, which go only after the new ones have come.
    first.reset();
    GlFixture second({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kEverything);
    oldRenderer.reset();
    oldPoints.reset();
    QCOMPARE(picture(second, renderer, *points), before);
  }

  void anotherDataSetTakesThePlaceOfTheFirst() {
    GlFixture fixture({kWidth, kHeight});
    SceneRenderer renderer(ProgressiveView::kSoftwareBudget);
    const Data solid(500, 3);
    auto points = solid.upload();
    renderer.render(solid.scene(*points), fixture.target());
    const Data flat(700, 2);
    points = flat.upload();
    const Drawn drawn = renderer.render(flat.scene(*points), fixture.target());
    QCOMPARE(drawn.total, std::size_t{700});
    const QImage reused = fixture.image();
    SceneRenderer fresh(ProgressiveView::kSoftwareBudget);
    fresh.render(flat.scene(*points), fixture.target());
    QCOMPARE(fixture.image(), reused);
  }

  void aDataSetOfTheSameSizeIsNotTakenForTheOld() {
    GlFixture fixture({kWidth, kHeight});
    SceneRenderer renderer(ProgressiveView::kEverything);
    Data data(400, 2);
    auto points = data.upload();
    renderer.render(data.scene(*points), fixture.target());
    // Freed first, so that memory and OpenGL's names may be given again.
    points.reset();
    std::swap_ranges(data.values.begin(), data.values.begin() + 400, data.values.begin() + 400);
    std::fill(data.labels.begin(), data.labels.end(), 1);
    points = data.upload();
    renderer.render(data.scene(*points), fixture.target());
    const QImage reused = fixture.image();
    SceneRenderer fresh(ProgressiveView::kEverything);
    fresh.render(data.scene(*points), fixture.target());
    QCOMPARE(reused, fixture.image());
  }

  void anyViewport() {
    Data data(3000, 2);
    GlFixture fixture({kWidth, kHeight});
    const auto points = data.upload();
    SceneRenderer renderer(ProgressiveView::kSoftwareBudget);
    renderer.render(data.scene(*points), fixture.target());
    const QImage before = fixture.image();
    for (const QSize size : {QSize(1, 1), QSize(0, 0), QSize(3000, 1), QSize(kWidth, kHeight)}) {
      fixture.resize(size.expandedTo({1, 1}));
      data.camera.setViewport(size.width(), size.height());
      renderer.render(data.scene(*points), fixture.target());
      QCOMPARE(currentGl().glGetError(), GLenum{GL_NO_ERROR});
    }
    QCOMPARE(fixture.image(), before);
  }

  void nothingToShow() {
    GlFixture fixture({kWidth, kHeight});
    SceneRenderer renderer(ProgressiveView::kSoftwareBudget);
    QVERIFY(renderer.render({}, fixture.target()).complete());
    const Data empty(0, 2);
    const PointBuffers points(0, 2, nullptr, false);
    const Drawn drawn = renderer.render(empty.scene(points), fixture.target());
    QCOMPARE(drawn.total, std::size_t{0});
    QCOMPARE(currentGl().glGetError(), GLenum{GL_NO_ERROR});
  }

  void largeSetsBecomeDensity() {
    const glm::ivec2 viewport(1280, 800);
    QVERIFY(suitableLook(1'000'000, 2, viewport, Theme::dark, 1, 1).density);
    QVERIFY(!suitableLook(1000, 2, viewport, Theme::dark, 1, 1).density);
    QVERIFY(!suitableLook(1'000'000, 3, viewport, Theme::dark, 1, 1).density);
    QVERIFY(suitableLook(1000, 2, viewport, Theme::dark, 1, 1).size >
            suitableLook(100'000, 2, viewport, Theme::dark, 1, 1).size);
    // Whatever is wished for, a point stays a point.
    for (const double factor : {0.0, 1e-9, 1e9}) {
      const float size = suitableLook(0, 3, {1, 1}, Theme::light, 2, factor).size;
      QVERIFY(size >= 1 && size <= 48);
    }
  }
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestSceneRenderer)
#include "tst_scene_renderer.moc"
