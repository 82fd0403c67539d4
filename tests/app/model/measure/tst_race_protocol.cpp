// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/race_protocol.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace lloyd;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A device that does what a test says. A sample takes a millisecond of its clock.
class Script : public SampleSource {
public:
  std::function<double(std::size_t)> us = [](std::size_t) { return 100.0; };
  std::function<double()> mhz = [] { return 2000.0; };
  std::vector<std::size_t> turns; ///< who was sampled, in order
  std::vector<double> pauses;
  std::function<bool()> place = [] { return false; };

  double sample(std::size_t operation) override {
    turns.push_back(operation);
    now_ += 1e-3;
    return us(operation);
  }
  double clockMhz() override { return mhz(); }
  double seconds() override { return now_; }
  void pause(double seconds) override {
    pauses.push_back(seconds);
    now_ += seconds;
  }
  [[nodiscard]] bool placeAnew() override { return place(); }
  void pass(double seconds) { now_ += seconds; }
  /// 1 and a little more or less.
  double noise(double size) {
    return 1 + size * (static_cast<double>(randomBits(3, 1, ++draws_) % 2001) / 1000 - 1);
  }

private:
  double now_ = 0;
  std::uint64_t draws_ = 0;
};

Variant variant(std::string_view family, std::string_view tag) {
  Variant made;
  made.info.family = family;
  made.info.tag = tag;
  return made;
}

Measurement row(const Variant& variant, double us, bool verified = true) {
  Measurement made;
  made.candidate = {&variant, Stage::classify, {}};
  made.us.assign(60, us);
  made.times = summarise(made.us);
  made.verified = verified;
  return made;
}

} // namespace

class TestRace : public QObject {
  Q_OBJECT

private slots:
  void allTakeTurnsInAChangingOrder() {
    Script script;
    const std::vector<int> groups{1, 1, 1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 40, .analyses = 1});
    QCOMPARE(found.conditions.rounds, std::size_t{40});
    QVERIFY(found.finished);
    for (const auto& series : found.series)
      QCOMPARE(series.size(), std::size_t{40});
    std::set<std::vector<std::size_t>> orders;
    for (std::size_t at = found.conditions.rampUp; at < script.turns.size(); at += 4) {
      std::vector<std::size_t> round(script.turns.begin() + static_cast<std::ptrdiff_t>(at),
                                     script.turns.begin() + static_cast<std::ptrdiff_t>(at + 4));
      orders.insert(round);
      std::sort(round.begin(), round.end());
      QCOMPARE(round, (std::vector<std::size_t>{0, 1, 2, 3}));
    }
    QVERIFY(orders.size() > 10);
    QCOMPARE(found.conditions.rules.comparisons, std::size_t{6});
  }

  void whoHasNoRivalIsSampledAfterTheOthers() {
    Script script;
    const std::vector<int> groups{1, 1, 2};
    const RaceSamples found = race(script, groups, {.rounds = 40, .analyses = 1});
    QVERIFY(found.finished);
    QCOMPARE(found.conditions.rules.comparisons, std::size_t{1});
    std::vector<std::size_t> samples;
    for (const auto& series : found.series) {
      QCOMPARE(series.size(), found.conditions.rounds);
      samples.push_back(static_cast<std::size_t>(
          std::count_if(series.begin(), series.end(), [](double us) { return std::isfinite(us); })));
    }
    QCOMPARE(samples, (std::vector<std::size_t>{40, 40, 45}));
    // Some of them early, so that a first look has them; the rest when the others are done.
    QVERIFY(std::isfinite(found.series[2].front()) && std::isnan(found.series[2][20]) &&
            std::isfinite(found.series[2].back()));
    QVERIFY(std::isnan(found.series[0].back()));
  }

  void whoHasNoRivalUsesTheBudgetItHas() {
    Script script;
    script.us = [&](std::size_t) { return 100 * script.noise(0.3); };
    for (const std::vector<int>& groups : {std::vector<int>{1}, std::vector<int>{1, 1, 2}}) {
      const RaceSamples found = race(script, groups, {.budgetSeconds = 5});
      const auto kept = std::count_if(found.series.back().begin(), found.series.back().end(),
                                      [](double us) { return std::isfinite(us); });
      QVERIFY2(kept > 200, qPrintable(QString::number(kept)));
    }
  }

  /// Rivals that cannot be told apart take all the time that they are given, but not that of the others.
  void aTightBudgetKeepsTimeForWhoHasNoRival() {
    Script script;
    script.us = [&](std::size_t) { return 100 * script.noise(0.3); };
    const std::vector<int> groups{1, 1, 1, 1, 2};
    const RaceSamples found = race(script, groups, {.budgetSeconds = 0.2});
    const auto count = [&](std::size_t c) {
      return std::ranges::count_if(found.series[c], [](double us) { return std::isfinite(us); });
    };
    QVERIFY2(count(4) >= 20 && count(0) >= 20,
             qPrintable(QStringLiteral("%1 %2").arg(count(0)).arg(count(4))));
  }

  /// Where memory is placed anew, the first rounds of the first places are everybody's.
  void whoHasNoRivalIsInEveryPlaceOfTheFirst() {
    Script script;
    script.place = [] { return true; };
    script.us = [&](std::size_t) { return 100 * script.noise(0.3); };
    const std::vector<int> groups{1, 1, 2};
    const RaceSamples found = race(script, groups, {.rounds = 60, .analyses = 1});
    std::set<std::uint32_t> places;
    for (std::size_t round = 0; round < 60; ++round)
      if (std::isfinite(found.series[2][round])) places.insert(found.conditions.places[round]);
    QCOMPARE(places.size(), std::size_t{20});
  }

  void memoryIsPlacedAnewEveryFewRounds() {
    Script script;
    std::size_t placed = 0;
    script.place = [&] {
      ++placed;
      return true;
    };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 30, .analyses = 1});
    QCOMPARE(found.conditions.places.size(), found.conditions.rounds);
    QCOMPARE(placed, std::size_t{10}); // once before the first round
    for (std::size_t round = 0; round < 30; ++round)
      QCOMPARE(found.conditions.places[round], static_cast<std::uint32_t>(round / 3));
  }

  void aPlaceThatDecidesTheTimeDecidesNoVerdict() {
    // The first of two equal ones is 5 % slower, or faster, for as long as memory stays where it is.
    Script script;
    bool slow = false;
    std::uint64_t places = 0;
    script.place = [&] {
      slow = randomBits(5, 0, ++places) % 2 == 0;
      return true;
    };
    script.us = [&](std::size_t c) {
      return (c == 0 && slow ? 105 : c == 0 ? 95 : 100) * script.noise(0.002);
    };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {});
    QCOMPARE(comparePaired(found.series[0], found.series[1], found.conditions.rules, found.conditions.places)
                 .verdict,
             Verdict::undecided);
  }

  void placingThatTakesLongerThanTheRoundsIsRarer() {
    Script script;
    std::size_t placed = 0;
    script.place = [&] {
      ++placed;
      script.pass(0.05); // as much as 25 rounds
      return true;
    };
    const std::vector<int> groups{1, 1};
    static_cast<void>(race(script, groups, {.rounds = 100, .analyses = 1}));
    QVERIFY2(placed >= 2 && placed <= 6, qPrintable(QString::number(placed)));
  }

  void whoIsAmongLoneOnesTakesAllRounds() {
    Script script;
    const std::vector<int> groups{1, 2};
    const RaceSamples found = race(script, groups, {.rounds = 40, .analyses = 1});
    for (const auto& series : found.series)
      QCOMPARE(std::count_if(series.begin(), series.end(), [](double us) { return std::isfinite(us); }), 40);
  }

  void aClockThatRisesIsWaitedFor() {
    Script script;
    double mhz = 1000;
    script.mhz = [&] { return mhz = std::min(2000.0, mhz + 50); };
    script.us = [&](std::size_t) { return 1e5 / mhz; };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 30, .analyses = 1});
    QVERIFY(found.conditions.clockStable);
    QVERIFY(found.conditions.rampUp > 20);
    QCOMPARE(found.conditions.clockMhz, 2000.0);
    QCOMPARE(found.conditions.throttled, std::size_t{0});
    for (const double us : found.series[0])
      QCOMPARE(us, 50.0);
  }

  void aClockThatNeverSettlesIsSaid() {
    Script script;
    bool high = false;
    script.mhz = [&] { return (high = !high) ? 2000.0 : 1800.0; };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 10, .analyses = 1, .warmUpSeconds = 0.5});
    QVERIFY(!found.conditions.clockStable);
    QVERIFY(found.conditions.warmUpSeconds >= 0.5 && found.conditions.warmUpSeconds < 0.6);
    QCOMPARE(found.conditions.rounds, std::size_t{10});
  }

  void aDeviceWithoutAClockIsRacedAllTheSame() {
    Script script;
    script.mhz = [] { return 0.0; };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 10, .analyses = 1});
    QCOMPARE(found.conditions.clockMhz, 0.0);
    QCOMPARE(found.conditions.rounds, std::size_t{10});
  }

  void throttledSamplesAreThrownAwayAndTakenAgain() {
    Script script;
    int readings = 0;
    script.mhz = [&] { return ++readings >= 40 && readings < 44 ? 1200.0 : 2000.0; };
    script.us = [&](std::size_t) { return readings >= 39 && readings < 44 ? 170.0 : 100.0; };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 40, .analyses = 1});
    QVERIFY(found.conditions.throttled >= 2);
    QVERIFY(script.pauses.size() == found.conditions.throttled);
    QVERIFY(script.pauses[1] > script.pauses[0]);
    for (const auto& series : found.series)
      for (const double us : series)
        QCOMPARE(us, 100.0);
  }

  void aSampleThatCannotBeHadIsMissing() {
    Script script;
    std::size_t samples = 0;
    script.us = [&](std::size_t) {
      ++samples;
      return 100.0;
    };
    script.mhz = [&] { return samples > 30 ? 1000.0 : 2000.0; };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.rounds = 20, .analyses = 1});
    QVERIFY(std::isnan(found.series[0].back()));
    QVERIFY(!std::isnan(found.series[0].front()));
    QVERIFY(found.conditions.undecided == 1);
  }

  void aClearDifferenceEndsARace() {
    Script script;
    script.us = [&](std::size_t c) { return (c == 0 ? 100 : 130) * script.noise(0.05); };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {});
    QCOMPARE(found.conditions.rounds, RaceOptions{}.rounds);
    QCOMPARE(found.conditions.undecided, std::size_t{0});
  }

  void aRaceThatOthersAreHeldAgainstSettlesItsMedians() {
    Script script;
    script.us = [&](std::size_t c) { return (c == 0 ? 100 : 130) * script.noise(0.05); };
    const std::vector<int> groups{1, 1};
    QVERIFY(race(script, groups, {.settle = true}).conditions.rounds > RaceOptions{}.rounds);
    script.us = [](std::size_t c) { return c == 0 ? 100.0 : 130.0; };
    QCOMPARE(race(script, groups, {.settle = true}).conditions.rounds, RaceOptions{}.rounds);
  }

  void whatIsUndecidedIsSampledOn() {
    Script script;
    script.us = [&](std::size_t c) { return (c == 0 ? 100 : 102) * script.noise(0.12); };
    const std::vector<int> groups{1, 1};
    std::size_t analyses = 0;
    const RaceSamples found = race(script, groups, {}, {}, [&](const RaceSamples& samples) {
      ++analyses;
      QVERIFY(!samples.finished);
      QCOMPARE(samples.conditions.undecided, std::size_t{1});
    });
    QVERIFY(analyses >= 1);
    QVERIFY(found.conditions.rounds > RaceOptions{}.rounds);
  }

  void theBudgetEndsARace() {
    Script script;
    script.us = [&](std::size_t) { return 100 * script.noise(0.5); };
    const std::vector<int> groups{1, 1};
    const RaceSamples found = race(script, groups, {.budgetSeconds = 0.05});
    QCOMPARE(found.conditions.rounds, std::size_t{25}); // two samples of a millisecond each
    QCOMPARE(found.conditions.undecided, std::size_t{1});
    QVERIFY(found.finished);
    const RaceSamples hurried = race(script, groups, {.budgetSeconds = 0});
    QCOMPARE(hurried.conditions.rounds, std::size_t{5});
  }

  void aCancelledRaceKeepsItsWholeRounds() {
    Script script;
    const std::vector<int> groups{1, 1};
    const auto cancelAt = [](std::size_t round) {
      return [round](const RaceProgress& progress) {
        if (progress.round == round) throw Cancelled();
      };
    };
    const RaceSamples found = race(script, groups, {}, cancelAt(7));
    QVERIFY(!found.finished);
    QCOMPARE(found.series[1].size(), std::size_t{7});
    script.us = [](std::size_t) -> double { throw Cancelled(); };
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(race(script, groups, {})), Cancelled);
  }

  void whatCannotBeToldApartSharesARank() {
    const Variant v1 = variant("classify", "v1"), v2 = variant("classify", "v2"),
                  v3 = variant("classify", "v3"), other = variant("cpu", "v1");
    std::vector<Measurement> rows{row(v1, 200), row(v2, 100), row(v3, 100.3), row(other, 400)};
    rankRows(rows, {});
    QCOMPARE(rows[0].rank, 3);
    QCOMPARE(rows[1].rank, 1);
    QCOMPARE(rows[2].rank, 1);
    QCOMPARE(rows[3].rank, 4);
    QVERIFY(!rows[0].againstFirst && !rows[3].againstFirst); // each is the first of its family
    QVERIFY(rows[1].againstFirst && rows[1].againstFirst->verdict == Verdict::faster);
    QCOMPARE(rows[1].againstFirst->ratio, 0.5);
  }

  void oneWithoutARivalIsAlone() {
    const Variant v1 = variant("classify", "v1"), v2 = variant("classify", "v2");
    std::vector<Measurement> rows{row(v1, 200), row(v2, 100, false)};
    rankRows(rows, {});
    QVERIFY(rows[0].alone && !rows[1].alone); // what is wrong is no rival
    QCOMPARE(rankText(rows[0]), unknownText());
    QCOMPARE(standingText(rows[0], 0.01), QStringLiteral("no rival"));
    rows[1] = row(v2, 100);
    rankRows(rows, {});
    QVERIFY(!rows[0].alone && !rows[1].alone);
    QCOMPARE(rankText(rows[0]), QStringLiteral("2"));
  }

  void whatIsWrongIsNeverRanked() {
    const Variant v1 = variant("classify", "v1"), v2 = variant("classify", "v2"),
                  v3 = variant("classify", "v3");
    std::vector<Measurement> rows{row(v1, 1, false), row(v2, notANumber), row(v3, 100)};
    rankRows(rows, {});
    QCOMPARE(rows[0].rank, 0);
    QCOMPARE(rows[1].rank, 0);
    QCOMPARE(rows[2].rank, 1);
    QVERIFY(!rows[2].againstFirst); // the first that counts is this one
  }
};

QTEST_GUILESS_MAIN(TestRace)
#include "tst_race_protocol.moc"
