// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/random.hpp"
#include "gpu/cpu/cpu_device.hpp"

#include <QTest>

#include <oneapi/tbb/global_control.h>

#include <optional>

using namespace lloyd;

namespace {

/// Points of one dimension on a device, ready for steps of k-means++.
class Race {
public:
  explicit Race(Device& device, const std::vector<float>& points)
      : device_(device), n_(points.size()), points_(device, rowStride(n_)), newest_(device, 1),
        nearest_(device, n_), winner_(device, 1) {
    points_.upload(points);
  }

  /// With the point of that index as the newest centre, or none.
  std::uint64_t step(std::uint64_t seed, std::uint32_t number, std::optional<std::uint64_t> centre) {
    winner_.fill(0xff);
    if (centre) newest_.upload({&*centre, 1});
    device_.seedStep({{n_, 1, 1},
                      {points_.data(), rowStride(n_)},
                      centre ? newest_.data() : nullptr,
                      nearest_.data(),
                      seed,
                      number,
                      winner_.data()});
    return winner_.download().front();
  }
  static std::size_t indexOf(std::uint64_t winner) { return winner & 0xffffffffu; }

private:
  Device& device_;
  std::size_t n_;
  Buffer<float> points_;
  Buffer<std::uint64_t> newest_;
  Buffer<float> nearest_;
  Buffer<std::uint64_t> winner_;
};

double chiSquare(const std::vector<double>& observed, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < observed.size(); ++i)
    sum += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  return sum;
}

} // namespace

/// k-means++ by an exponential race: the right odds, and one winner for everybody.
class TestSeedStep : public QObject {
  Q_OBJECT

private slots:
  void theFirstCentreIsUniform() {
    const auto device = createCpuDevice();
    Race race(*device, std::vector<float>(8, 5.0f));
    constexpr int trials = 8000;
    std::vector<double> wins(8);
    for (int seed = 0; seed < trials; ++seed)
      ++wins[Race::indexOf(race.step(static_cast<std::uint64_t>(seed), 0, std::nullopt))];
    QVERIFY(chiSquare(wins, std::vector<double>(8, trials / 8.0)) < 24.3); // 7 degrees of freedom, 0.1 %
  }

  void laterCentresAreDrawnBySquaredDistance() {
    const auto device = createCpuDevice();
    const std::vector<float> points{0, 1, 2, 3, 4};
    Race race(*device, points);
    constexpr int trials = 30000;
    constexpr std::uint64_t centre = 0;
    std::vector<double> wins(5);
    for (int seed = 0; seed < trials; ++seed) {
      static_cast<void>(race.step(static_cast<std::uint64_t>(seed), 0, std::nullopt));
      ++wins[Race::indexOf(race.step(static_cast<std::uint64_t>(seed), 1, centre))];
    }
    QCOMPARE(wins[0], 0.0); // it is a centre already
    const std::vector<double> odds{1 * trials / 30.0, 4 * trials / 30.0, 9 * trials / 30.0,
                                   16 * trials / 30.0};
    QVERIFY(chiSquare({wins.begin() + 1, wins.end()}, odds) < 16.3); // 3 degrees of freedom, 0.1 %
  }

  void allPointsChosenStillGivesAWinner() {
    const auto device = createCpuDevice();
    Race race(*device, std::vector<float>(40, 2.0f));
    constexpr std::uint64_t centre = 39;
    static_cast<void>(race.step(1, 0, std::nullopt));
    QCOMPARE(Race::indexOf(race.step(1, 1, centre)), std::size_t{0});
  }

  void noPointsLeaveTheKeyAlone() {
    const auto device = createCpuDevice();
    Race race(*device, {});
    QCOMPARE(race.step(1, 0, std::nullopt), ~std::uint64_t{0});
  }

  void theWinnerIsThatOfAPlainLoop() {
    const auto device = createCpuDevice();
    constexpr std::size_t n = 300001;
    std::vector<float> points(n);
    for (std::size_t i = 0; i < n; ++i)
      points[i] = static_cast<float>(randomBits(9, 0, i) >> 40) * 1e-3f;
    constexpr std::uint64_t centre = 77;
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
      const oneapi::tbb::global_control control(oneapi::tbb::global_control::max_allowed_parallelism,
                                                threads);
      Race race(*device, points);
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        std::uint64_t first = ~std::uint64_t{0};
        std::uint64_t second = ~std::uint64_t{0};
        for (std::size_t i = 0; i < n; ++i) {
          const auto index = static_cast<std::uint32_t>(i);
          const float distance = (points[i] - points[centre]) * (points[i] - points[centre]);
          first = std::min(first, SeedRace(seed, 0).entry(index, std::numeric_limits<float>::infinity()));
          second = std::min(second, SeedRace(seed, 1).entry(index, distance));
        }
        QCOMPARE(race.step(seed, 0, std::nullopt), first);
        QCOMPARE(race.step(seed, 1, centre), second);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestSeedStep)
#include "tst_seed_step.moc"
