// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/view_gestures.hpp"

#include <QSignalSpy>
#include <QtTest>

#include <vector>

namespace lloyd {

/// Gestures on a view of 400 by 300 logical pixels, two device pixels each, without a window.
class TestViewGestures : public QObject {
  Q_OBJECT

  struct View {
    explicit View(int dimensions) {
      camera.setViewport(800, 600);
      camera.setData(dimensions, {{0, 0, 0}, {8, 6, dimensions > 2 ? 7.0 : 0.0}});
      gestures.setPixelRatio(2);
    }
    /// centroids: [k][d]
    void take(std::vector<float> centroids, int d) {
      IterationResult result;
      result.centroids = std::move(centroids);
      result.sizes.assign(result.centroids.size() / static_cast<std::size_t>(d), 1);
      track.take(result, d, 0);
    }
    [[nodiscard]] QPointF at(glm::dvec3 position) const {
      const auto pixel = camera.project(position);
      return pixel ? QPointF(pixel->x, pixel->y) / 2 : QPointF(-1, -1);
    }
    void drag(QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton,
              Qt::KeyboardModifiers modifiers = {}) {
      gestures.press(from, button);
      gestures.move(to, button, modifiers);
      gestures.release(to);
    }

    Camera camera;
    CentroidTrails track;
    ViewGestures gestures{camera, track};
  };

  static bool near(QPointF a, QPointF b) { return (a - b).manhattanLength() < 0.01; }

private slots:
  void aDragOfTheFlatViewCarriesItsPoints() {
    View view(2);
    QSignalSpy moved(&view.gestures, &ViewGestures::cameraMoved);
    QSignalSpy inspected(&view.gestures, &ViewGestures::inspected);
    const QPointF before = view.at({4, 3, 0});
    view.drag({100, 100}, {130, 80});
    QVERIFY(near(view.at({4, 3, 0}), before + QPointF(30, -20)));
    QCOMPARE(moved.count(), 1);
    QVERIFY(inspected.isEmpty());
    QVERIFY(!view.gestures.dragging());
    view.gestures.pan({-30, 20});
    QVERIFY(near(view.at({4, 3, 0}), before));
  }

  void inSpaceItTurnsAndPansWithShiftOrTheMiddleButton() {
    View view(3);
    const glm::dvec3 towards = view.camera.towardsEye();
    view.drag({100, 100}, {140, 100});
    QVERIFY(glm::length(view.camera.towardsEye() - towards) > 0.1);
    const glm::dvec3 turned = view.camera.towardsEye();
    const QPointF before = view.at({4, 3, 3.5});
    view.drag({100, 100}, {140, 100}, Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(glm::length(view.camera.towardsEye() - turned) < 1e-9);
    QVERIFY(near(view.at({4, 3, 3.5}), before + QPointF(40, 0)));
    view.drag({140, 100}, {100, 100}, Qt::MiddleButton);
    QVERIFY(near(view.at({4, 3, 3.5}), before));
    view.gestures.orbit({-40, 0});
    QVERIFY(glm::length(view.camera.towardsEye() - towards) < 1e-9);
  }

  void theWheelKeepsThePlaceUnderThePointer() {
    View view(2);
    QSignalSpy moved(&view.gestures, &ViewGestures::cameraMoved);
    const QPointF place = view.at({1, 1, 0}), other = view.at({2, 1, 0});
    view.gestures.turnWheel(place, 0);
    QVERIFY(moved.isEmpty());
    view.gestures.turnWheel(place, 2);
    QCOMPARE(moved.count(), 1);
    QVERIFY(near(view.at({1, 1, 0}), place));
    QVERIFY(near(view.at({2, 1, 0}), place + (other - place) * 1.15 * 1.15));
    view.gestures.zoom(1 / (1.15 * 1.15)); // about the middle
    QVERIFY(std::abs(view.at({2, 1, 0}).x() - view.at({1, 1, 0}).x() - (other - place).x()) < 0.01);
    view.gestures.fit();
    QVERIFY(near(view.at({1, 1, 0}), place));
  }

  void aPointIsInspectedByAClickAndByResting() {
    View view(2);
    view.take({4, 3}, 2);
    QSignalSpy inspected(&view.gestures, &ViewGestures::inspected);
    QSignalSpy pointer(&view.gestures, &ViewGestures::pointerMoved);
    view.drag({50, 60}, {51, 61});
    QCOMPARE(inspected.count(), 1);
    QCOMPARE(inspected[0][0].toPointF(), QPointF(51, 61));
    view.gestures.move({70, 80}, Qt::NoButton, {});
    QCOMPARE(pointer.count(), 1);
    QTRY_COMPARE(inspected.count(), 2);
    QCOMPARE(inspected[1][0].toPointF(), QPointF(70, 80));
    view.gestures.move({71, 80}, Qt::NoButton, {});
    view.gestures.leave();
    QTest::qWait(300);
    QCOMPARE(inspected.count(), 2);
    view.gestures.centreUnderPointer();
    QCOMPARE(view.gestures.pointer(), QPointF(71, 80));
  }

  void aCentroidIsSelectedByAClickAndCarriedByADrag() {
    View view(2);
    view.take({2, 2, 6, 4}, 2);
    QSignalSpy moved(&view.gestures, &ViewGestures::centroidMoved);
    QSignalSpy camera(&view.gestures, &ViewGestures::cameraMoved);
    const QPointF marker = view.at({6, 4, 0});
    view.gestures.press(marker + QPointF(3, -3), Qt::LeftButton);
    QVERIFY(view.gestures.carrying());
    view.gestures.release(marker + QPointF(3, -3));
    QVERIFY(moved.isEmpty() && !view.gestures.carrying());
    QCOMPARE(view.gestures.selected(), std::optional<int>(1));
    const QPointF to = view.at({5, 1, 0});
    view.drag(marker, to);
    QVERIFY(camera.isEmpty());
    QCOMPARE(moved.count(), 2); // on the way and at its end
    QCOMPARE(moved.back()[0].toInt(), 1);
    const auto position = moved.back()[1].value<std::vector<float>>();
    QVERIFY(std::abs(position.at(0) - 5) < 1e-3F && std::abs(position.at(1) - 1) < 1e-3F);
    // Another button, or a click beside the markers, selects nothing.
    view.drag(view.at({5, 1, 0}), view.at({5, 1, 0}), Qt::RightButton);
    QVERIFY(!view.gestures.selected());
  }

  void keysSelectAndNudge() {
    View view(1);
    view.gestures.nudgeCentroid({0, 5}); // there is none
    view.take({1, 5}, 1);
    QSignalSpy moved(&view.gestures, &ViewGestures::centroidMoved);
    view.gestures.nudgeCentroid({0, -10});
    QCOMPARE(view.gestures.selected(), std::optional<int>(0));
    QCOMPARE(moved.count(), 1);
    const double unit = view.at({0, 1, 0}).y() - view.at({0, 2, 0}).y();
    const auto value = moved[0][1].value<std::vector<float>>();
    QCOMPARE(value.size(), std::size_t{1});
    QVERIFY(std::abs(static_cast<double>(value[0]) - (1 + 10 / unit)) < 1e-4);
    view.gestures.selectNextCentroid();
    QCOMPARE(view.gestures.selected(), std::optional<int>(1));
    view.take({1}, 1);
    view.gestures.checkSelected();
    QVERIFY(!view.gestures.selected());
    view.gestures.selectNextCentroid();
    view.gestures.selectNextCentroid();
    QCOMPARE(view.gestures.selected(), std::optional<int>(0));
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestViewGestures)
#include "tst_view_gestures.moc"
