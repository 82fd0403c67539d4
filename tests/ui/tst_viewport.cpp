// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/theme.hpp"
#include "tests/ui/window_fixture.hpp"

#include <QMainWindow>
#include <QSignalSpy>

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

  void aCentroidIsDraggedAndTheAlgorithmRecovers() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    press(*window, Command::play); // converged: play starts again
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
      press(*window, Command::step);
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
    press(*window, Command::moveRight);
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
    press(*window, Command::panRight);
    const auto back = view->camera().project({3.5, 70, 0});
    press(*window, Command::fit);
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
    press(*window, Command::inspect);
    QTRY_VERIFY_WITH_TIMEOUT(difference(before, view->grabFramebuffer()) > 0.001, 10000);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestViewport>(argc, argv, false); }
#include "tst_viewport.moc"
