// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/theme.hpp"
#include "tests/app/ui/window/window_fixture.hpp"
#include "tests/support/devices.hpp"

#include <QLabel>
#include <QMainWindow>
#include <QSignalSpy>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

/// The points: gestures, and the loss of what they are drawn with.
class TestViewport : public QObject {
  Q_OBJECT

  static QPoint markerOf(Viewport& view, const IterationResult& result, int cluster) {
    const auto c = static_cast<std::size_t>(cluster) * 2;
    const auto at = view.camera().project({result.centroids[c], result.centroids[c + 1], 0});
    const double ratio = view.devicePixelRatioF();
    return at ? QPointF(at->x / ratio, at->y / ratio).toPoint() : QPoint(-1, -1);
  }

  /// Colours that neither clusters 0 to 2 nor the view itself have.
  inline static const std::vector<Rgb> kHues{{255, 0, 0}, {255, 0, 255}};

  static std::shared_ptr<const std::vector<std::int32_t>> halves(std::size_t n) {
    std::vector<std::int32_t> groups(n);
    for (std::size_t i = 0; i < n; ++i)
      groups[i] = i < n / 2 ? 0 : 1;
    return std::make_shared<const std::vector<std::int32_t>>(std::move(groups));
  }

  static std::pair<int, int> redAndMagenta(const QImage& picture) {
    int red = 0, magenta = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        const QColor seen = picture.pixelColor(x, y);
        if (seen.red() < seen.green() + 75) continue;
        red += seen.red() > seen.blue() + 75 ? 1 : 0;
        magenta += std::abs(seen.red() - seen.blue()) < 20 ? 1 : 0;
      }
    }
    return {red, magenta};
  }

private slots:
  void theSamePictureAfterTheContextIsLost() {
    auto window = windowOn("faithful.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    view->setFixedSize(view->size());
    QVERIFY(settles(*window));
    const QImage before = view->grabFramebuffer();
    const Sharing sharing = window->session().sharing();
    QSignalSpy lost(view, &Viewport::lost);
    QSignalSpy ready(view, &Viewport::ready);
    // A widget that changes its window gets another context; twice, because the second loss is the one
    // forgotten.
    for (int times = 1; times <= 2; ++times) {
      QWidget* home = window->centralWidget();
      window->takeCentralWidget();
      home->setParent(nullptr);
      home->show();
      QTRY_COMPARE_WITH_TIMEOUT(ready.count(), times + times - 1, 10000);
      window->setCentralWidget(home);
      home->show();
      QTRY_COMPARE_WITH_TIMEOUT(ready.count(), times + times, 10000);
    }
    QCOMPARE(lost.count(), 4);
    QTRY_COMPARE_WITH_TIMEOUT(view->grabFramebuffer().size(), before.size(), 10000);
    QVERIFY(settles(*window));
    QVERIFY2(difference(before, view->grabFramebuffer()) < 0.002,
             qPrintable(QString::number(difference(before, view->grabFramebuffer()))));
    QVERIFY(window->session().converged());
    QCOMPARE(window->session().sharing(), sharing);
  }

  /// Software OpenGL is never reset, so it is claimed.
  void aResetOfTheCardIsSaid() {
    auto window = windowOn("drift:n=2000,d=2,k=3", 3);
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 3, 20000);
    QSignalSpy failed(window->viewport(), &Viewport::failed);
    window->viewport()->setContextCheck([](const QOpenGLContext&) { return true; });
    const auto* label = window->findChild<QLabel*>("noDrawing");
    QTRY_VERIFY_WITH_TIMEOUT(label->isVisible(), 10000);
    QVERIFY2(label->text().contains("reset") && label->text().contains("again"), qPrintable(label->text()));
    QVERIFY(!window->viewport()->isVisible());
    const int then = session.last()->iteration;
    QTRY_VERIFY_WITH_TIMEOUT(session.last()->iteration > then + 3, 20000);
    QCOMPARE(failed.count(), 1);
    press(*window, ActionId::fit);
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 3, 20000);
  }

  void groupsColourThePointsInPlaceOfClusters_data() {
    QTest::addColumn<bool>("shared");
    QTest::newRow("labels copied") << false;
    QTest::newRow("labels shared with CUDA") << true;
  }
  void groupsColourThePointsInPlaceOfClusters() {
    QFETCH(bool, shared);
    if (shared) {
      const Found cuda = findDevice(Backend::cuda);
      if (!cuda.device) QSKIP(cuda.why.c_str());
    }
    auto window = windowOn("faithful.csv", 3, "dark", shared ? BackendRequest::cuda : BackendRequest::cpu);
    QVERIFY(converges(*window) && settles(*window));
    if (shared && window->session().sharing() != Sharing::shared)
      QSKIP("OpenGL is not drawn by the CUDA device, so labels are copied here");
    Viewport* view = window->viewport();
    const QImage byCluster = view->grabFramebuffer();
    QCOMPARE(redAndMagenta(byCluster), std::make_pair(0, 0));
    const std::size_t n = window->session().data()->n;
    QVERIFY(view->setGroups(halves(n), kHues));
    const QImage byGroup = view->grabFramebuffer();
    const auto [red, magenta] = redAndMagenta(byGroup);
    QVERIFY2(red > 500 && magenta > 500, qPrintable(QStringLiteral("%1 %2").arg(red).arg(magenta)));
    for (int cluster = 0; cluster < 3; ++cluster) {
      const QPoint at = (QPointF(markerOf(*view, *window->session().last(), cluster) + QPoint(6, -5)) *
                         view->devicePixelRatioF())
                            .toPoint();
      QCOMPARE(byGroup.pixelColor(at), byCluster.pixelColor(at));
    }
    // Points without a group look like points without a cluster, and new colours come without new groups.
    auto some = std::make_shared<std::vector<std::int32_t>>(n, -1);
    some->front() = 1;
    QVERIFY(view->setGroups(some, kHues));
    const auto lone = redAndMagenta(view->grabFramebuffer());
    QVERIFY(lone.first == 0 && lone.second > 0 && lone.second < magenta / 10);
    QVERIFY(view->setGroups(some, {kHues[0], kHues[0]}));
    QCOMPARE(redAndMagenta(view->grabFramebuffer()), std::make_pair(lone.second, 0));
    // An iteration brings new labels, and the groups stay.
    QVERIFY(view->setGroups(halves(n), kHues));
    press(*window, ActionId::restart);
    QVERIFY(converges(*window) && settles(*window));
    QCOMPARE(redAndMagenta(view->grabFramebuffer()).first > 500, true);
    QVERIFY(view->setGroups(nullptr, {}));
    QCOMPARE(redAndMagenta(view->grabFramebuffer()), std::make_pair(0, 0));
  }

  void groupsColourCrowdsAndGrowingPictures() {
    // More points than a moving frame draws, and more than pixels can tell apart.
    auto window = windowOn("uniform:n=400000,d=2", 3);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    QVERIFY(view->drawn().density);
    const std::size_t n = window->session().data()->n;
    QVERIFY(view->setGroups(halves(n), kHues));
    static_cast<void>(view->grabFramebuffer());
    QVERIFY(settles(*window));
    const QImage both = view->grabFramebuffer();
    const auto [red, magenta] = redAndMagenta(both);
    const int inkedPixels = inked(both, UiTheme::current().view);
    // Where points overlap one of them shows; a GPU draws in memory order, which favours the second half.
    QVERIFY2(red > inkedPixels / 8 && magenta > inkedPixels / 3,
             qPrintable(QStringLiteral("%1 %2 of %3").arg(red).arg(magenta).arg(inkedPixels)));
    QVERIFY(view->setGroups(std::make_shared<std::vector<std::int32_t>>(n, 0), kHues));
    static_cast<void>(view->grabFramebuffer());
    QVERIFY(settles(*window));
    QVERIFY(redAndMagenta(view->grabFramebuffer()).first > inkedPixels * 2 / 3);
    QCOMPARE(redAndMagenta(view->grabFramebuffer()).second, 0);
  }

  void groupsSurviveTheLossOfTheContext() {
    auto window = windowOn("faithful.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    view->setFixedSize(view->size());
    QVERIFY(view->setGroups(halves(window->session().data()->n), kHues));
    QVERIFY(settles(*window));
    const QImage before = view->grabFramebuffer();
    QVERIFY(redAndMagenta(before).first > 500);
    QSignalSpy ready(view, &Viewport::ready);
    QWidget* home = window->centralWidget();
    window->takeCentralWidget();
    home->setParent(nullptr);
    home->show();
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, 10000);
    window->setCentralWidget(home);
    home->show();
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 2, 10000);
    QTRY_COMPARE_WITH_TIMEOUT(view->grabFramebuffer().size(), before.size(), 10000);
    QVERIFY(settles(*window));
    QVERIFY(difference(before, view->grabFramebuffer()) < 0.002);
  }

  void anotherDataSetDropsTheGroups_data() {
    QTest::addColumn<QString>("other");
    QTest::newRow("another size") << "uniform:n=500,d=3";
    QTest::newRow("the same size") << "uniform:n=900,d=2,seed=9";
  }
  void anotherDataSetDropsTheGroups() {
    QFETCH(QString, other);
    auto window = windowOn("uniform:n=900,d=2", 3);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    const auto groups = halves(900);
    QVERIFY(view->setGroups(groups, kHues));
    QVERIFY(redAndMagenta(view->grabFramebuffer()).first > 500);
    const SharedPointSet before = window->session().data();
    DataRequest request;
    request.generator = other.toStdString();
    window->files().open(request);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() != before, 10000);
    QVERIFY(converges(*window) && settles(*window));
    QVERIFY(!view->groups());
    QCOMPARE(redAndMagenta(view->grabFramebuffer()), std::make_pair(0, 0));
    // An answer that was on its way for the points of before is not taken for those of now.
    const bool same = window->session().data()->n == groups->size();
    QCOMPARE(view->setGroups(groups, kHues), same);
    QCOMPARE(view->groups() != nullptr, same);
  }

  void aCentroidIsDraggedAndTheAlgorithmRecovers() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    press(*window, ActionId::play); // converged: play starts again
    QVERIFY(converges(*window));
    window->session().pause();
    const std::vector<float> good = window->session().last()->centroids;
    const QPoint from = markerOf(*view, *window->session().last(), 0);
    const QPoint to = view->rect().center() + QPoint(0, view->height() / 3);
    QSignalSpy moved(view, &Viewport::centroidMoved);
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    QTest::mouseMove(view, (from + to) / 2);
    QTest::mouseMove(view, to);
    QTest::mouseRelease(view, Qt::LeftButton, {}, to);
    QVERIFY(moved.count() >= 1);
    QCOMPARE(moved.back()[0].toInt(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids != good, 10000);
    QTRY_VERIFY_WITH_TIMEOUT((markerOf(*view, *window->session().last(), 0) - to).manhattanLength() <= 6,
                             10000);
    for (int i = 0; i < 30 && !window->session().converged(); ++i) {
      press(*window, ActionId::step);
      QTest::qWait(60);
    }
    QVERIFY(window->session().converged());
    QCOMPARE(window->session().last()->sizes.size(), std::size_t{2});
  }

  void aClickOnAMarkerMovesNothing() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    QSignalSpy moved(window->viewport(), &Viewport::centroidMoved);
    QTest::mouseClick(window->viewport(), Qt::LeftButton, {},
                      markerOf(*window->viewport(), *window->session().last(), 1));
    QCOMPARE(moved.count(), 0);
    // The keys move what was selected.
    press(*window, ActionId::moveRight);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(moved.back()[0].toInt(), 1);
  }

  void draggingPansAndKeysDoTheSame() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    const auto before = view->camera().view();
    QTest::mousePress(view, Qt::LeftButton, {}, QPoint(5, 60));
    QTest::mouseMove(view, QPoint(45, 60));
    QTest::mouseRelease(view, Qt::LeftButton, {}, QPoint(45, 60));
    const auto panned = view->camera().view();
    QVERIFY(!(panned == before));
    press(*window, ActionId::panRight);
    const auto back = view->camera().project({3.5, 70, 0});
    press(*window, ActionId::fit);
    const auto fitted = view->camera().project({3.5, 70, 0});
    QVERIFY(back && fitted && glm::length(*back - *fitted) < 2);
  }

  void hoveringNamesTheRow() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    const SharedPointSet data = window->session().data();
    const auto at = view->camera().project({data->row(0)[0], data->row(1)[0], 0});
    QVERIFY(at);
    // The pointer may already rest where the point is drawn.
    QTest::mouseMove(view, QPoint(3, 3));
    QTest::qWait(500);
    const QImage before = view->grabFramebuffer();
    const double ratio = view->devicePixelRatioF();
    QTest::mouseMove(view, QPointF(at->x / ratio, at->y / ratio).toPoint());
    press(*window, ActionId::inspect);
    QTRY_VERIFY_WITH_TIMEOUT(difference(before, view->grabFramebuffer()) > 0.001, 10000);
  }

  void hoveringFindsAPointThatDrifts_data() {
    QTest::addColumn<bool>("shared");
    QTest::newRow("positions copied") << false;
    QTest::newRow("positions shared with CUDA") << true;
  }
  void hoveringFindsAPointThatDrifts() {
    QFETCH(bool, shared);
    if (shared) {
      const Found cuda = findDevice(Backend::cuda);
      if (!cuda.device) QSKIP(cuda.why.c_str());
    }
    auto window =
        windowOn("drift:n=300,d=2,k=3", 3, "dark", shared ? BackendRequest::cuda : BackendRequest::cpu);
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 20, 20000);
    session.pause();
    QTest::qWait(300);
    QVERIFY(settles(*window));
    if (shared && session.sharing() != Sharing::shared)
      QSKIP("OpenGL is not drawn by the CUDA device, so positions are copied here");
    Viewport* view = window->viewport();
    const PointSet& data = *session.data();
    const std::vector<float> shifts = data.drift->shifts(session.last()->iteration, 2);
    const auto pixelOf = [&](std::size_t i) {
      const std::size_t shift = std::size_t{2} * data.drift->component[i];
      const auto at =
          view->camera().project({data.row(0)[i] + shifts[shift], data.row(1)[i] + shifts[shift + 1], 0});
      return at.value_or(glm::dvec2(-1000));
    };
    // The one that is farthest from all others, so that it alone is under the pointer.
    std::size_t lone = 0;
    double room = 0;
    for (std::size_t i = 0; i < data.n; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < data.n; ++j)
        if (j != i) nearest = std::min(nearest, glm::length(pixelOf(i) - pixelOf(j)));
      if (nearest > room &&
          view->rect().contains(QPoint(static_cast<int>(pixelOf(i).x), static_cast<int>(pixelOf(i).y)))) {
        room = nearest;
        lone = i;
      }
    }
    QVERIFY(room > 4);
    QTest::mouseMove(view, QPoint(3, 3));
    QTest::qWait(300);
    QSignalSpy pointed(view, &Viewport::pointed);
    const double ratio = view->devicePixelRatioF();
    QTest::mouseMove(view, QPointF(pixelOf(lone).x / ratio, pixelOf(lone).y / ratio).toPoint());
    QTRY_VERIFY_WITH_TIMEOUT(!pointed.isEmpty(), 10000);
    QCOMPARE(pointed.back()[0].value<std::optional<std::size_t>>(), std::optional<std::size_t>(lone));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestViewport>(argc, argv, false); }
#include "tst_viewport.moc"
