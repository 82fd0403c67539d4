// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/saved_report.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/pair_bar.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/compare/planner_panel.hpp"
#include "app/ui/compare/plots_panel.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/compare/race_table.hpp"
#include "app/ui/compare/timeline_panel.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/plot/share_bars.hpp"
#include "app/ui/plot/timeline_plot.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QComboBox>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// A window in Compare whose run has converged.
std::unique_ptr<MainWindow> comparing() {
  auto window = windowOn("faithful.csv", 3);
  if (!converges(*window)) return nullptr;
  press(*window, ActionId::compare);
  return window;
}

bool raced(MainWindow& window) {
  press(window, ActionId::race);
  return QTest::qWaitFor(
      [&] {
        const RaceResultPtr& last = window.compare().races().last();
        return !window.lease().held() && last && last->finished;
      },
      60000);
}

} // namespace

/// Every variant against the others, and two of them side by side, in the real window.
class TestWindowCompare : public QObject {
  Q_OBJECT
private slots:
  void aKeyOpensItAndAKeyRaces() {
    auto window = windowOn("faithful.csv", 3);
    QVERIFY(converges(*window));
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(window->arrangement().workspace(), Workspace::compare);
    CompareWorkspace& compare = window->compare();
    QVERIFY(compare.ladder()->isVisible() && compare.plots()->isVisible() && compare.bar()->isVisible());
    QVERIFY(!compare.races().last());
    QTest::keyClick(window.get(), Qt::Key_F6);
    QVERIFY(window->lease().held());
    for (const ActionId id : {ActionId::play, ActionId::step, ActionId::restart, ActionId::measure})
      QVERIFY(!window->actions()[id]->isEnabled());
    QVERIFY(!compare.plotsPanel().sweeps().whyNot().isEmpty()); // one measurement at a time
    QVERIFY(QTest::qWaitFor([&] { return !window->lease().held(); }, 60000));
    QVERIFY(window->actions()[ActionId::play]->isEnabled());
    const RaceResultPtr race = compare.races().last();
    QVERIFY(race && race->finished);
    int ran = 0;
    for (const Measurement& row : race->rows) {
      if (!row.ran()) continue;
      ++ran;
      QVERIFY2(row.verified && row.rank > 0, row.difference.c_str());
    }
    QCOMPARE(ran, 8); // cpu.v1, v2 and v4 classify, v1 and v2 reduce, v3 and v4 do both, and one update
    QVERIFY2(compare.racePanel().headline().contains("fastest"), qPrintable(compare.racePanel().headline()));
  }

  /// Schedules race when they are ticked, and their timelines are there when the race is over.
  void tickedSchedulesShowTheirTimelines() {
    auto window = comparing();
    QVERIFY(window);
    RaceTableModel& model = window->compare().racePanel().model();
    PlotsPanel& plots = window->compare().plotsPanel();
    QVERIFY(plots.showTab("timeline"));
    QVERIFY(plots.timeline().plot().emptyText().startsWith("Race schedules"));
    const Selection before = window->session().settings().selection;
    model.tickStage(Stage::sets);
    QCOMPARE(model.ticked().size(), std::size_t{6});
    QVERIFY(raced(*window));
    QVERIFY2(window->compare().racePanel().headline().contains("run several sets"),
             qPrintable(window->compare().racePanel().headline()));
    QCOMPARE(plots.timeline().plot().seen().size(), std::size_t{2});
    QVERIFY(plots.timeline().model().rowCount() > 100);
    QCOMPARE(window->session().settings().selection, before); // a run has no sets
    model.tickAll(false);
    QVERIFY(raced(*window)); // a race of others leaves them
    QCOMPARE(plots.timeline().plot().seen().size(), std::size_t{2});
  }

  /// The tour of variants starts the run anew; who listens to the run must not meet it half changed.
  void everyVariantIsTimedInCompareOnFewPoints() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    press(*window, ActionId::compare);
    press(*window, ActionId::measure);
    QVERIFY(window->liveBenchmark().running());
    QTRY_VERIFY_WITH_TIMEOUT(!window->liveBenchmark().running(), 60000);
    QVERIFY(window->session().timings().find(Stage::classify, "cpu.v1"));
  }

  void aRaceEndsTheTour() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    press(*window, ActionId::compare);
    const Selection chosen = window->session().settings().selection;
    press(*window, ActionId::measure);
    QVERIFY(window->liveBenchmark().running());
    QVERIFY(window->actions()[ActionId::play]->isEnabled());
    QVERIFY(raced(*window));
    QVERIFY(!window->liveBenchmark().running());
    QCOMPARE(window->session().settings().selection, chosen);
  }

  void playingRestsDuringARaceAndGoesOn() {
    auto window = windowOn("drift:n=20000,d=2,k=4", 4);
    QVERIFY(QTest::qWaitFor([&] { return window->session().last() != nullptr; }, 20000));
    press(*window, ActionId::compare);
    QVERIFY(window->session().playing());
    QVERIFY(raced(*window));
    QVERIFY(QTest::qWaitFor([&] { return window->session().playing(); }, 5000));
    const int iteration = window->session().last()->iteration;
    QVERIFY(QTest::qWaitFor([&] { return window->session().last()->iteration > iteration; }, 20000));
  }

  void theBaselineIsPinnedByKey() {
    auto window = comparing();
    QVERIFY(window && raced(*window));
    RacePanel& panel = window->compare().racePanel();
    QCOMPARE(panel.baseline().kind, Baseline::Kind::first);
    QVERIFY(panel.b());
    RaceTable& table = panel.table();
    for (int row = 0; row < table.model()->rowCount(); ++row)
      if (table.model()->index(row, 0).data().toString().contains("cpu.v2")) {
        table.setCurrentIndex(table.model()->index(row, 0));
        break;
      }
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_B);
    QCOMPARE(panel.baseline().kind, Baseline::Kind::variant);
    QCOMPARE(panel.baseline().candidate.variant->id(), std::string("cpu.v2"));
  }

  void twoViewsShowTheSameRun() {
    auto window = comparing();
    QVERIFY(window);
    PairViews& pair = window->compare().pair();
    QVERIFY(QTest::qWaitFor([&] { return pair.run().inStep() && pair.run().difference(); }, 20000));
    QVERIFY2(pair.pairBar().sentence().contains("0 of 272 labels differ"),
             qPrintable(pair.pairBar().sentence()));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    QVERIFY(window->viewport()->height() > 100);
    QVERIFY(QTest::qWaitFor(
        [&] {
          return pair.otherView() && pair.otherView()->settled() &&
                 inked(pair.otherView()->grabFramebuffer(), QColor("#101216")) > 300;
        },
        20000));
    QCOMPARE(pair.mode(), PairMode::beside);
    press(*window, ActionId::nextPairing);
    QCOMPARE(pair.mode(), PairMode::split);
    press(*window, ActionId::nextPairing);
    QCOMPARE(pair.mode(), PairMode::difference);
    press(*window, ActionId::nextPairing);
    QCOMPARE(pair.mode(), PairMode::alone);
    press(*window, ActionId::nextPairing);
    QCOMPARE(pair.mode(), PairMode::beside);
    press(*window, ActionId::explore);
    QVERIFY(!pair.other()); // its device and memory are free again
    QVERIFY(!window->compare().ladder()->isVisible() && !pair.beside()->isVisible());
    QVERIFY(window->bottom().isVisible());
  }

  /// On the screens of small laptops the points are still what the workspace is for, and while a race is run.
  void viewsHaveRoomOnSmallScreens() {
    auto window = comparing();
    QVERIFY(window);
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    PairViews& pair = window->compare().pair();
    const auto roomy = [&](QSize size) {
      const int least = std::min(260, size.height() * 32 / 100) - 8;
      return window->viewport()->height() >= least && pair.otherView()->height() >= least &&
             std::abs(window->viewport()->width() - pair.otherView()->width()) <= 2;
    };
    for (const QSize size : {QSize(1366, 768), QSize(800, 600), QSize(1440, 900)}) {
      window->resize(size);
      QTRY_VERIFY2(roomy(size), qPrintable(QString::number(window->viewport()->height())));
      QVERIFY(window->compare().racePanel().table().height() >= 40);
      // Figures are not cut: three rows of them, or none.
      const QWidget* metrics = window->compare().metrics();
      QTRY_COMPARE(metrics->isVisible(), size.height() > 700);
      if (metrics->isVisible()) QVERIFY(metrics->height() >= metrics->minimumSizeHint().height());
    }
    window->resize(1366, 768);
    press(*window, ActionId::race);
    while (window->lease().held()) {
      QTest::qWait(50);
      QVERIFY(roomy({1366, 768}));
    }
  }

  /// Without a GPU from what is shipped: a shape, what binds, the same on another card, and what has no
  /// kernel.
  void launchesArePlannedWithoutAGpu() {
    auto window = comparing();
    QVERIFY(window);
    QVERIFY(window->compare().plotsPanel().showTab("planner"));
    PlannerPanel& planner = window->compare().plotsPanel().planner();
    QTRY_VERIFY(planner.isVisible() && !planner.sentence().isEmpty());
    QVERIFY(planner.choose("classify.v8"));
    const auto box = [&](const char* name) {
      for (QComboBox* one : planner.findChildren<QComboBox*>())
        if (one->accessibleName() == name) return one;
      return static_cast<QComboBox*>(nullptr);
    };
    const auto take = [](QComboBox* one, int value) {
      one->setCurrentIndex(one->findData(value));
      Q_EMIT one->activated(one->currentIndex());
    };
    take(box("items"), 8);
    take(box("vector"), 1);
    const int d = window->session().data()->d;
    QVERIFY2(
        planner.sentence().startsWith(d == 2 ? "Registers allow 8 blocks of 128 threads" : "Registers allow"),
        qPrintable(planner.sentence()));
    QCOMPARE(planner.bars().accessibleDescription(), planner.sentence());
    const QString here = planner.sentence();
    take(box("Card to plan for"), 86);
    QVERIFY(planner.sentence() != here);
    // Every control has a name, and the tables are filled.
    for (const QTableWidget* table : planner.findChildren<QTableWidget*>())
      QVERIFY(table->rowCount() >= 6 && !table->accessibleName().isEmpty());
    QVERIFY(!planner.choose("cpu.v1"));
    // A shape that cannot be says why, and Tab goes on from field to field.
    take(box("items"), 2);
    take(box("vector"), 4);
    QVERIFY2(planner.sentence().contains("items of 4, or a vector of 2, can"),
             qPrintable(planner.sentence()));
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    box("Variant to plan")->setFocus(Qt::MouseFocusReason);
    for (const char* next : {"block", "items", "vector", "Card to plan for"}) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(box(next)));
    }
  }

  void aAndBMeanTheTwoRunsEverywhere() {
    auto window = comparing();
    QVERIFY(window && raced(*window));
    RacePanel& panel = window->compare().racePanel();
    PairViews& pair = window->compare().pair();
    const auto meansTheRuns = [&] {
      return panel.a() && panel.b() && pair.other() &&
             window->session().plan().of(panel.a()->stage) == panel.a()->variant &&
             pair.other()->plan().of(panel.b()->stage) == panel.b()->variant;
    };
    QVERIFY(QTest::qWaitFor(meansTheRuns, 20000));
    QVERIFY(!panel.pairByHand());
    // Where a side is given another variant, the pair of the race follows it.
    Settings settings = window->session().settings();
    settings.selection.classify = "cpu.v1";
    settings.selection.reduce = "cpu.v1";
    window->session().setSettings(settings);
    QVERIFY(QTest::qWaitFor([&] { return panel.a()->variant->id() == "cpu.v1" && meansTheRuns(); }, 20000));
  }

  void aPersonChoosesA() {
    auto window = comparing();
    QVERIFY(window);
    Session& session = window->session();
    QVERIFY(!window->compare().racePanel().pairByHand());
    QCOMPARE(window->compare().racePanel().a()->variant,
             session.plan().of(window->compare().racePanel().a()->stage));
    const Variant* slow = Registry::instance().find("cpu.v1");
    window->compare().racePanel().setA({slow, Stage::classify, slow->complete({})});
    QVERIFY(QTest::qWaitFor(
        [&] { return session.plan().classify == slow && window->compare().pair().run().inStep(); }, 20000));
    QVERIFY(QTest::qWaitFor([&] { return window->compare().pair().run().difference() != nullptr; }, 20000));
    QVERIFY2(window->compare().pair().pairBar().sentence().contains("0 of 272"),
             qPrintable(window->compare().pair().pairBar().sentence()));
  }

  void aRaceIsSavedAndHeldAgainst() {
    auto window = comparing();
    QVERIFY(window);
    CompareWorkspace& compare = window->compare();
    QSignalSpy said(&compare, &CompareWorkspace::message);
    press(*window, ActionId::saveReport); // nothing to save: no dialog opens
    QVERIFY(said.count() == 1 && said.last().at(0).toString().contains("no race"));
    QVERIFY(raced(*window));
    QTemporaryDir folder;
    for (const char* name : {"race.html", "race.json", "race.csv", "race.md"}) {
      compare.saveReport(folder.filePath(name));
      QVERIFY2(!said.last().at(1).toBool(), qPrintable(said.last().at(0).toString()));
    }
    QFile page(folder.filePath("race.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray html = page.readAll();
    QVERIFY(html.contains("<svg") && html.contains("cpu.v2") && html.contains("lloydscope bench"));
    compare.saveReport(folder.filePath("race.txt"));
    QVERIFY(said.last().at(1).toBool());
    QVERIFY(!QFile::exists(folder.filePath("race.txt")));
    const auto saved = readBenchReport(folder.filePath("race.json").toStdString());
    QVERIFY2(saved.has_value(), saved ? "" : saved.error().c_str());
    QCOMPARE(saved->races.size(), std::size_t{1});
    compare.racePanel().openReport(folder.filePath("race.json"));
    QCOMPARE(compare.racePanel().baseline().kind, Baseline::Kind::report);
  }

  void otherWorkspacesHaveTheirOwnKeys() {
    auto window = comparing();
    QVERIFY(window);
    QVERIFY(window->commandLine().endsWith("--workspace compare"));
    QVERIFY(window->actions()[ActionId::race]->isEnabled());
    press(*window, ActionId::teach);
    QVERIFY(!window->actions()[ActionId::race]->isEnabled());
    QVERIFY(window->actions()[ActionId::race]->toolTip().contains("Ctrl+3"));
    QVERIFY(window->commandLine().contains("--teach classify.v1"));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowCompare>(argc, argv); }
#include "tst_window_compare.moc"
