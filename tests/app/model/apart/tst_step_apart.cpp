// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a step that was taken apart, on races written by hand.
#include "app/model/apart/apart_table.hpp"
#include "app/model/plot/apart_figure.hpp"
#include "app/model/report/apart_report.hpp"
#include "tests/support/scripted_step.hpp"

#include <QTest>

#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

namespace {

const VersionStep& stepTo(const char* id) { return *StepRegistry::instance().find(id); }

/// Several points save 20 of 100 µs, clusters outside 10 more beside them and nothing alone, loads ahead
/// nothing ever, and one atomic costs 2.
double timeOfV4(std::size_t on) {
  return 100 - (on & 1 ? 20 : 0) - ((on & 3) == 3 ? 10 : 0) + (on & 8 ? 2 : 0);
}

bool around(const Microseconds& number, double us) {
  return number.holds(us) && std::abs(number.us - us) < 1.5;
}

} // namespace

class TestStepApart : public QObject {
  Q_OBJECT
private slots:
  void sharesAreThoseOfTheTimes() {
    const auto apart = takeApart(stepTo("classify.v4"), scriptedRace(stepTo("classify.v4"), timeOfV4));
    QVERIFY2(apart, apart ? "" : apart.error().c_str());
    QCOMPARE(apart->switches.size(), std::size_t{4});
    QVERIFY(around(apart->shares[0], 25) && around(apart->shares[1], 5));
    QVERIFY(around(apart->shares[2], 0) && around(apart->shares[3], -2));
    QVERIFY(around(apart->whole, 28) && apart->addsUp());
    QVERIFY(std::abs(apart->sumOfShares() - apart->whole.us) <= 1e-9);
    QVERIFY(around(apart->versions, 28) && around(apart->before, 100) && around(apart->after, 72));
    QCOMPARE(apart->byGain(), (std::vector<std::size_t>{0, 1, 2, 3}));
    QCOMPARE(apart->device, std::string("a card"));
    QVERIFY(std::abs(apart->partOf(apart->shares[0].us) - 0.25) < 0.02);
  }

  /// The same race, the same numbers; another seed of the race draws other places.
  void intervalsAreDeterministic() {
    const VersionStep& step = stepTo("classify.v6");
    const auto times = [](std::size_t on) { return 50.0 - static_cast<double>(on); };
    RaceResult race = scriptedRace(step, times);
    const auto once = takeApart(step, race);
    const auto again = takeApart(step, race);
    race.conditions.seed = 8;
    const auto other = takeApart(step, race);
    QVERIFY(once && again && other);
    QCOMPARE(once->shares[0].low, again->shares[0].low);
    QCOMPARE(once->shares[0].us, other->shares[0].us);
    QVERIFY(once->shares[0].low != other->shares[0].low);
    QVERIFY(once->shares[0].low < once->shares[0].us && once->shares[0].us < once->shares[0].high);
  }

  /// Noise that all share in a round is no noise of a difference, and more rounds tell more.
  void moreRoundsMakeNarrowerIntervals() {
    const VersionStep& step = stepTo("classify.v4");
    const auto few = takeApart(step, scriptedRace(step, timeOfV4, 24));
    const auto many = takeApart(step, scriptedRace(step, timeOfV4, 480));
    QVERIFY(few && many);
    QVERIFY(many->whole.high - many->whole.low < 0.6 * (few->whole.high - few->whole.low));
    const auto none = takeApart(step, scriptedRace(step, timeOfV4, 12)); // four places
    QVERIFY(none && !none->whole.known() && !none->addsUp());
    QVERIFY(apartSentences(*none).front().contains("too few rounds"));
  }

  /// cpu.v2 has no fused stage: its two stages come to one.
  void aVersionOfTwoStagesIsTheirSum() {
    const VersionStep& step = stepTo("cpu.v3");
    QCOMPARE(candidatesOf(step).size(), step.combinations.size() + 3);
    const auto apart =
        takeApart(step, scriptedRace(step, [](std::size_t on) { return on == 7 ? 40.0 : 90.0; }));
    QVERIFY(apart && around(apart->before, 90) && around(apart->after, 40));
  }

  void whatIsMissingIsNamed() {
    const VersionStep& step = stepTo("classify.v6");
    const auto times = [](std::size_t) { return 10.0; };
    RaceResult race = scriptedRace(step, times);
    race.rows[3].verified = false;
    race.rows[3].difference = "label 5 is 1 and not 2";
    auto apart = takeApart(step, race);
    QVERIFY(!apart && apart.error() == "apart.classify_v6_12 is wrong: label 5 is 1 and not 2");
    race = scriptedRace(step, times);
    race.rows[1].us.assign(race.rows[1].us.size(), std::nan(""));
    apart = takeApart(step, race);
    QVERIFY(!apart && apart.error() == "apart.classify_v6_1 has no samples");
    race.rows.erase(race.rows.begin() + 2);
    race.rows[1] = rowOf(race.rows[1].candidate, race.rows[1].problem, {1, 2, 3}, 1);
    apart = takeApart(step, race);
    QVERIFY(!apart && apart.error() == "apart.classify_v6_2 was not raced");
  }

  /// Samples that were thrown away leave the others.
  void singleSamplesMayBeMissing() {
    const VersionStep& step = stepTo("classify.v4");
    RaceResult race = scriptedRace(step, timeOfV4);
    for (std::size_t round = 0; round < 9; ++round)
      race.rows[5].us[round] = std::nan("");
    const auto apart = takeApart(step, race);
    QVERIFY(apart && around(apart->whole, 28) && apart->addsUp());
  }

  void whatHelpsOnlyWithAnotherIsSaid() {
    const auto apart = takeApart(stepTo("classify.v4"), scriptedRace(stepTo("classify.v4"), timeOfV4));
    QVERIFY(apart);
    const QStringList said = apartSentences(*apart);
    QVERIFY2(said[0].contains("within its interval"), qPrintable(said[0]));
    QVERIFY2(said[1].contains("the same gain"), qPrintable(said[1]));
    QCOMPARE(said.size(), 3); // the one pair that has to do with each other
    QVERIFY2(
        said[2].startsWith(u"\u201cclusters outside\u201d helps only with \u201c4 points a thread\u201d"),
        qPrintable(said[2]));
  }

  void aSumOutsideTheIntervalIsSaid() {
    auto apart = takeApart(stepTo("classify.v4"), scriptedRace(stepTo("classify.v4"), timeOfV4));
    QVERIFY(apart);
    apart->shares[0].us += 5;
    QVERIFY(!apart->addsUp());
    QVERIFY(apartSentences(*apart).front().contains("outside"));
    apart->versions = {.us = 10, .low = 9, .high = 11};
    QVERIFY(apartSentences(*apart)[1].contains("differs by"));
  }

  void whatIsWrittenIsReadAgain() {
    auto apart = takeApart(stepTo("classify.v4"), scriptedRace(stepTo("classify.v4"), timeOfV4));
    auto other =
        takeApart(stepTo("classify.v6"), scriptedRace(
                                             stepTo("classify.v6"), [](std::size_t) { return 10.0; }, 12));
    QVERIFY(apart && other);
    const QByteArray csv = apartCsv({*apart, *other});
    QVERIFY(csv.startsWith("step,from,device,points,"));
    const std::vector<StepApart> read = readApartCsv(QString::fromUtf8(csv));
    QCOMPARE(read.size(), std::size_t{2});
    QCOMPARE(apartCsv(read), csv);
    QCOMPARE(apartText(read), apartText({*apart, *other}));
    QVERIFY(!read[1].whole.known());
    // Half a step is none.
    const qsizetype cut = csv.indexOf("whole");
    QVERIFY(readApartCsv(QString::fromUtf8(csv.left(cut))).empty());
    QVERIFY(readApartCsv(QStringLiteral("nonsense\n1,2,3\n")).empty());
  }

  /// Whatever the program brings can be shown.
  void shippedFiguresAreWhole() {
    for (const StepApart& apart : shippedStepsApart()) {
      const VersionStep* step = StepRegistry::instance().find(apart.to);
      QVERIFY2(step, apart.to.c_str());
      QCOMPARE(apart.combinations.size(), step->combinations.size());
      for (std::size_t i = 0; i < apart.switches.size(); ++i)
        QCOMPARE(apart.switches[i], std::string(step->info.switches[i].name));
      QVERIFY2(apart.addsUp(), apart.to.c_str());
    }
  }

  /// Bars go from one version's time to the other's, each from where the one before ends; these times have
  /// marks.
  void theWaterfallIsAChain() {
    const auto apart = takeApart(stepTo("classify.v4"), scriptedRace(stepTo("classify.v4"), timeOfV4));
    QVERIFY(apart);
    const Figure figure = apartFigure(&*apart);
    QCOMPARE(figure.panels.size(), std::size_t{1});
    std::map<double, std::pair<double, double>> bars; // by row
    for (const PlotSeries& series : figure.panels[0].series)
      if (series.style == PlotSeries::Style::lying)
        for (std::size_t i = 0; i + 1 < series.points.size(); i += 2)
          bars[series.points[i].y()] = {series.points[i].x(), series.points[i + 1].x()};
    QCOMPARE(bars.size(), std::size_t{4});
    const auto marks = std::ranges::find_if(
        figure.panels[0].series, [](const PlotSeries& series) { return series.marker.has_value(); });
    QVERIFY(marks != figure.panels[0].series.end());
    QCOMPARE(marks->points.size(), qsizetype{2});
    double now = marks->points[0].x();
    for (const auto& [row, bar] : bars) {
      const auto [low, high] = bar;
      QVERIFY(std::abs(now - high) < 1e-9 || std::abs(now - low) < 1e-9);
      now = std::abs(now - high) < 1e-9 ? low : high;
    }
    QVERIFY(std::abs(now - marks->points[1].x()) < 1e-9);
    QVERIFY2(figure.summary.contains("4 points a thread saves 25"), qPrintable(figure.summary));
    QVERIFY(apartFigure(nullptr, QStringLiteral("nothing yet")).empty == QStringLiteral("nothing yet"));
    QCOMPARE(combinationTable(*apart).rows.size(), std::size_t{16});
  }

  /// A hundredth of the time is as wide as the axis, whose ends are those of bars and intervals.
  void theWaterfallShowsGainsAndNotTheWholeTime() {
    const auto timeOf = [](std::size_t index) {
      return 100.0 - ((index & 1U) != 0 ? 1.1 : 0) - ((index & 2U) != 0 ? 0.1 : 0);
    };
    const auto apart = takeApart(stepTo("classify.v6"), scriptedRace(stepTo("classify.v6"), timeOf));
    QVERIFY(apart);
    const PlotPanel panel = apartFigure(&*apart).panels.at(0);
    double least = 1000, most = 0, widest = 0;
    for (const PlotSeries& series : panel.series) {
      for (std::size_t i = 0; i < series.points.size(); ++i) {
        least = std::min(least, series.points[i].x());
        most = std::max(most, series.points[i].x());
        if (series.style == PlotSeries::Style::lying && i % 2 == 1)
          widest = std::max(widest, series.points[i].x() - series.points[i - 1].x());
      }
    }
    QVERIFY(least > 90 && panel.x.low < least && panel.x.high > most);
    QVERIFY(panel.x.high - panel.x.low < 1.2 * (most - least));
    QVERIFY2(widest > 0.5 * (panel.x.high - panel.x.low), qPrintable(QString::number(widest)));
    // Its numbers tell that it does not begin at nought.
    const std::vector<PlotTick> ticks = panel.x.ticksFor(5);
    QVERIFY(ticks.size() >= 3);
    QVERIFY(ticks.front().value > 90);
    QVERIFY(!ticks.front().label.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestStepApart)
#include "tst_step_apart.moc"
