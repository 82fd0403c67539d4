// SPDX-License-Identifier: GPL-3.0-or-later
// Which k in the real window: begun, cancelled, and a k taken by mouse and by keyboard.
#include "app/ui/common/labels.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/k_curve_panel.hpp"
#include "app/ui/explore/k_score_plot.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QFile>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <qcustomplot.h>

#include <numeric>

using namespace lloyd;
using namespace lloyd::test;

namespace {

KCurvePanel& panelOf(MainWindow& window) {
  window.bottom().pages().setCurrentWidget(&window.bottom().kCurve());
  return window.bottom().kCurve();
}

void ask(KCurvePanel& panel, int low, int high, int restarts) {
  panel.findChild<QSpinBox*>(QStringLiteral("kLow"))->setValue(low);
  panel.findChild<QSpinBox*>(QStringLiteral("kHigh"))->setValue(high);
  panel.findChild<QSpinBox*>(QStringLiteral("kRestarts"))->setValue(restarts);
  auto* go = panel.findChild<QPushButton*>(QStringLiteral("kGo"));
  QVERIFY(QTest::qWaitFor([&] { return go->isEnabled(); }, 20000)); // not while others measure
  QTest::mouseClick(go, Qt::LeftButton);
}

bool ends(KCurvePanel& panel) {
  return QTest::qWaitFor([&] { return !panel.runner().running(); }, 20000);
}

bool shows(Session& session, const KRunPtr& run) {
  return QTest::qWaitFor([&] { return session.last() && session.last()->centroids == run->result.centroids; },
                         20000);
}

} // namespace

class TestKCurvePanel : public QObject {
  Q_OBJECT
private slots:
  void aClickTakesAK() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    KCurvePanel& panel = panelOf(*window);
    ask(panel, 2, 8, 4);
    QVERIFY(panel.runner().running());
    QVERIFY(ends(panel));
    QCOMPARE(panel.table().model()->rowCount(), 7);
    QVERIFY2(panel.sentence().contains("silhouette is highest at k = 2"), qPrintable(panel.sentence()));
    Session& session = window->session();
    QVERIFY(QTest::qWaitFor([&] { return session.converged(); }, 20000)); // it went on playing

    // A row of the table.
    const QModelIndex row = panel.table().model()->index(3, 1);
    panel.table().scrollTo(row);
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, panel.table().visualRect(row).center());
    const KRunPtr five = panel.runner().best(5);
    QVERIFY(shows(session, five));
    QCOMPARE(session.settings().k, 5);
    QCOMPARE(session.settings().seed, five->seed);
    QVERIFY(session.last()->sizes == five->result.sizes);
    QCOMPARE(session.last()->inertia.value_or(-1), five->result.inertia.value_or(-2));
    QVERIFY(session.converged());
    QCOMPARE(panel.table().model()->rowCount(), 7); // the curve stays

    // A place in a curve.
    KScorePlot& plot = *panel.plots()[1];
    QVERIFY(plot.isVisible());
    QCOMPARE(plot.score(), Score::silhouette);
    const QCPAxisRect& rect = *plot.plot().axisRect();
    const auto x = static_cast<int>(rect.axis(QCPAxis::atBottom)->coordToPixel(3.1));
    QTest::mouseClick(&plot.plot(), Qt::LeftButton, {}, {x, rect.center().y()});
    QVERIFY(shows(session, panel.runner().best(3)));
    QCOMPARE(session.settings().k, 3);
    // The row that keys move from is the one that is shown, and none where its k has no row.
    const auto rows = [&panel] { return panel.table().selectionModel()->selectedRows(); };
    QCOMPARE(rows().size(), qsizetype{1});
    QCOMPARE(rows().front().row(), 1);
    QCOMPARE(panel.table().currentIndex().row(), 1);
    Settings settings = session.settings();
    settings.k = 11;
    session.setSettings(settings);
    QVERIFY(QTest::qWaitFor([&] { return rows().isEmpty(); }, 20000));
  }

  void theKeyboardTakesAK() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    KCurvePanel& panel = panelOf(*window);
    ask(panel, 2, 4, 2);
    QVERIFY(ends(panel));
    panel.table().setFocus();
    panel.table().setCurrentIndex(panel.table().model()->index(1, 0));
    QTest::keyClick(&panel.table(), Qt::Key_Down);
    QTest::keyClick(&panel.table(), Qt::Key_Return);
    QVERIFY(shows(window->session(), panel.runner().best(4)));
    QCOMPARE(window->session().settings().k, 4);
    QCOMPARE(panel.table().currentIndex().row(), 2);
  }

  void cancelKeepsWhatIsDone() {
    auto window = windowOn("uniform:n=60000,d=3", 8);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() != nullptr, 20000);
    KCurvePanel& panel = panelOf(*window);
    ask(panel, 20, 60, 20);
    QTRY_VERIFY_WITH_TIMEOUT(panel.runner().done() > 0, 20000);
    auto* go = panel.findChild<QPushButton*>(QStringLiteral("kGo"));
    QCOMPARE(go->text(), QString("Cancel"));
    QVERIFY(panel.findChild<QProgressBar*>()->isVisible());
    QTest::mouseClick(go, Qt::LeftButton);
    QVERIFY(ends(panel));
    QVERIFY(panel.table().model()->rowCount() > 0);
    QVERIFY(!panel.findChild<QProgressBar*>()->isVisible());
    QVERIFY(go->text() != "Cancel");
  }

  void lowAndHighStayInOrder() {
    auto window = windowOn("iris.csv", 3);
    KCurvePanel& panel = panelOf(*window);
    auto* low = panel.findChild<QSpinBox*>(QStringLiteral("kLow"));
    auto* high = panel.findChild<QSpinBox*>(QStringLiteral("kHigh"));
    low->setValue(30);
    QCOMPARE(high->value(), 30);
    high->setValue(7);
    QCOMPARE(low->value(), 7);
  }

  void pointsThatMoveSayWhy() {
    auto window = windowOn("drift:n=2000,d=2,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() != nullptr, 20000);
    KCurvePanel& panel = panelOf(*window);
    const auto* go = panel.findChild<QPushButton*>(QStringLiteral("kGo"));
    QTRY_VERIFY_WITH_TIMEOUT(!go->isEnabled(), 20000);
    QVERIFY2(panel.sentence().contains("move"), qPrintable(panel.sentence()));
  }

  /// On a small screen, with numbers as money has them.
  void nothingIsCutOff() {
    QTemporaryDir folder;
    QFile file(folder.filePath("incomes.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("age,income\n");
    for (int i = 0; i < 2000; ++i)
      file.write(QByteArray::number(18 + i * 7 % 62) + ',' + QByteArray::number(2000000 + i * 7919 % 18000) +
                 '\n');
    file.close();
    auto window = windowOn("iris.csv", 3);
    window->resize(1366, 768);
    DataRequest request;
    request.path = file.fileName().toStdString();
    QVERIFY(converges(*window));
    window->files().open(request);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->source, request.path, 20000);
    // The run of these points: one that begins to play would end the search.
    const auto runsOnAll = [&] {
      const IterationPtr last = window->session().last();
      return last && std::accumulate(last->sizes.begin(), last->sizes.end(), 0U) == 2000;
    };
    QVERIFY(QTest::qWaitFor(runsOnAll, 20000) && converges(*window));
    KCurvePanel& panel = panelOf(*window);
    ask(panel, 2, 12, 10);
    const auto* bar = panel.findChild<QProgressBar*>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible() && panel.runner().done() > 0, 20000);
    QVERIFY(bar->width() > bar->fontMetrics().horizontalAdvance("k = 12, run 10 of 10"));
    QVERIFY(ends(panel));
    const QAbstractItemView& view = panel.table();
    for (int column = 0; column < panel.table().model()->columnCount(); ++column)
      QVERIFY2(panel.table().columnWidth(column) >= view.sizeHintForColumn(column),
               qPrintable(QString::number(column)));
    QCOMPARE(panel.table().horizontalScrollBar()->maximum(), 0);
    for (const KScorePlot* plot : panel.plots()) {
      if (!plot->isVisible()) continue;
      const auto titles = plot->findChildren<ElidedLabel*>();
      QVERIFY(std::ranges::any_of(titles, [](const ElidedLabel* title) {
        return title->isVisible() && title->shownLines().join(' ').contains("k = ");
      }));
      // The numbers of k are at the lower edge of a plot, all of which is seen.
      QTRY_COMPARE_WITH_TIMEOUT(plot->plot().visibleRegion().boundingRect(), plot->plot().rect(), 20000);
      QVERIFY(plot->plot().axisRect()->axis(QCPAxis::atBottom)->tickVectorLabels().size() > 1);
    }
  }

  /// As many curves as there is room for.
  void aNarrowWindowHasFewerCurves() {
    auto window = windowOn("iris.csv", 3);
    KCurvePanel& panel = panelOf(*window);
    const auto visible = [&] {
      return std::ranges::count_if(panel.plots(), [](const KScorePlot* plot) { return plot->isVisible(); });
    };
    window->resize(1440, 900);
    QTRY_COMPARE_WITH_TIMEOUT(visible(), 4, 20000);
    window->resize(800, 600);
    QTRY_VERIFY_WITH_TIMEOUT(visible() < 4 && panel.plots()[1]->isVisible(), 20000);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestKCurvePanel>(argc, argv); }
#include "tst_k_curve_panel.moc"
