// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/random.hpp"
#include "gpu/core/stats/comparison.hpp"

#include <QTest>

#include <cmath>
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
    const Comparison found = comparePaired(machine.b, machine.a, {.comparisons = 72, .looks = 4});
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

  void runsApartNeedMoreThanTheirNoise_data() {
    QTest::addColumn<double>("now");
    QTest::addColumn<double>("iqr");
    QTest::addColumn<lloyd::Verdict>("verdict");
    QTest::newRow("quiet and equal") << 100.5 << 0.5 << Verdict::same;
    QTest::newRow("quiet and slower") << 103.0 << 0.5 << Verdict::slower;
    QTest::newRow("quiet and faster") << 97.0 << 0.5 << Verdict::faster;
    QTest::newRow("noisy and slower") << 103.0 << 8.0 << Verdict::undecided;
    QTest::newRow("noisy and much slower") << 130.0 << 8.0 << Verdict::slower;
    QTest::newRow("not a number") << notANumber << 1.0 << Verdict::undecided;
    QTest::newRow("noise that is no number") << 103.0 << notANumber << Verdict::undecided;
    QTest::newRow("never measured") << 0.0 << 0.0 << Verdict::undecided;
  }

  void runsApartNeedMoreThanTheirNoise() {
    QFETCH(double, now);
    QFETCH(double, iqr);
    QFETCH(lloyd::Verdict, verdict);
    const Comparison found = compareApart({now, iqr, 30}, {100, iqr, 30});
    QCOMPARE(found.verdict, verdict);
  }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
