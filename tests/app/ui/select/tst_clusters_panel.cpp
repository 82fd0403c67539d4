// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/select/clusters_panel.hpp"
#include "app/ui/select/profile_plot.hpp"
#include "app/ui/window/selecting.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QLineEdit>
#include <QTabWidget>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

ClustersPanel& opened(MainWindow& window) {
  ClustersPanel& panel = window.bottom().clusters();
  window.bottom().pages().setCurrentWidget(&panel);
  return panel;
}

bool counted(ClustersPanel& panel) {
  return QTest::qWaitFor([&] { return panel.watch().numbers() && !panel.watch().behind(); }, 20000);
}

/// The place of a cluster in its row of the table.
QPoint placeOf(ClustersPanel& panel, int row, int column) {
  ClusterTable& table = panel.table();
  return table.visualRect(table.model()->index(row, column)).center();
}

} // namespace

class TestClustersPanel : public QObject {
  Q_OBJECT
private slots:
  /// The table says what the points say, in the units of the file.
  void tellsOfIris() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    Settings settings = window->session().settings();
    settings.seed = 2; // the first seed parts the setosas
    window->session().setSettings(settings);
    QVERIFY(QTest::qWaitFor([&] { return !window->session().converged(); }, 20000) && converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    const ClusterNumbers& numbers = *panel.watch().numbers();
    QCOMPARE(numbers.points, std::size_t{150});
    const std::vector<std::uint32_t>& sizes = window->session().last()->sizes;
    for (std::size_t c = 0; c < 3; ++c)
      QCOMPARE(numbers.sizes[c], std::uint64_t{sizes[c]});
    // The setosas stand apart: fifty flowers, whose petals are 1.462 cm long on average.
    const auto setosa = std::ranges::find(sizes, 50U) - sizes.begin();
    QVERIFY(setosa < 3);
    const QAbstractItemModel& model = panel.model();
    QCOMPARE(model.index(int(setosa), ClusterTableModel::sizeColumn).data().toString(), QStringLiteral("50"));
    QCOMPARE(model.index(int(setosa), ClusterTableModel::shareColumn).data().toString(),
             QStringLiteral("33.3"));
    QCOMPARE(model.index(int(setosa), ClusterTableModel::firstCentre + 2).data().toString(),
             QStringLiteral("1.462"));
    QVERIFY(panel.profile().emptyText().isEmpty());
    QVERIFY(panel.profile().table().rows.size() == 12);
  }

  /// A click pales the other clusters, a double click greys them, and the second gives all back.
  void clicksSingleOut() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    window->refreshNow();
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    const std::vector<Rgb> all = window->viewport()->colours();
    const auto shown = [&](int cluster) { return window->viewport()->colours()[std::size_t(cluster)]; };
    QWidget* table = panel.table().viewport();
    const QPoint at = placeOf(panel, 1, ClusterTableModel::sizeColumn);
    QTest::mouseClick(table, Qt::LeftButton, {}, at);
    QVERIFY(shown(1) == all[1]);
    QVERIFY(shown(0) != all[0] && shown(2) != all[2] && shown(0) != shown(2));
    QTest::mouseDClick(table, Qt::LeftButton, {}, at);
    QVERIFY(window->selecting().colours().focus() == (ClusterFocus{1, true}));
    QVERIFY(shown(1) == all[1] && shown(0) == shown(2));
    QTest::mouseClick(table, Qt::LeftButton, {}, at); // the first of two
    QTest::mouseDClick(table, Qt::LeftButton, {}, at);
    QVERIFY(!window->selecting().colours().focus());
    QVERIFY(window->viewport()->colours() == all);
  }

  void keysDoTheSame() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    panel.table().setFocus();
    panel.table().setCurrentIndex(panel.table().model()->index(2, 0));
    QTest::keyClick(&panel.table(), Qt::Key_Return);
    const ShownColours& colours = window->selecting().colours();
    QVERIFY(colours.focus() == (ClusterFocus{2, false}));
    QTest::keyClick(&panel.table(), Qt::Key_Return, Qt::ShiftModifier);
    QVERIFY(colours.focus() == (ClusterFocus{2, true}));
    QVERIFY(panel.sentence().startsWith(QStringLiteral("Cluster 2 is shown alone")));
    QTest::keyClick(&panel.table(), Qt::Key_Escape);
    QVERIFY(!colours.focus());
    // From the points as well.
    QTest::keyClick(&panel.table(), Qt::Key_Return);
    QVERIFY(colours.focus());
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(!colours.focus());
  }

  /// A name stays while the run is the same, and goes with the next.
  void namesBelongToARun() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    const QModelIndex cell = panel.model().index(0, ClusterTableModel::nameColumn);
    QVERIFY(panel.model().flags(cell) & Qt::ItemIsEditable);
    QVERIFY(panel.model().setData(cell, QStringLiteral(" my  flowers "), Qt::EditRole));
    QCOMPARE(panel.watch().title(0), QStringLiteral("cluster 0, my flowers"));
    press(*window, ActionId::restart);
    QVERIFY(counted(panel));
    QCOMPARE(panel.watch().name(0), QStringLiteral("my flowers"));
    Settings settings = window->session().settings();
    settings.seed += 1;
    window->session().setSettings(settings);
    QVERIFY(panel.watch().name(0).isEmpty());
  }

  /// Nothing is computed for a panel that nobody sees.
  void restsUnseen() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    QTest::qWait(50);
    QVERIFY(!window->bottom().clusters().watch().numbers());
  }

  /// Pointing at a centroid asks for its numbers, which the view then writes.
  void centroidsAreDescribed() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    QVERIFY(settles(*window));
    Viewport& view = *window->viewport();
    const float* centroid = window->session().last()->centroids.data();
    const auto at = view.camera().project({centroid[0], centroid[1], centroid[2]});
    QVERIFY(at);
    std::optional<int> pointed;
    connect(&view, &Viewport::centroidPointed, this, [&](std::optional<int> cluster) { pointed = cluster; });
    const QPoint place = (QPointF(at->x, at->y) / view.devicePixelRatioF()).toPoint();
    QTest::mouseMove(&view, place + QPoint(40, 40));
    QTest::mouseMove(&view, place);
    QVERIFY(QTest::qWaitFor([&] { return pointed.has_value(); }, 5000));
    ClusterWatch& watch = window->bottom().clusters().watch();
    QVERIFY(QTest::qWaitFor([&] { return watch.numbers() != nullptr; }, 5000));
    const QString text = clusterText(watch, std::size_t(*pointed));
    QVERIFY2(text.contains(QStringLiteral("spread")) && text.contains(QStringLiteral("petal")),
             qPrintable(text));
    QTest::mouseMove(&view, QPoint(5, view.height() - 5));
    QVERIFY(QTest::qWaitFor([&] { return !pointed; }, 5000));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestClustersPanel>(argc, argv); }
#include "tst_clusters_panel.moc"
