// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/plots_panel.hpp"
#include "app/ui/compare/timeline_panel.hpp"
#include "app/ui/plot/timeline_plot.hpp"
#include "tests/gpu/core/timeline/hand_made.hpp"
#include "tests/support/scripted_race.hpp"

#include <QApplication>
#include <QLabel>
#include <QTableView>
#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// A race of schedules that was never run: a timeline each, the last of which could not be recorded.
RaceResultPtr racedSchedules() {
  auto race = std::make_shared<RaceResult>();
  double us = 100;
  for (const char* id : {"schedule.sync", "schedule.single", "schedule.multi", "schedule.batched"}) {
    race->rows.push_back(rowOf(candidateOf(id, Stage::sets), {.n = 1000, .d = 2, .k = 4},
                               wave(us, 0.01, 40, race->rows.size()), 4.3e6));
    us /= 2;
    race->recorded.push_back({race->rows.back().candidate, nullptr, "there was no memory for it"});
  }
  for (std::size_t i = 0; i < 3; ++i)
    race->recorded[i] = {race->rows[i].candidate, std::make_shared<const Timeline>(twoSets()), {}};
  race->rows[2].rank = 1;
  race->finished = true;
  return race;
}

} // namespace

/// The timelines of a race with their numbers and their bars.
class TestTimelinePanel : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { UiTheme::apply(*qApp, false); }

  void theFirstAndTheFastestAreSeen() {
    TimelinePanel panel;
    panel.resize(600, 500);
    panel.show();
    QVERIFY(!panel.findChild<QTableView*>()->isVisible()); // there is nothing to list
    QVERIFY(panel.plot().emptyText().startsWith("Race schedules to see"));
    const RaceResultPtr race = racedSchedules();
    panel.showRuns(race, {}, {});
    QCOMPARE(panel.plot().seen().size(), std::size_t{2});
    QCOMPARE(panel.plot().seen()[0].name, QStringLiteral("schedule.sync"));
    QCOMPARE(panel.plot().seen()[1].name, QStringLiteral("schedule.multi"));
    const QString line = QStringLiteral("50.0 µs; idle 0 %, without a kernel 26.5 %, copies covered 75.0 %");
    QCOMPARE(panel.numbers(), QStringLiteral("schedule.sync: %1\nschedule.multi: %1").arg(line));
    // The pair that is compared, where both were recorded.
    panel.showRuns(race, race->rows[1].candidate, race->rows[0].candidate);
    QCOMPARE(panel.plot().seen()[0].name, QStringLiteral("schedule.single"));
    QCOMPARE(panel.plot().seen()[1].name, QStringLiteral("schedule.sync"));
    panel.showRuns(race, race->rows[1].candidate, race->rows[3].candidate);
    QCOMPARE(panel.plot().seen()[1].name, QStringLiteral("schedule.multi"));
    panel.showRuns(nullptr, {}, {});
    QVERIFY(panel.plot().seen().empty());
  }

  void theMarkedPartFiltersTheTable() {
    TimelinePanel panel;
    panel.resize(600, 500);
    panel.show();
    panel.showRuns(racedSchedules(), {}, {});
    auto* table = panel.findChild<QTableView*>();
    QVERIFY(!table->isVisible() && !table->accessibleName().isEmpty());
    QTest::qWait(50); // the layout is queued
    const int alone = panel.plot().height();
    QVERIFY2(alone > panel.height() - 80, qPrintable(QString::number(alone)));
    panel.plot().mark(std::pair(-1.0, 99.0));
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), 12); // six of each run; engines' rows say nothing new
    panel.plot().mark(std::pair(26.0, 39.0));
    QCOMPARE(table->model()->rowCount(), 6);
    QStringList said;
    for (const QLabel* label : panel.findChildren<QLabel*>())
      said << label->text();
    QVERIFY2(!said.filter("6 of 12 bars").isEmpty(), qPrintable(said.join(u'|')));
    const auto cell = [&](int row, TimelineTableModel::Column column) {
      return table->model()->index(row, column).data().toString();
    };
    QCOMPARE(cell(0, TimelineTableModel::what), QStringLiteral("copy up"));
    QCOMPARE(cell(0, TimelineTableModel::set), QStringLiteral("2"));
    QCOMPARE(cell(0, TimelineTableModel::bytes), QStringLiteral("1,000"));
    QCOMPARE(cell(5, TimelineTableModel::what), QStringLiteral("fused.v1"));
    QCOMPARE(cell(5, TimelineTableModel::duration), QStringLiteral("10.0"));
    QVERIFY(table->model()->index(5, 0).data(Qt::ToolTipRole).toString().contains("queue 2"));
    panel.plot().mark(std::nullopt);
    QVERIFY(!table->isVisible());
  }

  void stepsAreNoMicroseconds() {
    TimelinePanel panel;
    auto race = std::make_shared<RaceResult>(*racedSchedules());
    for (RecordedRun& run : race->recorded)
      run.timeline = std::make_shared<const Timeline>(twoSets(TimelineClock::steps));
    panel.showRuns(race, {}, {});
    QVERIFY(panel.numbers().contains("no seconds") && !panel.numbers().contains("µs"));
    QCOMPARE(panel.model().headerData(TimelineTableModel::begin, Qt::Horizontal).toString(),
             QStringLiteral("begin, step"));
    QCOMPARE(panel.model().index(1, TimelineTableModel::begin).data().toString(), QStringLiteral("0"));
  }
};

QTEST_MAIN(TestTimelinePanel)
#include "tst_timeline_panel.moc"
