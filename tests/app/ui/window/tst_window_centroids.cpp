// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/cluster_watch.hpp"
#include "app/model/session/centroid_edits.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QClipboard>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

/// Centroids added and removed by clicks and keys, and all that goes with their clusters.
class TestWindowCentroids : public QObject {
  Q_OBJECT

  static bool rests(MainWindow& window) {
    QTest::qWait(0);
    const Session& session = window.session();
    return QTest::qWaitFor(
               [&] {
                 const auto last = session.last();
                 return !session.loading() && last &&
                        static_cast<int>(last->sizes.size()) == session.settings().k &&
                        session.state() == Session::State::paused && !window.axes().busy();
               },
               20000) &&
           settles(window);
  }
  static std::unique_ptr<MainWindow> paused(const char* data, int k) {
    auto window = windowOn(data, k);
    if (!QTest::qWaitForWindowActive(window.get()) || !converges(*window)) return nullptr;
    window->session().pause();
    if (window->viewport()) window->viewport()->setFocus();
    return rests(*window) ? std::move(window) : nullptr;
  }
  static std::vector<Label> labelsOf(MainWindow& window) {
    const ShownLabels shown = window.session().labels();
    return {shown.labels.begin(), shown.labels.end()};
  }
  static QPoint placeOf(Viewport& view, glm::dvec3 position) {
    const auto at = view.camera().project(position);
    const double ratio = view.devicePixelRatioF();
    return at ? QPointF(at->x / ratio, at->y / ratio).toPoint() : QPoint();
  }
  static QPoint markerOf(MainWindow& window, int cluster) {
    const auto& centroids = window.session().last()->centroids;
    const auto at = static_cast<std::size_t>(2 * cluster);
    return placeOf(*window.viewport(), {centroids[at], centroids[at + 1], 0});
  }
  static QString undoText(MainWindow& window) { return window.actions()[ActionId::undo]->text(); }

private slots:
  void aClickWithCtrlAddsOneThereAndRemovesOneThatIs() {
    auto window = paused("faithful.csv", 3);
    QVERIFY(window);
    Viewport& view = *window->viewport();
    const auto before = window->session().last()->centroids;
    const CameraPose pose = view.camera().pose();
    const QPoint free = (markerOf(*window, 0) + markerOf(*window, 1)) / 2 + QPoint(0, 40);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, free);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 4, 20000);
    QVERIFY(rests(*window));
    const auto added = window->session().last()->centroids;
    QVERIFY(std::equal(before.begin(), before.end(), added.begin()));
    QVERIFY((markerOf(*window, 3) - free).manhattanLength() <= 2);
    QCOMPARE(window->findChild<QSpinBox*>(QStringLiteral("k"))->value(), 4);
    QCOMPARE(view.selectedCentroid(), std::optional<int>(3));
    QVERIFY(view.camera().pose() == pose);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, markerOf(*window, 3));
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 3, 20000);
    QVERIFY(rests(*window));
    QCOMPARE(window->session().last()->centroids, before);
    QVERIFY(!view.selectedCentroid());
    // A second click at once centres nothing, and adds no other.
    QTest::mouseDClick(&view, Qt::LeftButton, Qt::ControlModifier, free);
    QTest::qWait(100);
    QVERIFY(rests(*window));
    QVERIFY(view.camera().pose() == pose);
  }

  void keysDoTheSame() {
    auto window = paused("faithful.csv", 3);
    QVERIFY(window);
    Viewport& view = *window->viewport();
    const QPoint free = (markerOf(*window, 0) + markerOf(*window, 1)) / 2 + QPoint(5, 50);
    QTest::mouseMove(&view, free + QPoint(1, 1));
    QTest::mouseMove(&view, free);
    QTest::qWait(50);
    QTest::keyClick(&view, Qt::Key_A);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 4, 20000);
    QVERIFY(rests(*window));
    QVERIFY((markerOf(*window, 3) - free).manhattanLength() <= 3);
    // Of the selected one and the one under the pointer it is the latter.
    view.selectCentroid(0);
    QTest::keyClick(&view, Qt::Key_Delete);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 3, 20000);
    QVERIFY(rests(*window));
    QTest::keyClick(&view, Qt::Key_X);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 2, 20000);
    QVERIFY(rests(*window));
    QTest::keyClick(&view, Qt::Key_X);
    QVERIFY2(window->statusLine().lastMessage().contains("No centroid is selected"),
             qPrintable(window->statusLine().lastMessage()));
    QCOMPARE(window->session().settings().k, 2);
  }

  void undoBringsEverythingBack() {
    auto window = paused("faithful.csv", 4);
    QVERIFY(window);
    ClusterWatch& watch = window->selecting().clusters();
    watch.setName(1, "one");
    watch.setName(3, "three");
    QTest::qWait(0); // names are a step of their own
    const auto labels = labelsOf(*window);
    const auto centroids = window->session().last()->centroids;
    const auto inertia = window->session().last()->inertia;
    const auto colours = window->viewport()->colours();
    window->viewport()->selectCentroid(2);
    // The pointer of the test's desktop may be on a marker.
    Q_EMIT window->viewport()->centroidUnwanted(2);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 3, 20000);
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: remove centroid 2"));
    QTRY_VERIFY(window->statusLine().lastMessage().startsWith("Centroid 2 removed: k = 3"));
    QCOMPARE(watch.name(1), QString("one"));
    QCOMPARE(watch.name(2), QString("three")); // it has moved with its cluster
    QCOMPARE(window->viewport()->colours(), (std::vector<Rgb>{colours[0], colours[1], colours[3]}));
    press(*window, ActionId::step);
    QTRY_VERIFY_WITH_TIMEOUT(rests(*window) && window->session().last()->centroids.size() == 6, 20000);
    const auto later = window->session().last()->centroids;
    const int iteration = window->session().last()->iteration;
    press(*window, ActionId::undo);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 4, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids == centroids, 20000);
    QVERIFY(rests(*window));
    QCOMPARE(labelsOf(*window), labels);
    QVERIFY(!window->statusLine().lastMessage().contains("removed"));
    QVERIFY(window->session().last()->inertia == inertia);
    QCOMPARE(window->viewport()->colours(), colours);
    QCOMPARE(watch.name(1), QString("one"));
    QCOMPARE(watch.name(2), QString());
    QCOMPARE(watch.name(3), QString("three"));
    QVERIFY(!window->session().byHand());
    QCOMPARE(undoText(*window), QString("Undo: name of cluster 3"));
    press(*window, ActionId::redo);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 3, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids == later, 20000);
    QCOMPARE(window->session().last()->iteration, iteration);
    QVERIFY(rests(*window) && window->session().byHand());
    QCOMPARE(watch.name(2), QString("three"));
  }

  /// Each is a step of its own, however fast they follow.
  void eachIsAStep() {
    auto window = paused("faithful.csv", 2);
    QVERIFY(window);
    const auto first = window->session().last()->centroids;
    for (const float value : {2.0F, 3.0F, 4.0F}) {
      Q_EMIT window->viewport()->centroidWanted({value, 10 * value});
      QVERIFY(rests(*window));
    }
    QCOMPARE(window->session().settings().k, 5);
    QCOMPARE(undoText(*window), QString("Undo: add centroid 4"));
    for (int k = 4; k >= 2; --k) {
      press(*window, ActionId::undo);
      QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, k, 20000);
      QVERIFY(rests(*window));
    }
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids == first, 20000);
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
  }

  /// Whatever is chosen fast is one after the other, with the right colours and names.
  void twoAtOnceKeepTheirClusters() {
    auto window = paused("faithful.csv", 4);
    QVERIFY(window);
    ClusterWatch& watch = window->selecting().clusters();
    watch.setName(3, "last");
    const auto colours = window->viewport()->colours();
    Q_EMIT window->viewport()->centroidUnwanted(0);
    Q_EMIT window->viewport()->centroidUnwanted(0);
    QVERIFY(rests(*window));
    QCOMPARE(window->session().settings().k, 2);
    QCOMPARE(watch.name(1), QString("last"));
    QCOMPARE(window->viewport()->colours(), (std::vector<Rgb>{colours[2], colours[3]}));
  }

  /// In more columns than are drawn, and by other axes, it is as the nearest one in what is not shown.
  void byOtherAxesItIsUnderThePointerToo() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    press(*window, ActionId::components);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->projection() != nullptr, 20000);
    QVERIFY(rests(*window));
    Viewport& view = *window->viewport();
    const QPoint at(view.width() / 2 + 40, view.height() / 2 - 30);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, at);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 4, 20000);
    QVERIFY(rests(*window));
    const auto& centroids = window->session().last()->centroids;
    const auto place = view.projection()->projection.place(std::span(centroids).subspan(12, 4));
    QVERIFY((placeOf(view, {place[0], place[1], place[2]}) - at).manhattanLength() <= 2);
  }

  void theCommandClaimsNothingFalse() {
    auto window = paused("faithful.csv", 3);
    QVERIFY(window);
    const auto copied = [&] {
      press(*window, ActionId::copyCommand);
      return window->statusLine().lastMessage();
    };
    QVERIFY2(copied().contains("Copied: "), qPrintable(copied()));
    Q_EMIT window->viewport()->centroidWanted({3, 70});
    QVERIFY(rests(*window));
    QVERIFY2(copied().contains("without what was done to centroids by hand"), qPrintable(copied()));
    QVERIFY(QGuiApplication::clipboard()->text().contains("--k 4"));
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(!window->session().byHand() && rests(*window), 20000);
    QVERIFY(copied().contains("Copied: "));
  }

  void bothSidesOfAComparisonGetIt() {
    auto window = paused("faithful.csv", 3);
    QVERIFY(window);
    press(*window, ActionId::compare);
    PairViews& pair = window->compare().pair();
    pair.setMode(PairMode::beside);
    QTRY_VERIFY_WITH_TIMEOUT(pair.run().inStep() && pair.otherView(), 20000);
    Q_EMIT pair.otherView()->centroidWanted({3, 70});
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->sizes.size() == 4, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(pair.run().inStep() && pair.other()->last()->sizes.size() == 4, 20000);
    QCOMPARE(pair.other()->last()->centroids, window->session().last()->centroids);
    for (int i = 0; i < 2; ++i) {
      const int next = window->session().last()->iteration + 1;
      press(*window, ActionId::step);
      QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->iteration == next && pair.run().inStep(), 20000);
      QCOMPARE(pair.other()->last()->centroids, window->session().last()->centroids);
    }
    Q_EMIT pair.otherView()->centroidUnwanted(1);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->sizes.size() == 3, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(pair.run().inStep() && pair.other()->last()->sizes.size() == 3, 20000);
    QCOMPARE(pair.other()->last()->centroids, window->session().last()->centroids);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowCentroids>(argc, argv); }
#include "tst_window_centroids.moc"
