// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/strings.hpp"
#include "app/ui/explore/axes_panel.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalSpy>

using namespace lloyd;
using namespace lloyd::test;

namespace {

bool found(MainWindow& window) {
  return QTest::qWaitFor([&] { return !window.axes().busy(); }, 20000);
}

QComboBox& box(MainWindow& window, const char* name) { return *window.findChild<QComboBox*>(name); }

void pick(QComboBox& box, const QString& text) {
  box.setCurrentIndex(box.findText(text));
  QVERIFY2(box.currentText() == text, qPrintable(text));
  Q_EMIT box.activated(box.currentIndex());
}

/// What a projection makes of the centroid of a cluster.
glm::dvec3 placed(MainWindow& window, int cluster) {
  const IterationPtr last = window.session().last();
  const auto d = static_cast<std::size_t>(window.session().data()->d);
  const std::span<const float> centroid(last->centroids.data() + static_cast<std::size_t>(cluster) * d, d);
  const auto place = window.axes().projection()->projection.place(centroid);
  return {place[0], place[1], place[2]};
}

} // namespace

class TestAxes : public QObject {
  Q_OBJECT
private slots:
  void columnsAreChosenByHand() {
    auto window = windowOn("quakes.csv", 4);
    QVERIFY(converges(*window));
    QCOMPARE(box(*window, "axisx").currentText(), QStringLiteral("lat"));
    pick(box(*window, "axisx"), QStringLiteral("mag"));
    QVERIFY(found(*window));
    QCOMPARE(window->axes().words(), QStringLiteral("mag,long,depth"));
    QVERIFY(window->commandLine().endsWith(QStringLiteral(" --axes mag,long,depth")));
    // Of two axes that would show the same, the other takes what this one had.
    pick(box(*window, "axisz"), QStringLiteral("mag"));
    QCOMPARE(window->axes().words(), QStringLiteral("depth,long,mag"));
    pick(box(*window, "axisz"), QStringLiteral("none: a flat drawing"));
    QVERIFY(found(*window));
    QCOMPARE(window->axes().words(), QStringLiteral("depth,long"));
    QVERIFY(!window->actions()[ActionId::orthographic]->isEnabled());
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    QCOMPARE(window->viewport()->camera().dimensions(), 2);
    const PointSet& points = *window->session().data();
    QCOMPARE(window->viewport()->camera().bounds().high.x,
             static_cast<double>(*std::max_element(points.row(2), points.row(2) + points.n)));
  }

  /// A key shows the components, and the same key the columns.
  void componentsHaveAKey() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    press(*window, ActionId::components);
    QVERIFY(found(*window));
    QCOMPARE(window->axes().words(), QStringLiteral("PC1,PC2,PC3"));
    QVERIFY(qtext(window->axes().projection()->projection.name(0)).startsWith("PC1 (92.5 %)"));
    QCOMPARE(box(*window, "axisy").currentText(), QStringLiteral("PC2"));
    // Scaled points are other points of the same columns: their axes stay, and are found anew.
    DataRequest scaled = window->session().request();
    scaled.scaling = Scale::standard;
    window->files().open(scaled);
    QVERIFY(QTest::qWaitFor(
        [&] {
          const SharedPointSet points = window->session().data();
          return points && points->scales[0] != ColumnScale{} && !window->axes().busy() &&
                 window->axes().projection() && window->axes().projection()->points == points;
        },
        20000));
    QVERIFY(qtext(window->axes().projection()->projection.name(0)).startsWith("PC1 (73"));
    press(*window, ActionId::components);
    QVERIFY(!window->axes().projection() && !window->commandLine().contains("--axes"));
    // Other data begin with their columns.
    press(*window, ActionId::components);
    QVERIFY(found(*window));
    DataRequest other;
    other.path = LLOYD_SOURCE_DIR "/resources/data/quakes.csv";
    window->files().open(other);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data()->columns.front() == "lat"; }, 20000));
    QVERIFY(window->axes().axes().empty() && !window->axes().projection());
  }

  /// Points, centroids, the point under the pointer and a drag agree in a projection.
  void aProjectionIsWhatIsPointedAtAndDragged() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(window && converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    Viewport& view = *window->viewport();
    press(*window, ActionId::components);
    QVERIFY(found(*window) && settles(*window));
    QVERIFY(view.projection() == window->axes().projection());
    const ProjectedPoints& drawn = *view.projection();
    const std::size_t n = drawn.points->n;
    // A point of its own corner, which nothing else is near.
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (drawn.rows[i] > drawn.rows[farthest]) farthest = i;
    const auto pixel =
        view.camera().project({drawn.rows[farthest], drawn.rows[n + farthest], drawn.rows[2 * n + farthest]});
    QVERIFY(pixel);
    const QPoint at = (QPointF(pixel->x, pixel->y) / view.devicePixelRatioF()).toPoint();
    std::optional<std::size_t> under;
    connect(&view, &Viewport::pointed, this, [&](std::optional<std::size_t> point) { under = point; });
    QTest::mouseMove(&view, at + QPoint(40, 0));
    QTest::mouseMove(&view, at);
    QVERIFY(QTest::qWaitFor([&] { return under == farthest; }, 10000));

    window->session().pause();
    view.selectNextCentroid();
    const glm::dvec3 before = placed(*window, 0);
    const auto from = view.camera().project(before);
    std::vector<float> coordinates;
    connect(&view, &Viewport::centroidMoved, this,
            [&](int, const std::vector<float>& to) { coordinates = to; });
    view.nudgeCentroid({30, -20});
    QCOMPARE(coordinates.size(), std::size_t{4});
    const auto place = drawn.projection.place(coordinates);
    const auto to = view.camera().project({place[0], place[1], place[2]});
    QVERIFY(from && to);
    const double ratio = view.devicePixelRatioF();
    QVERIFY2(std::abs(to->x - from->x - 30 * ratio) < 1 && std::abs(to->y - from->y + 20 * ratio) < 1,
             qPrintable(QString("%1 %2").arg(to->x - from->x).arg(to->y - from->y)));
  }

  /// On their way points are neither here nor there, and in the end where the projection has them.
  void pointsGlideToTheirAxes() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(window && converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    Viewport& view = *window->viewport();
    QVERIFY(settles(*window));
    press(*window, ActionId::components);
    QVERIFY(found(*window));
    QVERIFY(!view.settled());
    const QImage begun = view.grabFramebuffer();
    QVERIFY(settles(*window));
    const QImage ended = view.grabFramebuffer();
    QVERIFY(difference(begun, ended) > 0.005);
    // The same picture as a window has that began with these axes.
    WindowOptions options;
    options.settings = window->session().settings();
    options.request = window->session().request();
    options.theme = QStringLiteral("dark");
    options.axes = "PC1,PC2,PC3";
    MainWindow other(options, false);
    other.resize(window->size());
    other.show();
    other.begin();
    QVERIFY(converges(other) && found(other) && settles(other));
    for (MainWindow* each : {window.get(), &other})
      each->viewport()->setTrails(false);
    QVERIFY2(
        difference(view.grabFramebuffer(), other.viewport()->grabFramebuffer()) < 1e-3,
        qPrintable(QString::number(difference(view.grabFramebuffer(), other.viewport()->grabFramebuffer()))));
  }

  void pointsThatMoveKeepTheirAxes() {
    auto window = windowOn("drift:n=2000,d=3,k=4", 4);
    QVERIFY(QTest::qWaitFor([&] { return window->session().last() != nullptr; }, 20000));
    QVERIFY(!box(*window, "axisx").isEnabled() &&
            box(*window, "axisx").toolTip().contains(QStringLiteral("these points move")));
    QVERIFY(!window->actions()[ActionId::components]->isEnabled());
  }

  void theOrthographicViewIsDrawn() {
    auto window = windowOn("quakes.csv", 4);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    QVERIFY(settles(*window));
    const QImage before = window->viewport()->grabFramebuffer();
    window->findChild<QCheckBox*>("orthographic")->setChecked(true);
    QVERIFY(window->actions()[ActionId::orthographic]->isChecked() && settles(*window));
    const QImage flat = window->viewport()->grabFramebuffer();
    QVERIFY(difference(before, flat) > 0.01);
    QVERIFY(inked(flat, before.pixelColor(2, before.height() - 2)) > 2000);
    press(*window, ActionId::orthographic);
    QVERIFY(!window->findChild<QCheckBox*>("orthographic")->isChecked());
  }
};

int main(int argc, char** argv) { return runWindowTest<TestAxes>(argc, argv); }
#include "tst_axes.moc"
