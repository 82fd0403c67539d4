// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/palette.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/select/clusters_panel.hpp"
#include "app/ui/select/lasso.hpp"
#include "app/ui/select/profile_plot.hpp"
#include "app/ui/select/select_panel.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "app/ui/window/selecting.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QLineEdit>
#include <QTabWidget>
#include <qcustomplot.h>

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

  /// A click pales the other clusters, a double click all but hides them, and the second gives all back.
  /// Every axis of the profiles has its name.
  void profilesNameEveryColumn() {
    auto window = windowOn("iris.csv", 3);
    window->resize(1366, 768);
    QVERIFY(converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    QCustomPlot& plot = panel.profile().plot();
    const auto labels = [&] {
      plot.replot();
      return QStringList(plot.axisRect()->axis(QCPAxis::atBottom)->tickVectorLabels());
    };
    const QStringList inTwoRows{"sepal_length_cm", "\nsepal_width_cm", "petal_length_cm", "\npetal_width_cm"};
    QTRY_COMPARE_WITH_TIMEOUT(labels(), inTwoRows, 20000);
  }

  /// Lines through 40 columns would hide each other: a cell for each median, the first cluster's on top.
  void manyColumnsAreAMap() {
    auto window = windowOn("blobs:n=2000,d=40,k=4", 4);
    QVERIFY(converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    const ClusterNumbers& numbers = *panel.watch().numbers();
    const auto map = [&] { return panel.profile().plot().findChild<QCPColorMap*>(); };
    QTRY_VERIFY_WITH_TIMEOUT(map() && map()->data()->keySize() == 40 && map()->data()->valueSize() == 4,
                             20000);
    for (int c = 0; c < 4; ++c)
      for (int j = 0; j < 40; ++j) {
        const double median = numbers.quartiles[std::size_t(c) * 40 + std::size_t(j)][1];
        const double standing = (median - numbers.low[std::size_t(j)]) /
                                (numbers.high[std::size_t(j)] - numbers.low[std::size_t(j)]);
        QVERIFY(std::abs(map()->data()->cell(j, 3 - c) - standing) < 1e-9);
      }
  }

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
    QCOMPARE(window->viewport()->centroidAlone(), std::optional(1));
    QTest::mouseClick(table, Qt::LeftButton, {}, at); // the first of two
    QTest::mouseDClick(table, Qt::LeftButton, {}, at);
    QVERIFY(!window->selecting().colours().focus());
    QVERIFY(window->viewport()->colours() == all);
    QVERIFY(!window->viewport()->centroidAlone());
  }

  void aloneIsAlone_data() {
    QTest::addColumn<QByteArray>("theme");
    QTest::newRow("dark") << QByteArray("dark");
    QTest::newRow("light") << QByteArray("light");
  }
  /// Of the others hardly anything is seen: neither points nor centroids, on the screen and in a file.
  void aloneIsAlone() {
    QFETCH(QByteArray, theme);
    auto window = windowOn("iris.csv", 3, theme);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    window->session().pause();
    const QColor ground = UiTheme::current().view;
    const std::vector<std::uint32_t>& sizes = window->session().last()->sizes;
    const auto least = static_cast<int>(std::ranges::min_element(sizes) - sizes.begin());
    const auto other = static_cast<std::size_t>(least == 0 ? 1 : 0);
    const auto seen = [&] {
      settles(*window);
      return inked(pictureOf(*window->viewport(), {.pointsAlone = true}), ground);
    };
    const auto circles = [&] { return svgOf(*window->viewport(), {}).count("<circle"); };
    const auto focus = [&](bool alone) {
      Q_EMIT panel.focusWanted(ClusterFocus{least, alone});
      if (!QTest::qWaitFor([&] { return (window->viewport()->groups() != nullptr) == alone; }, 20000))
        return 0;
      return seen();
    };
    const int all = seen();
    const auto allCircles = circles();
    const int pale = focus(false);
    const int alone = focus(true);
    QVERIFY2(alone < pale && alone < all / 2,
             qPrintable(QStringLiteral("%1, %2, %3").arg(all).arg(pale).arg(alone)));
    QCOMPARE(circles(), static_cast<qsizetype>(sizes[static_cast<std::size_t>(least)]) + 1);
    QCOMPARE(allCircles, qsizetype{150 + 3});
    const Theme its = theme == "dark" ? Theme::dark : Theme::light;
    const Rgb faint = window->viewport()->colours()[other], under = backgroundOf(its);
    const auto off = [](int a, int b) { return std::abs(a - b); };
    QVERIFY(off(faint.r, under.r) <= 8 && off(faint.g, under.g) <= 8 && off(faint.b, under.b) <= 8);
    // A selection takes what is seen.
    PointSelection& selection = window->selecting().panel().selection();
    window->actions()[ActionId::box]->trigger();
    Lasso& sheet = *window->selecting().lasso();
    Q_EMIT sheet.drawn({{0, 0}, {5000, 0}, {5000, 5000}, {0, 5000}}, Combine::replace);
    QVERIFY(QTest::qWaitFor([&] { return !selection.busy(); }, 20000));
    QCOMPARE(selection.summary().count, std::size_t{sizes[static_cast<std::size_t>(least)]});
    selection.none();
    QVERIFY(QTest::qWaitFor([&] { return !selection.busy(); }, 20000));
    // In another workspace nothing is hidden.
    window->arrangement().setWorkspace(Workspace::compare);
    QVERIFY(!window->viewport()->centroidAlone());
    window->arrangement().setWorkspace(Workspace::explore);
    QCOMPARE(window->viewport()->centroidAlone(), std::optional(least));
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

  /// The row that is selected is that of the cluster that stands out, however either changed.
  void oneRowIsTheCurrentOne() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    ClustersPanel& panel = opened(*window);
    QVERIFY(counted(panel));
    const ShownColours& colours = window->selecting().colours();
    panel.table().setFocus();
    panel.table().setCurrentIndex(panel.table().model()->index(0, 0));
    QTest::keyClick(&panel.table(), Qt::Key_Down);
    QVERIFY(!colours.focus()); // nothing stood out
    QTest::keyClick(&panel.table(), Qt::Key_Return);
    QVERIFY(colours.focus() == (ClusterFocus{1, false}));
    QTest::keyClick(&panel.table(), Qt::Key_Down);
    QVERIFY(colours.focus() == (ClusterFocus{2, false}));
    QTest::keyClick(&panel.table(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(&panel.table(), Qt::Key_Up);
    QVERIFY(colours.focus() == (ClusterFocus{1, true}));
    Q_EMIT panel.focusWanted(ClusterFocus{0, false});
    QCOMPARE(panel.table().currentIndex().row(), 0);
    QCOMPARE(panel.table().selectionModel()->selectedRows().size(), qsizetype{1});
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
