// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/cluster_watch.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/window/selecting.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QSpinBox>

using namespace lloyd;
using namespace lloyd::test;

/// Undo and redo in the window, by the keys.
class TestEditActions : public QObject {
  Q_OBJECT

  static bool rests(MainWindow& window) {
    QTest::qWait(0);
    const Session& session = window.session();
    return QTest::qWaitFor(
               [&] {
                 return !session.loading() && session.last() &&
                        session.state() != Session::State::preparing &&
                        session.state() != Session::State::playing && !window.axes().busy();
               },
               20000) &&
           settles(window);
  }
  static std::vector<Label> labelsOf(MainWindow& window) {
    const ShownLabels shown = window.session().labels();
    return {shown.labels.begin(), shown.labels.end()};
  }
  static std::unique_ptr<MainWindow> paused(const char* data, int k) {
    auto window = windowOn(data, k);
    if (!QTest::qWaitForWindowActive(window.get()) || !converges(*window)) return nullptr;
    window->session().pause();
    return rests(*window) ? std::move(window) : nullptr;
  }
  static QString undoText(MainWindow& window) { return window.actions()[ActionId::undo]->text(); }
  static QString redoText(MainWindow& window) { return window.actions()[ActionId::redo]->text(); }
  static void undo(MainWindow& window) {
    QTest::keyClick(window.focusWidget(), Qt::Key_Z, Qt::ControlModifier);
  }
  static void redo(MainWindow& window) {
    QTest::keyClick(window.focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  }

private slots:
  void nothingIsThereToUndoAtFirst() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    QVERIFY(!window->actions()[ActionId::redo]->isEnabled());
    QCOMPARE(undoText(*window), QString("Undo"));
  }

  /// The field has the focus, and nothing of its own to undo.
  void aNumberThatWasTypedGoesBack() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    const std::vector<Label> labels = labelsOf(*window);
    const auto centroids = window->session().last()->centroids;
    const auto colours = window->viewport()->colours();
    auto* k = window->findChild<QSpinBox*>(QStringLiteral("k"));
    k->setFocus();
    QTest::keyClick(k, Qt::Key_Up);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 4, 20000);
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: k = 4"));
    QVERIFY(k->hasFocus());
    undo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 3, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(rests(*window) && window->session().last()->centroids == centroids, 20000);
    QCOMPARE(k->value(), 3);
    QCOMPARE(labelsOf(*window), labels);
    QVERIFY(window->viewport()->colours() == colours);
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    QCOMPARE(redoText(*window), QString("Redo: k = 4"));
    redo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 4, 20000);
    // What is typed and not yet taken is the field's own.
    QVERIFY(rests(*window));
    k->selectAll();
    QTest::keyClicks(k, "55");
    undo(*window);
    QVERIFY(rests(*window));
    QCOMPARE(window->session().settings().k, 4);
    QCOMPARE(k->text(), QString("4"));
    QCOMPARE(undoText(*window), QString("Undo: k = 4"));
  }

  /// One drag is one step, however often the pointer moved.
  void aDraggedCentroidGoesBack() {
    auto window = paused("faithful.csv", 3);
    QVERIFY(window);
    Viewport* view = window->viewport();
    view->setFocus();
    const std::vector<Label> labels = labelsOf(*window);
    const auto centroids = window->session().last()->centroids;
    const double ratio = view->devicePixelRatioF();
    const auto at = view->camera().project({centroids[0], centroids[1], 0});
    QVERIFY(at);
    const QPoint from = QPointF(at->x / ratio, at->y / ratio).toPoint();
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    for (int move = 1; move <= 5; ++move) {
      QTest::mouseMove(view, from + QPoint(12 * move, 9 * move));
      QTest::qWait(20);
    }
    QTest::mouseRelease(view, Qt::LeftButton, {}, from + QPoint(60, 45));
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids != centroids, 20000);
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: centroid 0"));
    const auto moved = window->session().last()->centroids;
    undo(*window);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids == centroids, 20000);
    QVERIFY(rests(*window));
    QCOMPARE(labelsOf(*window), labels);
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    redo(*window);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->centroids == moved, 20000);
  }

  void whatTheViewShowsGoesBackStepByStep() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    window->viewport()->setFocus();
    window->viewport()->orbit({50, 20});
    const CameraPose pose = window->viewport()->camera().pose();
    press(*window, ActionId::orthographic);
    press(*window, ActionId::trails);
    QVERIFY(rests(*window));
    window->findChild<AppearancePanel*>()->chooseColours(ClusterColours::By::palette, 4);
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: colours"));
    press(*window, ActionId::components);
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: axes"));
    undo(*window);
    QVERIFY(rests(*window));
    QVERIFY(window->axes().axes().empty());
    QCOMPARE(window->findChild<AppearancePanel*>()->column(), std::optional<std::size_t>(4));
    // Other axes had made the view look anew.
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->camera().pose().yaw == pose.yaw, 20000);
    undo(*window);
    QVERIFY(rests(*window));
    QVERIFY(!window->findChild<AppearancePanel*>()->column());
    undo(*window);
    QVERIFY(rests(*window));
    QVERIFY(!window->actions()[ActionId::orthographic]->isChecked()); // both were pressed at once
    QVERIFY(window->actions()[ActionId::trails]->isChecked());
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    for (int i = 0; i < 3; ++i)
      redo(*window);
    QVERIFY(rests(*window));
    QVERIFY(window->viewport()->camera().orthographic());
    QCOMPARE(window->axes().axes().size(), std::size_t{3});
    QVERIFY(window->viewport()->projection());
  }

  /// A cluster that is named is a step, also on either side of another k.
  void namesGoBack() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    window->viewport()->setFocus();
    ClusterWatch& clusters = window->selecting().clusters();
    const std::vector<Label> labels = labelsOf(*window);
    clusters.setName(2, "first");
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: name of cluster 2"));
    clusters.setName(2, "second");
    QVERIFY(rests(*window));
    undo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(clusters.name(2), QString("first"), 20000);
    QVERIFY(rests(*window));
    QCOMPARE(labelsOf(*window), labels);
    undo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(clusters.name(2), QString(), 20000);
    QVERIFY(rests(*window));
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    QCOMPARE(redoText(*window), QString("Redo: name of cluster 2"));
    redo(*window);
    redo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(clusters.name(2), QString("second"), 20000);
    QVERIFY(rests(*window));

    Settings settings = window->session().settings();
    settings.k = 4;
    window->session().setSettings(settings);
    QVERIFY(rests(*window));
    QCOMPARE(clusters.name(2), QString());
    clusters.setName(3, "of four");
    QVERIFY(rests(*window));
    undo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(clusters.name(3), QString(), 20000);
    QVERIFY(rests(*window));
    undo(*window);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().settings().k == 3 && rests(*window), 20000);
    QTRY_COMPARE_WITH_TIMEOUT(clusters.name(2), QString("second"), 20000);
    redo(*window);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().settings().k == 4 && rests(*window), 20000);
    redo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(clusters.name(3), QString("of four"), 20000);
    QCOMPARE(clusters.name(2), QString());
  }

  void regionsGoBack() {
    auto window = paused("faithful.csv", 3);
    QVERIFY(window);
    press(*window, ActionId::regions);
    QVERIFY(rests(*window));
    QCOMPARE(undoText(*window), QString("Undo: regions"));
    press(*window, ActionId::undo);
    QVERIFY(rests(*window));
    QVERIFY(!window->actions()[ActionId::regions]->isChecked() && !window->viewport()->regions());
    press(*window, ActionId::redo);
    QVERIFY(rests(*window));
    QVERIFY(window->viewport()->regions());
  }

  /// Roles and scaling, whose points are read again, with the colours of clusters.
  void rolesGoBack() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    window->viewport()->setFocus();
    const std::vector<Label> labels = labelsOf(*window);
    const auto colours = window->viewport()->colours();
    DataRequest wanted = window->session().request();
    const DataRequest first = wanted;
    wanted.columns = {"sepal_length_cm", "sepal_width_cm"};
    window->files().open(wanted);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->d, 2, 20000);
    QVERIFY(converges(*window));
    QTRY_COMPARE_WITH_TIMEOUT(undoText(*window), QString("Undo: columns"), 20000); // noted once all rests
    undo(*window);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().request() == first && rests(*window), 20000);
    QTRY_VERIFY_WITH_TIMEOUT(labelsOf(*window) == labels, 20000);
    QVERIFY(window->viewport()->colours() == colours);
    redo(*window);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->d, 2, 20000);
    QVERIFY(window->session().request() == wanted);
  }

  /// The best of several starts, and variants that are timed, are the program's doing.
  void whatNobodyChoseIsNoStep() {
    auto window = paused("iris.csv", 3);
    QVERIFY(window);
    press(*window, ActionId::measure);
    QVERIFY(window->liveBenchmark().running());
    QTRY_VERIFY_WITH_TIMEOUT(!window->liveBenchmark().running(), 60000);
    QVERIFY(rests(*window));
    QVERIFY2(!window->actions()[ActionId::undo]->isEnabled(), qPrintable(undoText(*window)));

    WindowOptions options;
    options.settings.backend = BackendRequest::cpu;
    options.settings.k = 3;
    options.otherStarts = true;
    options.request = window->session().request();
    MainWindow other(options, false);
    other.resize(900, 700);
    other.show();
    other.begin();
    // Seed 1 ends at 142.8, and another at 78.85.
    QTRY_VERIFY_WITH_TIMEOUT(other.session().last() && other.session().last()->inertia.value_or(100) < 79,
                             30000);
    QVERIFY(rests(other));
    QVERIFY2(!other.actions()[ActionId::undo]->isEnabled(), qPrintable(undoText(other)));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestEditActions>(argc, argv); }
#include "tst_edit_actions.moc"
