// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/whole_iteration.hpp"
#include "app/model/report/html/html_report.hpp"
#include "tests/app/model/race/race_support.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

Variant variant(std::string_view family, std::string_view tag) {
  Variant made;
  made.info.family = family;
  made.info.tag = tag;
  return made;
}

} // namespace

/// Whole iterations out of the parts that a race measured.
class TestWholeIteration : public QObject {
  Q_OBJECT

  Variant slowLabels = variant("classify", "v1"), labels = variant("classify", "v2"),
          sums = variant("reduce", "v1"), onePass = variant("fused", "v1"), update = variant("update", "v1"),
          graph = variant("schedule", "graph");

  [[nodiscard]] Measurement row(const Variant& of, Stage stage, double us) const {
    return measuredAs(of, stage, samplesAround(us));
  }

private slots:
  void theFastestPairIsRankedAgainstOnePass() {
    const auto race =
        raceOf({row(slowLabels, Stage::classify, 30), row(labels, Stage::classify, 10),
                row(sums, Stage::reduce, 10), row(onePass, Stage::fused, 8), row(update, Stage::update, 2)});
    const auto ways = wholeIterations(*race);
    QCOMPARE(ways.size(), std::size_t{2});
    QCOMPARE(ways[0].text(), QStringLiteral("fused.v1 + update.v1"));
    QCOMPARE(ways[1].text(), QStringLiteral("classify.v2 + reduce.v1 + update.v1"));
    QCOMPARE(ways[0].rank, 1);
    QCOMPARE(ways[1].rank, 2);
    QVERIFY(std::abs(ways[0].us - 10) < 0.1 && std::abs(ways[1].us - 22) < 0.1);
    QCOMPARE(wholeIterationText(*race),
             QStringLiteral("A whole iteration by fused.v1 + update.v1 takes 10.0 µs: 2.20 times as fast as "
                            "classify.v2 + reduce.v1 + update.v1"));
  }

  void theHtmlReportRanksThem() {
    BenchReport report;
    report.races = {raceOf({row(labels, Stage::classify, 10), row(sums, Stage::reduce, 10),
                            row(onePass, Stage::fused, 8), row(update, Stage::update, 2)})};
    const QByteArray html = benchHtml(report);
    QVERIFY(html.indexOf("fused.v1 + update.v1") < html.indexOf("classify.v2 + reduce.v1 + update.v1"));
    QVERIFY(html.contains("fused.v1 + update.v1"));
  }

  void aScheduleIsAWholeIterationByItself() {
    const auto race =
        raceOf({row(onePass, Stage::fused, 8), row(update, Stage::update, 2), row(graph, Stage::iterate, 9)});
    const auto ways = wholeIterations(*race);
    QCOMPARE(ways.size(), std::size_t{2});
    QCOMPARE(ways[0].text(), QStringLiteral("schedule.graph"));
  }

  /// An update that was seldom timed is in both, and hides no difference between the rest.
  void whatBothHaveDecidesNothing() {
    Measurement seldom = row(update, Stage::update, 2);
    std::fill(seldom.us.begin() + 5, seldom.us.end(), std::numeric_limits<double>::quiet_NaN());
    Variant slowPass = variant("fused", "v2");
    const auto race = raceOf({row(onePass, Stage::fused, 8), row(slowPass, Stage::fused, 24), seldom});
    const auto ways = wholeIterations(*race);
    QCOMPARE(ways.size(), std::size_t{2});
    QCOMPARE(ways[1].rank, 2);
    QCOMPARE(ways[1].againstBest.verdict, Verdict::slower);
    QVERIFY(std::abs(ways[1].againstBest.ratio - 2.6) < 0.05);
    QVERIFY(ways[1].againstBest.low > 2.4 && ways[1].againstBest.high < 2.8);
  }

  void whatCannotBeToldApartSharesARank() {
    const auto race = raceOf(
        {row(labels, Stage::classify, 4), row(sums, Stage::reduce, 4.01), row(onePass, Stage::fused, 8)});
    const auto ways = wholeIterations(*race);
    QCOMPARE(ways.size(), std::size_t{2});
    QCOMPARE(ways[0].rank, 1);
    QCOMPARE(ways[1].rank, 1);
  }

  void whatIsWrongTakesNoPart() {
    auto wrong = row(onePass, Stage::fused, 1);
    wrong.verified = false;
    const auto race = raceOf({row(labels, Stage::classify, 4), row(sums, Stage::reduce, 4), wrong});
    QVERIFY(wholeIterations(*race).empty()); // one way is left, and nothing to hold it against
    QVERIFY(wholeIterationText(*race).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestWholeIteration)
#include "tst_whole_iteration.moc"
