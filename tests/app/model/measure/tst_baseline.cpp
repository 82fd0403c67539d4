// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/baseline.hpp"
#include "tests/app/model/race/race_support.hpp"

#include <QTest>

#include <limits>

using namespace lloyd;
using namespace lloyd::test;

/// What times are held against, on races that are written down by hand.
class TestBaseline : public QObject {
  Q_OBJECT

  const Variant v1 = paperVariant("classify", "v1");
  const Variant v2 = paperVariant("classify", "v2");
  const Variant other = paperVariant("cpu", "v1");
  const Variant sum = paperVariant("reduce", "v1", Backend::cpu, Stage::reduce);

  std::shared_ptr<RaceResult> someRace(double us1 = 10, double us2 = 8) const {
    return raceOf({measuredAs(v1, Stage::classify, samplesAround(us1)),
                   measuredAs(v2, Stage::classify, samplesAround(us2)),
                   measuredAs(other, Stage::classify, samplesAround(30)),
                   measuredAs(sum, Stage::reduce, samplesAround(5))});
  }

private slots:
  void wordsOfVerdicts_data() {
    QTest::addColumn<int>("verdict");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<QString>("words");
    const auto row = [](Verdict verdict, double ratio, const char* words) {
      QTest::newRow(words) << static_cast<int>(verdict) << ratio << QString::fromUtf8(words);
    };
    row(Verdict::faster, 0.877, "faster by 12.3 %");
    row(Verdict::slower, 1.021, "slower by 2.10 %");
    row(Verdict::slower, 1.999, "slower by 99.9 %");
    row(Verdict::slower, 12.5, "takes 12.5 times as long");
    row(Verdict::faster, 0.501, "faster by 49.9 %");
    row(Verdict::faster, 1 / 8.7, "8.70 times as fast");
    row(Verdict::same, 1.004, "the same within 1 %");
    row(Verdict::undecided, 1.03, "undecided");
    row(Verdict::undecided, std::numeric_limits<double>::quiet_NaN(), "undecided");
  }

  void wordsOfVerdicts() {
    QFETCH(int, verdict);
    QFETCH(double, ratio);
    QFETCH(QString, words);
    Comparison comparison;
    comparison.verdict = static_cast<Verdict>(verdict);
    comparison.ratio = ratio;
    QCOMPARE(verdictText(comparison), words);
  }

  void theToleranceIsNamed() {
    Comparison comparison;
    comparison.verdict = Verdict::same;
    QCOMPARE(verdictText(comparison, 0.025), QStringLiteral("the same within 2.5 %"));
  }

  void signs() {
    QCOMPARE(signedText(-3.4123), QStringLiteral("\u22123.41"));
    QCOMPARE(signedText(1234.5), QStringLiteral("+1,230"));
    QCOMPARE(signedText(0), QStringLiteral("0"));
    QCOMPARE(signedText(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("\u2013"));
    QCOMPARE(signedText(-std::numeric_limits<double>::infinity()), QStringLiteral("\u2013"));
  }

  void aVariantOfTheSameRaceIsComparedPairByPair() {
    const auto race = someRace();
    const Baseline baseline = Baseline::ofVariant(race->rows[0].candidate);
    QCOMPARE(baseline.title, QStringLiteral("classify.v1"));
    const auto delta = deltaOf(race->rows[1], *race, baseline);
    QVERIFY(delta);
    QVERIFY(delta->comparison.pairs > 0);
    QCOMPARE(delta->text, QStringLiteral("faster by 20.0 %"));
    QCOMPARE(delta->relative, QStringLiteral("\u221220.0"));
    QCOMPARE(delta->absolute, QStringLiteral("\u22122.00"));
    QVERIFY(std::abs(delta->us + 2) < 0.01);
  }

  /// The samples of one round belong together, and the medians of a noisy race may differ the other way.
  void microsecondsAndPercentHaveOneSign() {
    auto race = std::make_shared<RaceResult>(*someRace());
    const Baseline baseline = Baseline::ofVariant(race->rows[0].candidate);
    race->rows[1].times.median = race->rows[0].times.median * 1.1;
    const auto delta = deltaOf(race->rows[1], *race, baseline);
    QVERIFY(delta && delta->comparison.ratio < 1);
    QVERIFY(delta->us < 0);
    QCOMPARE(delta->absolute.front(), delta->relative.front());
  }

  void aVariantOfSeveralStagesSaysWhich() {
    QCOMPARE(Baseline::ofVariant({&other, Stage::classify, {}}).title, QStringLiteral("cpu.v1 classify"));
  }

  void thereIsNothingToHoldAgainst() {
    const auto race = someRace();
    const Measurement& row = race->rows[1];
    QVERIFY(!deltaOf(row, *race, {}));
    QVERIFY(!deltaOf(row, *race, Baseline::ofVariant(row.candidate)));           // itself
    QVERIFY(!deltaOf(row, *race, Baseline::ofVariant(race->rows[3].candidate))); // another stage
    Candidate otherParameters = race->rows[0].candidate;
    otherParameters.tuning.block = 64;
    QVERIFY(!deltaOf(row, *race, Baseline::ofVariant(otherParameters))); // not in the race
    QVERIFY(!deltaOf(row, *race, Baseline::ofMoment(race)));             // the moment itself
  }

  void whatIsNotRankedHasNoDelta() {
    auto wrong = measuredAs(v2, Stage::classify, samplesAround(1));
    wrong.verified = false;
    wrong.difference = "label 3 differs";
    const auto race = raceOf({measuredAs(v1, Stage::classify, samplesAround(10)), wrong});
    const auto right = race->rows[0].candidate;
    QVERIFY(!deltaOf(race->rows[1], *race, Baseline::ofVariant(right)));
    // Nor is it something to be held against.
    QVERIFY(!deltaOf(race->rows[0], *race, Baseline::ofVariant(race->rows[1].candidate)));
    QVERIFY(!deltaOf(race->rows[0], *someRace(), Baseline::ofMoment(raceOf({wrong}))));
  }

  void theFirstOfEachFamily() {
    const auto race = someRace();
    const Baseline baseline = Baseline::ofFirst();
    QVERIFY(!deltaOf(race->rows[0], *race, baseline)); // is the first
    QVERIFY(!deltaOf(race->rows[2], *race, baseline)); // of another family
    const auto delta = deltaOf(race->rows[1], *race, baseline);
    QVERIFY(delta);
    QCOMPARE(delta->text, QStringLiteral("faster by 20.0 %"));
    QVERIFY(race->rows[1].againstFirst);
    QCOMPARE(delta->comparison.ratio, race->rows[1].againstFirst->ratio);
  }

  void anEarlierMomentIsComparedPlaceByPlace() {
    const auto before = someRace(10, 8);
    const auto now = someRace(10, 10);
    const Baseline baseline = Baseline::ofMoment(before);
    QVERIFY2(baseline.title.startsWith(QStringLiteral("the race of ")), qPrintable(baseline.title));
    QCOMPARE(baseline.title.count(QLatin1Char(':')), 2);
    const auto slower = deltaOf(now->rows[1], *now, baseline);
    QVERIFY(slower);
    QCOMPARE(slower->text, QStringLiteral("slower by 25.0 %"));
    QCOMPARE(slower->absolute, QStringLiteral("+2.00"));
    const auto same = deltaOf(now->rows[0], *now, baseline);
    QVERIFY(same);
    QCOMPARE(same->text, QStringLiteral("the same within 2 %"));
    QCOMPARE(same->relative, QStringLiteral("0.00"));
  }

  void aDifferenceMustExceedWhatCounts() {
    const auto before = someRace(10, 8);
    auto now = someRace(10, 8.4);
    const Baseline baseline = Baseline::ofReport(before, QStringLiteral("old.json"));
    QCOMPARE(deltaOf(now->rows[1], *now, baseline)->text, QStringLiteral("slower by 5.00 %"));
    now->conditions.rules.slowerThan = 0.1;
    QCOMPARE(deltaOf(now->rows[1], *now, baseline)->text, QStringLiteral("the same within 10 %"));
  }

  void aMachineThatIsSlowerItselfWidensWhatCounts() {
    auto before = someRace(10, 8);
    auto now = someRace(10, 8.4);
    const Baseline baseline = Baseline::ofReport(before, QStringLiteral("old.json"));
    const auto verdict = [&] { return deltaOf(now->rows[1], *now, baseline)->comparison.verdict; };
    QCOMPARE(verdict(), Verdict::slower);
    before->conditions.clockMhz = 2000;
    now->conditions.clockMhz = 1900;
    const Tolerance shift = machineShift(now->conditions, before->conditions);
    QVERIFY(std::abs(shift.slower - 0.0526) < 1e-4);
    QCOMPARE(shift.faster, 0.0);
    QCOMPARE(verdict(), Verdict::same);
    // A faster machine excuses nothing that got slower.
    before->conditions.clockMhz = 1900;
    now->conditions.clockMhz = 2000;
    QCOMPARE(verdict(), Verdict::slower);
    before->conditions.clockMhz = 2000;
    now->conditions.clockMhz = 2000;
    before->conditions.copyRate = 100;
    now->conditions.copyRate = 90; // of which half counts
    QCOMPARE(verdict(), Verdict::same);
    // Another device is meant to be another speed.
    now->device.name = "another card";
    QCOMPARE(verdict(), Verdict::slower);
  }

  void aBusyMachineTellsRunsApartByFactorsAlone() {
    const auto before = someRace(10, 8);
    auto now = someRace(10, 16);
    const Baseline baseline = Baseline::ofReport(before, QStringLiteral("old.json"));
    now->device.backend = before->device.backend = Backend::cpu;
    now->conditions.load = {.processors = 2, .byOthers = 0.9, .stolen = 0, .switchedAway = 100};
    const auto delta = deltaOf(now->rows[1], *now, baseline);
    QCOMPARE(delta->comparison.verdict, Verdict::undecided);
    QCOMPARE(delta->text, QStringLiteral("undecided: the machine was busy"));
    QCOMPARE(deltaOf(now->rows[0], *now, baseline)->comparison.verdict, Verdict::undecided);
    QCOMPARE(
        deltaOf(now->rows[1], *now, Baseline::ofReport(someRace(10, 2), QStringLiteral("old.json")))->text,
        QStringLiteral("takes 8.00 times as long"));
    // A card computes on its own.
    now->device.backend = before->device.backend = Backend::cuda;
    QCOMPARE(deltaOf(now->rows[1], *now, baseline)->comparison.verdict, Verdict::slower);
  }

  void howCloseRunsCanBeToldApartIsSaid() {
    const auto before = someRace(10, 8);
    auto now = someRace(10, 8);
    for (std::size_t round = 0; round < now->rows[1].us.size(); ++round)
      now->rows[1].us[round] *= round / 3 % 2 == 0 ? 1.3 : 0.9;
    const QString words =
        deltaOf(now->rows[1], *now, Baseline::ofReport(before, QStringLiteral("old.json")))->text;
    QVERIFY2(words.startsWith(QStringLiteral("undecided: between \u22121")) &&
                 words.contains(QStringLiteral("% and +3")),
             qPrintable(words));
  }

  void aReportThatTellsNoPlacesDecidesNothing() {
    auto saved = std::make_shared<RaceResult>(*someRace(10, 8));
    for (Measurement& m : saved->rows)
      m.us.clear();
    saved->conditions.places.clear();
    const Baseline baseline = Baseline::ofReport(saved, QStringLiteral("/tmp/reports/old.json"));
    QCOMPARE(baseline.title, QStringLiteral("old.json, a test's card"));
    const auto now = someRace(10, 4);
    const auto delta = deltaOf(now->rows[1], *now, baseline);
    QVERIFY(delta);
    QCOMPARE(delta->text, QStringLiteral("undecided: too few samples in different placements of memory"));
    QCOMPARE(delta->relative, QStringLiteral("\u221250.0"));
  }

  void whoIsHeldAgainstIsNamed() {
    Comparison comparison{.verdict = Verdict::faster, .ratio = 0.9};
    QCOMPARE(verdictAgainst(comparison, QStringLiteral("v1")), QStringLiteral("faster by 10.0 % than v1"));
    comparison.ratio = 0.1;
    QCOMPARE(verdictAgainst(comparison, QStringLiteral("v1")), QStringLiteral("10.0 times as fast as v1"));
    comparison = {.verdict = Verdict::slower, .ratio = 3};
    QCOMPARE(verdictAgainst(comparison, QStringLiteral("v1")),
             QStringLiteral("takes 3.00 times as long as v1"));
    comparison = {.verdict = Verdict::same};
    QCOMPARE(verdictAgainst(comparison, QStringLiteral("v1")),
             QStringLiteral("the same within 1 %, beside v1"));
  }

  void anotherProblemIsNoBaseline() {
    auto elsewhere = std::make_shared<RaceResult>(*someRace());
    for (Measurement& m : elsewhere->rows)
      m.problem.k = 5;
    const auto now = someRace();
    QVERIFY(!deltaOf(now->rows[0], *now, Baseline::ofMoment(elsewhere)));
  }

  void aRowOfTheBaselineThatHasNoTimeIsMissing() {
    auto before = std::make_shared<RaceResult>(*someRace());
    before->rows[0].times = {};
    before->rows[1].times.median = std::numeric_limits<double>::quiet_NaN();
    const auto now = someRace();
    QVERIFY(!deltaOf(now->rows[0], *now, Baseline::ofMoment(before)));
    QVERIFY(!deltaOf(now->rows[1], *now, Baseline::ofMoment(before)));
  }
};

QTEST_GUILESS_MAIN(TestBaseline)
#include "tst_baseline.moc"
