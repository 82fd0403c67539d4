// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder above the counters: where a version stands, how one goes to another, and what is hidden while
// counters are predicted.
#include "app/model/teach/warp_waits.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/measured/instruction_view.hpp"
#include "app/ui/teach/measured/ladder_strip.hpp"
#include "app/ui/teach/measured/measured_view.hpp"
#include "app/ui/teach/measured/step_view.hpp"
#include "app/ui/teach/measured/wait_view.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/model/report/report_support.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>

#include <array>

using namespace lloyd;
using namespace lloyd::test;

namespace {

std::unique_ptr<MainWindow> teaching(const std::string& id) {
  auto window = windowOn("blobs:n=500,d=2,k=4", 4);
  window->session().pause();
  press(*window, ActionId::teach);
  window->resize(1600, 1000);
  window->teach().choose(id);
  return window;
}

StepView& stepOf(MainWindow& window) { return window.teach().counters().step(); }

/// From left to right, without those of another family that are about to go.
QList<QAbstractButton*> rungs(MainWindow& window) {
  QList<QAbstractButton*> seen;
  for (auto* rung : stepOf(window).ladder().findChildren<QAbstractButton*>())
    if (rung->isVisible()) seen << rung;
  std::sort(seen.begin(), seen.end(), [](const auto* a, const auto* b) { return a->x() < b->x(); });
  return seen;
}

QString subject(MainWindow& window) { return QString::fromStdString(window.teach().subject().variant->id()); }

} // namespace

class TestStepView : public QObject {
  Q_OBJECT
private slots:
  void theLadderSaysWhereOneIs() {
    auto window = teaching("reduce.v3");
    QTRY_COMPARE(rungs(*window).size(), 7);
    const QList<QAbstractButton*> all = rungs(*window);
    QStringList names;
    for (const auto* rung : all)
      names << rung->text();
    QCOMPARE(names, QStringList({"V1", "V2", "V3", "V4", "V5", "V6", "V7"}));
    QVERIFY2(all[2]->accessibleName().endsWith(" µs, you are here"), qPrintable(all[2]->accessibleName()));
    QVERIFY(!all[1]->accessibleName().contains("you are here"));
    QVERIFY2(all[1]->toolTip().contains(" µs") && all[1]->toolTip().contains("NVIDIA H200"),
             qPrintable(all[1]->toolTip()));
    QVERIFY(stepOf(*window).ladder().accessibleName().contains("NVIDIA H200"));
    QVERIFY2(stepOf(*window).sentence().startsWith(
                 "V3: in the text 2.24 times as fast as V2 (850 µs with block "
                 "128, then 379 µs; lines 123 and 206 of the article). On an NVIDIA H200: "),
             qPrintable(stepOf(*window).sentence()));
  }

  void aClickGoesToAVersion() {
    auto window = teaching("reduce.v3");
    QTRY_COMPARE(rungs(*window).size(), 7);
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::mouseClick(rungs(*window)[4], Qt::LeftButton);
    QCOMPARE(subject(*window), QString("reduce.v5"));
    QVERIFY(rungs(*window)[4]->accessibleName().endsWith("you are here"));
    QVERIFY(stepOf(*window).sentence().startsWith("V5: "));
    QTRY_VERIFY(rungs(*window)[4]->hasFocus()); // so that Left and Right go on from there
    const QSignalSpy chosen(&stepOf(*window).ladder(), &LadderStrip::chosen);
    QTest::mouseClick(rungs(*window)[4], Qt::LeftButton); // one is there already
    QCOMPARE(chosen.size(), 0);
  }

  /// The window has Right and Left for steps of the algorithm; on the ladder they are the ladder's.
  void keysGoFromVersionToVersion() {
    auto window = teaching("reduce.v3");
    QTRY_COMPARE(rungs(*window).size(), 7);
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    rungs(*window)[2]->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(rungs(*window)[2]->hasFocus());
    int stops = 0;
    for (const auto* rung : rungs(*window))
      stops += rung->focusPolicy() & Qt::TabFocus ? 1 : 0;
    QCOMPARE(stops, 1);
    const auto pressed = [&](Qt::Key key) {
      QTest::keyClick(window->focusWidget(), key);
      return subject(*window);
    };
    QCOMPARE(pressed(Qt::Key_Right), QString("reduce.v4"));
    QVERIFY(rungs(*window)[3]->hasFocus()); // goes along
    QCOMPARE(pressed(Qt::Key_Right), QString("reduce.v5"));
    QCOMPARE(pressed(Qt::Key_Left), QString("reduce.v4"));
    QCOMPARE(pressed(Qt::Key_Home), QString("reduce.v1"));
    QCOMPARE(pressed(Qt::Key_Left), QString("reduce.v1")); // the end
    QCOMPARE(pressed(Qt::Key_End), QString("reduce.v7"));
    QVERIFY(!window->session().last() || window->session().last()->iteration <= 0);
  }

  void bothVersionsAreMeasured() {
    auto window = teaching("reduce.v5");
    const MeasuredView& view = window->teach().counters().measured();
    QTRY_VERIFY(view.isVisible());
    QCOMPARE(view.model().before().name, QString("V4"));
    QCOMPARE(view.model().now().name, QString("V5"));
    QCOMPARE(view.model().rowCount(), 7);
    window->teach().choose("fused.v2"); // a ladder of its own, but no step of a text
    QTRY_VERIFY(!rungs(*window).isEmpty());
    QVERIFY(stepOf(*window).sentence().isEmpty());
    window->teach().choose("cpu.v1");
    QVERIFY(!view.isVisible() && !stepOf(*window).isVisible());
    window->teach().choose("reduce.v5");
    QVERIFY(view.isVisible() && stepOf(*window).isVisible());
  }

  /// Without a measured card at hand a person chooses one, and everything that is of a card follows.
  void thePersonChoosesAMeasuredCard() {
    auto window = teaching("classify.v3");
    CounterTable& counters = window->teach().counters();
    auto* cards = counters.findChild<QComboBox*>("profiledCard");
    QVERIFY(cards && !cards->accessibleName().isEmpty());
    QTRY_VERIFY(cards->isVisible());
    QCOMPARE(counters.chosenCard(), QString("NVIDIA H200"));
    const double before = counters.measured().model().now().waits->us;
    counters.chooseCard("NVIDIA H100 80GB HBM3");
    QCOMPARE(counters.waits().model().now().waits->us,
             waitsOf("NVIDIA H100 80GB HBM3")->find("classify.v3", "multiply")->us);
    QVERIFY(counters.measured().model().now().waits->us != before);
    QVERIFY(stepOf(*window).ladder().accessibleName().contains("H100"));
    counters.chooseCard("NVIDIA GeForce GTX 680"); // which nobody has measured
    QCOMPARE(counters.chosenCard(), QString("NVIDIA H100 80GB HBM3"));
    counters.showCard("NVIDIA H200", window->teach().subject()); // it computes here
    QVERIFY(!cards->isVisible());
    QCOMPARE(counters.waits().model().now().waits->us, before);
  }

  void differentLaunchesAreNotCompared() {
    auto window = teaching("fused.v3");
    QTRY_VERIFY(window->teach().counters().waits().isVisible());
    QVERIFY2(window->teach().counters().waits().diagnosis().startsWith("The two launches differ in N"),
             qPrintable(window->teach().counters().waits().diagnosis()));
    QVERIFY(stepOf(*window).findChild<QLabel*>()->text().contains("cannot be compared"));
    window->teach().choose("update.v1");
    const auto* why = window->teach().counters().waits().findChild<QLabel*>();
    QTRY_VERIFY(why->isVisible());
    QVERIFY2(why->text().contains("so short"), qPrintable(why->text()));
  }

  /// A race of this machine says more of it than a table of another.
  void aRaceOfThisMachineComesFirst() {
    auto window = teaching("classify.v2");
    QVERIFY(stepOf(*window).sentence().contains("On an NVIDIA H200: "));
    const Problem texts{std::size_t{1} << 20, 1, 16};
    window->teach().showRace(raced({measured("classify.v1", Stage::classify, texts, 30),
                                    measured("classify.v2", Stage::classify, texts, 20)}));
    QVERIFY2(stepOf(*window).sentence().endsWith(
                 "Raced here, on Test device: 1.50 times as fast as V1. The step holds in part."),
             qPrintable(stepOf(*window).sentence()));
    window->teach().choose("classify.v3"); // which the race has not
    QVERIFY(stepOf(*window).sentence().contains("On an NVIDIA H200: "));
  }

  void whatIsPredictedIsNotTold() {
    auto window = teaching("reduce.v5");
    const CounterTable& counters = window->teach().counters();
    QVERIFY(QTest::qWaitFor(
        [&] { return window->teach().trace().complete() && window->teach().trace().counts(); }, 30000));
    const auto seen = [&] {
      return QList<bool>{counters.step().isVisible(), counters.measured().isVisible(),
                         counters.waits().isVisible(), counters.instructions().isVisible()};
    };
    QTRY_COMPARE(seen(), QList<bool>({true, true, true, true}));
    press(*window, ActionId::hideCounters);
    QTRY_COMPARE(seen(), QList<bool>({false, false, false, false}));
    window->teach().choose("reduce.v6"); // hidden it stays, also for a version that comes new
    QVERIFY(QTest::qWaitFor([&] { return window->teach().trace().complete(); }, 30000));
    QTRY_COMPARE(seen(), QList<bool>({false, false, false, false}));
    press(*window, ActionId::hideCounters);
    QTRY_COMPARE(seen(), QList<bool>({true, true, true, true}));
  }

  /// However many there are, the program's keep their names, and the keys reach all of them. Last, for they
  /// stay.
  void aPersonsVersionsStandBelow() {
    static constexpr std::array tags{
        "b3", "early_bird_kernel", "good", "mine", "one_with_a_very_long_name_indeed", "zebra"};
    for (const char* tag : tags) {
      Variant copy = *Registry::instance().find("reduce.v3");
      copy.info.tag = tag;
      copy.info.source = "/home/somebody/own.cu";
      Registry::instance().adopt(copy);
    }
    auto window = teaching("reduce.v3");
    QTRY_COMPARE(rungs(*window).size(), 13);
    for (auto* rung : rungs(*window)) {
      const bool isOfProgram = rung->text().size() == 2 && rung->text().startsWith('V');
      if (isOfProgram) QVERIFY2(rung->width() >= rung->fontMetrics().horizontalAdvance(rung->text()), "cut");
      QVERIFY2(stepOf(*window).ladder().rect().contains(
                   QRect(rung->mapTo(&stepOf(*window).ladder(), QPoint()), rung->size())),
               qPrintable(rung->text()));
    }
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const auto here = [&] {
      for (auto* rung : rungs(*window))
        if (rung->accessibleName().endsWith("you are here")) return rung;
      return static_cast<QAbstractButton*>(nullptr);
    };
    QVERIFY(here());
    QTest::mouseClick(here(), Qt::LeftButton);
    QTRY_VERIFY(here()->hasFocus());
    QTest::keyClick(window->focusWidget(), Qt::Key_End);
    QCOMPARE(subject(*window), QString("reduce.zebra"));
    QTRY_VERIFY(here()->hasFocus());
    QTest::keyClick(window->focusWidget(), Qt::Key_Left);
    QCOMPARE(subject(*window), QString("reduce.one_with_a_very_long_name_indeed"));
    QTest::keyClick(window->focusWidget(), Qt::Key_Home);
    QCOMPARE(subject(*window), QString("reduce.v1"));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestStepView>(argc, argv); }
#include "tst_step_view.moc"
