// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/random.hpp"
#include "gpu/core/stats/comparison.hpp"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

Q_DECLARE_METATYPE(lloyd::Verdict)

using namespace lloyd;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Two series as a busy machine gives them: both share slow drifts, each sample has noise of its own, and now
/// and then one is interrupted.
class Machine {
public:
  explicit Machine(std::uint64_t seed) : seed_(seed) {}

  void run(std::size_t rounds, double noise, double factor) {
    for (std::size_t round = 0; round < rounds; ++round) {
      drift_ = 0.9 * drift_ + 0.05 * normal();
      a.push_back(sample(noise));
      b.push_back(factor * sample(noise));
    }
  }

  std::vector<double> a;
  std::vector<double> b;

private:
  double uniform() { return (static_cast<double>(randomBits(seed_, 7, ++draws_) >> 11) + 0.5) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  double sample(double noise) {
    const double interrupted = uniform() < 0.03 ? 5 * uniform() : 0;
    return 100 * std::exp(drift_ + noise * normal()) * (1 + interrupted);
  }

  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
  double drift_ = 0;
};

bool called(const Comparison& c) { return c.verdict == Verdict::faster || c.verdict == Verdict::slower; }

} // namespace

/// What is said of two series of times.
class TestComparison : public QObject {
  Q_OBJECT

private slots:
  void ranksTellApartWhatIsKnownToDiffer() {
    // By how far the times must be apart to be told apart.
    const auto ranks = [](const std::vector<double>& us, double apart) {
      return ranksOf(us.size(), [&](std::size_t b, std::size_t a) { return us[b] - us[a] > apart; });
    };
    QCOMPARE(ranks({}, 1), (std::vector<int>{}));
    QCOMPARE(ranks({5}, 1), (std::vector<int>{1}));
    QCOMPARE(ranks({1, 3, 5}, 1), (std::vector<int>{1, 2, 3}));
    QCOMPARE(ranks({1, 1.5, 3, 3.5, 9}, 1), (std::vector<int>{1, 1, 3, 3, 5}));
    // The first and the last differ, but the one between them could be either: no rank may part it from both.
    QCOMPARE(ranks({1, 1.8, 2.6, 9}, 1), (std::vector<int>{1, 1, 1, 4}));
    QCOMPARE(ranks({1, 2, 3}, 5), (std::vector<int>{1, 1, 1}));
  }

  void equalSeriesAreTheSame() {
    const std::vector<double> us(60, 12.5);
    const Comparison found = comparePaired(us, us);
    QCOMPARE(found.verdict, Verdict::same);
    QCOMPARE(found.ratio, 1.0);
    QCOMPARE(found.pairs, std::size_t{60});
  }

  void theIntervalIsTheSignTests() {
    // Of twenty values, five may be cut off at either end for 95 %: six would miss the median too often.
    std::vector<double> us;
    for (int i = 1; i <= 20; ++i)
      us.push_back(std::exp(0.1 * i));
    const std::vector<double> baseline(us.size(), 1.0);
    const Comparison found = comparePaired(us, baseline, {.error = 0.05});
    QVERIFY(std::abs(std::log(found.ratio) - 1.05) < 1e-12);
    QVERIFY(std::abs(std::log(found.low) - 0.6) < 1e-12);
    QVERIFY(std::abs(std::log(found.high) - 1.5) < 1e-12);
    QCOMPARE(found.verdict, Verdict::slower);
  }

  void theEstimateAgreesWithTheMedians() {
    // A third of one side's samples are ten times as long, as on a machine that others use as well.
    for (const std::size_t pairs : {60U, 119U, 200U, 480U}) {
      std::vector<double> us(pairs, 10.0);
      const std::vector<double> baseline(pairs, 100.0);
      for (std::size_t i = 0; i < pairs; ++i)
        if (randomBits(9, pairs, i) % 3 == 0) us[i] = 100.0;
      QVERIFY(std::abs(comparePaired(us, baseline).ratio - 0.1) < 1e-12);
    }
  }

  void tooFewPairsSayNothing() {
    const std::vector<double> slow(10, 20.0);
    const std::vector<double> fast(10, 10.0);
    const Comparison found = comparePaired(slow, fast);
    QCOMPARE(found.verdict, Verdict::undecided);
    QCOMPARE(found.ratio, 2.0);
    QVERIFY(std::isinf(found.high));
    QVERIFY(std::isnan(comparePaired({}, {}).ratio));
    QCOMPARE(comparePaired({}, {}).verdict, Verdict::undecided);
  }

  void oneLookAtManyVariantsDecidesWhatIsClear() {
    Machine machine(1);
    machine.run(60, 0.02, 0.8);
    const Comparison found = comparePaired(machine.b, machine.a, {.comparisons = 72, .analyses = 4});
    QCOMPARE(found.verdict, Verdict::faster);
    QVERIFY2(found.low < 0.8 && found.high > 0.8 && std::abs(found.ratio - 0.8) < 0.01,
             qPrintable(QStringLiteral("%1 in %2 .. %3").arg(found.ratio).arg(found.low).arg(found.high)));
  }

  void samplesThrownAwayTakeTheirPartnersAlong() {
    std::vector<double> us(80, 11.0);
    std::vector<double> baseline(80, 10.0);
    us[3] = notANumber;
    baseline[4] = notANumber;
    us[5] = 0;
    const Comparison found = comparePaired(us, baseline);
    QCOMPARE(found.pairs, std::size_t{77});
    QVERIFY(std::abs(found.ratio - 1.1) < 1e-12);
    const std::vector<double> nothing(80, notANumber);
    QCOMPARE(comparePaired(us, nothing).verdict, Verdict::undecided);
  }

  void smallDifferencesAreNone_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<lloyd::Verdict>("verdict");
    QTest::newRow("0.4 % slower") << 1.004 << Verdict::same;
    QTest::newRow("0.4 % faster") << 0.996 << Verdict::same;
    QTest::newRow("3 % slower") << 1.03 << Verdict::slower;
    QTest::newRow("3 % faster") << 0.97 << Verdict::faster;
  }

  void smallDifferencesAreNone() {
    QFETCH(double, factor);
    QFETCH(lloyd::Verdict, verdict);
    Machine machine(2);
    machine.run(240, 0.003, factor);
    QCOMPARE(comparePaired(machine.b, machine.a).verdict, verdict);
  }

  void anArmOfARaceAgainstItselfIsNotCalledDifferent() {
    int differences = 0;
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
      Machine machine(1000 + trial);
      machine.run(200, 0.08, 1);
      differences += called(comparePaired(machine.b, machine.a)) ? 1 : 0;
    }
    QVERIFY2(differences <= 1, qPrintable(QString::number(differences)));
  }

  void fivePercentAreFound() {
    int found = 0;
    for (std::uint64_t trial = 0; trial < 100; ++trial) {
      Machine machine(5000 + trial);
      machine.run(240, 0.05, 1.05);
      found += comparePaired(machine.b, machine.a).verdict == Verdict::slower ? 1 : 0;
    }
    QVERIFY2(found >= 95, qPrintable(QString::number(found)));
  }

  void roundsInOnePlaceAreOnePieceOfEvidence() {
    // Twenty places of three rounds. In one of them a variant is slow, whatever it does; else both are alike.
    std::vector<double> us;
    std::vector<std::uint32_t> places;
    for (std::uint32_t place = 0; place < 20; ++place)
      for (int round = 0; round < 3; ++round) {
        us.push_back(place % 2 == 0 ? 150 : 101);
        places.push_back(place);
      }
    const std::vector<double> baseline(us.size(), 100);
    const CompareRules rules{.error = 1e-5};
    QCOMPARE(comparePaired(us, baseline, rules).verdict, Verdict::slower);
    const Comparison found = comparePaired(us, baseline, rules, places);
    QCOMPARE(found.verdict, Verdict::slower); // twenty of twenty
    const std::vector<std::uint32_t> few(us.size(), 0);
    QCOMPARE(comparePaired(us, baseline, rules, few).verdict, Verdict::undecided);
    QCOMPARE(found.pairs, std::size_t{60});
  }

  void mediansOfPlaces() {
    const std::vector<double> us{1, 2, 9, notANumber, 5, 7, notANumber};
    const std::vector<std::uint32_t> places{0, 0, 0, 1, 2, 2, 3};
    QCOMPARE(placeMedians(us, places), (std::vector<double>{2, 6}));
    QCOMPARE(placeMedians(us, {}), (std::vector<double>{1, 2, 9, 5, 7}));
    QVERIFY(placeMedians({}, {}).empty());
  }

  void aMedianIsSettledByItsInterval() {
    const CompareRules rules;
    QVERIFY(isSettled(std::vector<double>(6, 10.0), rules, {}));
    QVERIFY(!isSettled(std::vector<double>(5, 10.0), rules, {})); // too few to say
    QVERIFY(!isSettled({}, rules, {}));
    std::vector<double> wild;
    wild.reserve(30);
    for (int i = 0; i < 30; ++i)
      wild.push_back(i % 2 == 0 ? 10 : 11);
    QVERIFY(!isSettled(wild, rules, {}));
  }

  /// Even one that is none, as a broken report may have it.
  void anyChanceHasAnAnswer() {
    std::vector<double> ratio(60);
    for (std::size_t i = 0; i < ratio.size(); ++i)
      ratio[i] = 1 + static_cast<double>(i) / 10;
    for (const double error : {-1.0, 0.0, 1e-300, 0.5, 1.0, 2.0, 1e300, notANumber}) {
      const Comparison c =
          comparePaired(ratio, std::vector<double>(ratio.size(), 1.0), CompareRules{.error = error});
      QVERIFY2(c.low <= c.high && c.pairs == ratio.size(), qPrintable(QString::number(error)));
      if (error >= 0.5) QVERIFY(c.low > 1 && c.high < 7);
    }
  }

  void runsApartAreHeldPlaceAgainstPlace_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<double>("spread");
    QTest::addColumn<double>("atLeast");
    QTest::addColumn<lloyd::Verdict>("verdict");
    QTest::newRow("quiet and equal") << 1.005 << 0.003 << 0.02 << Verdict::same;
    QTest::newRow("quiet and slower") << 1.05 << 0.003 << 0.02 << Verdict::slower;
    QTest::newRow("quiet and faster") << 0.95 << 0.003 << 0.02 << Verdict::faster;
    QTest::newRow("slower by less than counts") << 1.03 << 0.003 << 0.05 << Verdict::same;
    QTest::newRow("about as much as counts") << 1.02 << 0.02 << 0.02 << Verdict::undecided;
    QTest::newRow("places differ more") << 1.03 << 0.3 << 0.02 << Verdict::undecided;
    QTest::newRow("much slower all the same") << 2.0 << 0.3 << 0.02 << Verdict::slower;
    QTest::newRow("not a number") << notANumber << 0.01 << 0.02 << Verdict::undecided;
  }

  void runsApartAreHeldPlaceAgainstPlace() {
    QFETCH(double, factor);
    QFETCH(double, spread);
    QFETCH(double, atLeast);
    QFETCH(lloyd::Verdict, verdict);
    const auto run = [&](std::uint64_t seed, double median) {
      std::vector<double> us;
      for (std::uint64_t place = 0; place < 40; ++place)
        us.push_back(median *
                     (1 + spread * (static_cast<double>(randomBits(seed, 0, place) % 2001) / 1000 - 1)));
      return us;
    };
    const Comparison found = compareRuns(run(1, 100 * factor), run(2, 100), {atLeast, atLeast});
    QCOMPARE(found.verdict, verdict);
    const auto few = std::vector<double>(5, 200.0);
    QCOMPARE(compareRuns(few, run(2, 100), {atLeast, atLeast}).verdict, Verdict::undecided);
    QCOMPARE(compareRuns({}, run(2, 100), {atLeast, atLeast}).verdict, Verdict::undecided);
  }

  void aRunAgainstItselfIsNotCalledDifferent() {
    // Each place has a mode of its own, and each run a drift over its places.
    int wrong = 0;
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
      Machine machine(9000 + trial);
      machine.run(40, 0.05, 1);
      const Comparison found = compareRuns(machine.b, machine.a, {0.02, 0.02});
      wrong += called(found) ? 1 : 0;
    }
    QVERIFY2(wrong <= 1, qPrintable(QString::number(wrong)));
  }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
