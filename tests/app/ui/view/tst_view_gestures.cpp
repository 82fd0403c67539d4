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

  void ctrlWithAClickAsksForACentroidOrForNone() {
    View view(2);
    view.take({2, 2, 6, 4}, 2);
    QSignalSpy wanted(&view.gestures, &ViewGestures::centroidWanted);
    QSignalSpy unwanted(&view.gestures, &ViewGestures::centroidUnwanted);
    QSignalSpy inspected(&view.gestures, &ViewGestures::inspected);
    QSignalSpy moved(&view.gestures, &ViewGestures::centroidMoved);
    QSignalSpy camera(&view.gestures, &ViewGestures::cameraMoved);
    const auto click = [&](QPointF at, QPointF to) {
      view.gestures.press(at, Qt::LeftButton, Qt::ControlModifier);
      view.gestures.move(to, Qt::LeftButton, Qt::ControlModifier);
      view.gestures.release(to);
    };
    click(view.at({4, 3, 0}), view.at({4, 3, 0}));
    QCOMPARE(wanted.count(), 1);
    const auto position = wanted[0][0].value<std::vector<float>>();
    QVERIFY(std::abs(position.at(0) - 4) < 1e-3F && std::abs(position.at(1) - 3) < 1e-3F);
    // A hand that trembles carries and pans nothing.
    click(view.at({6, 4, 0}), view.at({6, 4, 0}) + QPointF(1, 1));
    QCOMPARE(unwanted.count(), 1);
    QCOMPARE(unwanted[0][0].toInt(), 1);
    QVERIFY(moved.isEmpty() && camera.isEmpty() && inspected.isEmpty());
    // Farther it is a drag, of the view or of the centroid.
    click(view.at({4, 3, 0}), view.at({4, 3, 0}) + QPointF(20, 0));
    QCOMPARE(camera.count(), 1);
    click(view.at({6, 4, 0}), view.at({6, 4, 0}) + QPointF(20, 0));
    QVERIFY(!moved.isEmpty());
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(unwanted.count(), 1);
    // Other buttons, and clicks without Ctrl, ask for nothing.
    view.gestures.press(view.at({4, 3, 0}), Qt::MiddleButton, Qt::ControlModifier);
    view.gestures.release(view.at({4, 3, 0}));
    view.drag(view.at({4, 3, 0}), view.at({4, 3, 0}));
    QCOMPARE(wanted.count(), 1);
  }

  void keysAskUnderThePointerOrInTheMiddle() {
    View view(2);
    QSignalSpy wanted(&view.gestures, &ViewGestures::centroidWanted);
    QSignalSpy unwanted(&view.gestures, &ViewGestures::centroidUnwanted);
    view.gestures.addCentroid(); // no other is there to be like
    QVERIFY(wanted.takeFirst()[0].value<std::vector<float>>().empty());
    view.gestures.removeCentroid();
    QCOMPARE(unwanted.takeFirst()[0].toInt(), -1);
    view.take({2, 2, 6, 4}, 2);
    const auto placed = [&] {
      view.gestures.addCentroid();
      const auto position = wanted.takeFirst()[0].value<std::vector<float>>();
      return view.at({position.at(0), position.at(1), 0});
    };
    QVERIFY((placed() - QPointF(200, 150)).manhattanLength() < 0.1);
    view.gestures.move({70, 80}, Qt::NoButton, {});
    QVERIFY((placed() - QPointF(70, 80)).manhattanLength() < 0.1);
    view.gestures.openMenu({90, 100}); // which takes the pointer
    view.gestures.leave();
    QVERIFY((placed() - QPointF(90, 100)).manhattanLength() < 0.1);
    view.gestures.leave();
    QVERIFY((placed() - QPointF(200, 150)).manhattanLength() < 0.1);
    view.gestures.select(0);
    view.gestures.removeCentroid();
    QCOMPARE(unwanted.takeFirst()[0].toInt(), 0);
    view.gestures.move(view.at({6, 4, 0}), Qt::NoButton, {});
    view.gestures.removeCentroid();
    QCOMPARE(unwanted.takeFirst()[0].toInt(), 1);
  }

  /// What the axes do not show is that of the nearest one on the screen.
  void aNewOneIsLikeTheNearest() {
    View view(3);
    view.take({2, 2, 3, 50, 6, 4, 1, 90}, 4);
    QSignalSpy wanted(&view.gestures, &ViewGestures::centroidWanted);
    const QPointF beside = view.at({6, 4, 1}) + QPointF(30, 10);
    view.gestures.press(beside, Qt::LeftButton, Qt::ControlModifier);
    view.gestures.release(beside);
    const auto position = wanted.takeFirst()[0].value<std::vector<float>>();
    QCOMPARE(position.size(), std::size_t{4});
    QCOMPARE(position[3], 90.0F);
    QVERIFY((view.at({position[0], position[1], position[2]}) - beside).manhattanLength() < 0.5);
    View line(1);
    line.take({1, 5}, 1);
    QSignalSpy value(&line.gestures, &ViewGestures::centroidWanted);
    const QPointF at = line.at({0, 3, 0});
    line.gestures.press(QPointF(200, at.y()), Qt::LeftButton, Qt::ControlModifier);
    line.gestures.release(QPointF(200, at.y()));
    QVERIFY(std::abs(value.takeFirst()[0].value<std::vector<float>>().at(0) - 3) < 1e-3F);
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
