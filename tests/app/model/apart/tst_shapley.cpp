// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of games that were worked out by hand.
#include "app/model/apart/shapley.hpp"
#include "gpu/core/math/random.hpp"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace lloyd;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

} // namespace

class TestShapley : public QObject {
  Q_OBJECT
private slots:
  void whatAddsUpIsItsOwnShare() {
    std::vector<double> gains(8);
    for (std::size_t on = 0; on < 8; ++on)
      gains[on] = (on & 1 ? 5 : 0) + (on & 2 ? 0.25 : 0) + (on & 4 ? -2 : 0);
    const auto shares = shapleyShares(gains);
    QVERIFY(shares && near((*shares)[0], 5) && near((*shares)[1], 0.25) && near((*shares)[2], -2));
    QVERIFY(near(pairGain(gains, 0, 1)->together(), 0));
  }

  /// Two that gain only together have half each, and the third, which never adds anything, nothing.
  void whatOnlyTwoGainIsHalvedAndTheDummyHasNothing() {
    std::vector<double> gains(8);
    for (std::size_t on = 0; on < 8; ++on)
      gains[on] = (on & 3) == 3 ? 6 : 0;
    const auto shares = shapleyShares(gains);
    QVERIFY(shares && near((*shares)[0], 3) && near((*shares)[1], 3));
    QCOMPARE((*shares)[2], 0.0);
    const auto pair = pairGain(gains, 1, 0);
    QVERIFY(pair && near(pair->without, 0) && near(pair->with, 6) && near(pair->together(), 6));
    QVERIFY(near(pairGain(gains, 1, 2)->together(), 0));
  }

  /// The glove game: one left hand, two right ones. 4/6 of the pair's worth for the left hand, 1/6 for each
  /// right one.
  void theGloveGame() {
    const std::vector<double> gains{0, 0, 0, 1, 0, 1, 0, 1};
    const auto shares = shapleyShares(gains);
    QVERIFY(shares && near((*shares)[0], 4.0 / 6) && near((*shares)[1], 1.0 / 6) &&
            near((*shares)[2], 1.0 / 6));
    // Who comes second to a left hand adds nothing more.
    QVERIFY(pairGain(gains, 1, 2)->together() < 0);
  }

  void sharesAddUpAndEqualSwitchesHaveTheSame() {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      std::vector<double> gains(16);
      for (std::size_t on = 1; on < 16; ++on) {
        // Switches 0 and 1 are told apart by nothing: the gain knows how many of them are on.
        const std::size_t alike = (on & 1) + (on >> 1 & 1) + 3 * (on >> 2);
        gains[on] = static_cast<double>(randomBits(seed, 0, alike) % 100000) / 7;
      }
      gains[0] = static_cast<double>(randomBits(seed, 0, 0) % 100000) / 7;
      const auto shares = shapleyShares(gains);
      QVERIFY(shares);
      const double sum = std::accumulate(shares->begin(), shares->end(), 0.0);
      QVERIFY(near(sum, gains[15] - gains[0]));
      QVERIFY(near((*shares)[0], (*shares)[1]));
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < a; ++b)
          QVERIFY(near(pairGain(gains, a, b)->together(), pairGain(gains, b, a)->together()));
    }
  }

  void oneSwitchHasAllAndNoneHaveNothing() {
    QVERIFY(near(shapleyShares(std::vector<double>{0, 4})->front(), 4));
    QVERIFY(shapleyShares(std::vector<double>{0})->empty());
  }

  void whatIsNoGameIsRefused() {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const double endless = std::numeric_limits<double>::infinity();
    QVERIFY(!shapleyShares(std::vector<double>{}));
    QVERIFY(!shapleyShares(std::vector<double>{0, 1, 2}));
    QVERIFY(!shapleyShares(std::vector<double>{0, 1, unknown, 3}));
    QVERIFY(!shapleyShares(std::vector<double>{0, endless}));
    QVERIFY(!pairGain(std::vector<double>{0, 1, unknown, 3}, 0, 1));
    QVERIFY(!pairGain(std::vector<double>{0, 1, 2, 3}, 1, 1));
    QVERIFY(!pairGain(std::vector<double>{0, 1, 2, 3}, 0, 2));
  }
};

QTEST_GUILESS_MAIN(TestShapley)
#include "tst_shapley.moc"
