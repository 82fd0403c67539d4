// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/random.hpp"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace lloyd;

/// Random numbers that every device must draw alike, and that must be what they claim.
class TestRandom : public QObject {
  Q_OBJECT

private slots:
  /// Files, seeds and screenshots of older versions depend on these bits.
  void bitsNeverChange() {
    QCOMPARE(randomBits(0, 0, 1), std::uint64_t{0xe220a8397b1dcdafu});
    QCOMPARE(randomBits(1, 2, 3), std::uint64_t{0xa17a7d23860b1886u});
  }

  void argumentsAllMatter() {
    std::vector<std::uint64_t> drawn;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (std::uint64_t stream = 0; stream < 20; ++stream)
        for (std::uint64_t index = 0; index < 20; ++index)
          drawn.push_back(randomBits(seed, stream, index));
    std::sort(drawn.begin(), drawn.end());
    QVERIFY(std::adjacent_find(drawn.begin(), drawn.end()) == drawn.end());
  }

  void bitsAreEven() {
    constexpr int draws = 100000;
    std::vector<int> ones(64);
    for (int i = 0; i < draws; ++i) {
      const std::uint64_t bits = randomBits(5, 1, static_cast<std::uint64_t>(i));
      for (std::size_t bit = 0; bit < 64; ++bit)
        ones[bit] += static_cast<int>(bits >> bit & 1);
    }
    for (const int count : ones)
      QVERIFY(std::abs(count - draws / 2) < 5 * std::sqrt(draws / 4.0)); // five sigma
  }

  void exponentialVariateIsTheLogarithm() {
    const auto check = [](std::uint64_t bits) {
      const double u = static_cast<double>(static_cast<float>(bits | 1u) * 0x1p-64f);
      const double expected = -std::log1p(-std::min(u, 1 - 0x1p-24));
      const auto found = static_cast<double>(exponentialVariate(bits));
      QVERIFY2(std::abs(found - expected) <= 1e-6 * expected, qPrintable(QString::number(u, 'g', 17)));
    };
    for (int shift = 0; shift < 64; ++shift) { // the smallest values decide races among millions of points
      check(~std::uint64_t{0} >> shift);
      check(0x9e3779b97f4a7c15u >> shift);
    }
    check(0);
    for (std::uint64_t i = 0; i < 100000; ++i)
      check(randomBits(1, 7, i));
  }

  /// Kolmogorov and Smirnov's test against 1 - exp(-x).
  void exponentialVariateHasItsDistribution() {
    constexpr std::size_t draws = 100000;
    std::vector<double> values(draws);
    for (std::size_t i = 0; i < draws; ++i)
      values[i] = static_cast<double>(exponentialVariate(randomBits(11, 0, i)));
    std::sort(values.begin(), values.end());
    double farthest = 0;
    for (std::size_t i = 0; i < draws; ++i) {
      const double below = -std::expm1(-values[i]);
      farthest = std::max({farthest, std::abs(below - static_cast<double>(i) / draws),
                           std::abs(below - static_cast<double>(i + 1) / draws)});
    }
    QVERIFY(farthest < 1.95 / std::sqrt(static_cast<double>(draws))); // 0.1 %
  }

  void keysOrderByArrivalThenIndex() {
    const float infinity = std::numeric_limits<float>::infinity();
    const SeedRace race(1, 0);
    QVERIFY(race.entry(5, infinity) != ~std::uint64_t{0});
    QCOMPARE(race.entry(5, infinity) & 0xffffffffu, std::uint64_t{5});
    QVERIFY(race.entry(5, 100.0f) < race.entry(5, 1.0f)); // farther points arrive earlier
    QVERIFY(race.entry(5, 0.0f) > race.entry(5, 1e-30f)); // a chosen one last
    QVERIFY(race.entry(5, 0.0f) < race.entry(6, 0.0f));   // and then by index
  }

  /// What a point's entry is drawn from: exponential, and another draw in every step and for every seed.
  void entriesAreIndependentDraws() {
    constexpr std::uint32_t draws = 100000;
    const auto arrivals = [](const SeedRace& race) {
      std::vector<double> values(draws);
      for (std::uint32_t i = 0; i < draws; ++i) {
        const std::uint64_t entry = race.entry(i, std::numeric_limits<float>::infinity());
        values[i] = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(entry >> 32)));
      }
      return values;
    };
    const std::array<std::vector<double>, 4> races{arrivals({3, 0}), arrivals({3, 1}), arrivals({3, 2}),
                                                   arrivals({4, 0})};
    for (const std::vector<double>& one : races) {
      std::vector<double> sorted = one;
      std::sort(sorted.begin(), sorted.end());
      double farthest = 0;
      for (std::size_t i = 0; i < draws; ++i)
        farthest = std::max(farthest, std::abs(-std::expm1(-sorted[i]) - static_cast<double>(i) / draws));
      QVERIFY(farthest < 1.95 / std::sqrt(static_cast<double>(draws))); // 0.1 %
      for (const std::vector<double>& other : races) {
        if (&one == &other) continue;
        double sum = 0; // of products of two variates with mean 0 and variance 1
        for (std::size_t i = 0; i < draws; ++i)
          sum += (one[i] - 1) * (other[i] - 1);
        QVERIFY(std::abs(sum) < 3.9 * std::sqrt(static_cast<double>(draws))); // 0.01 %
      }
    }
  }

  /// Whoever is sent away early would not have won, and nearly all are sent away early.
  void onlyLosersAreSentAway() {
    const SeedRace race(9, 4);
    float best = std::numeric_limits<float>::infinity();
    int kept = 0;
    constexpr std::uint32_t points = 1000000;
    for (std::uint32_t i = 0; i < points; ++i) {
      const float nearest = static_cast<float>(randomBits(2, 0, i) >> 40) * 0x1p-12f;
      const bool loses = race.loses(i, nearest, best);
      const std::uint64_t entry = race.entry(i, nearest);
      const float key = std::bit_cast<float>(static_cast<std::uint32_t>(entry >> 32));
      QVERIFY(!loses || key > best);
      if (!loses) ++kept;
      best = std::min(best, key);
    }
    QVERIFY(kept < 200); // the harmonic sum of a million, and some
  }
};

QTEST_GUILESS_MAIN(TestRandom)
#include "tst_random.moc"
