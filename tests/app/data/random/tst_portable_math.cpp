// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/random/random_draws.hpp"
#include "gpu/core/math/random.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace lloyd;

/// Against the C library in extended precision. That the bits are the same everywhere is what the generators'
/// golden hashes hold.
class TestPortableMath : public QObject {
  Q_OBJECT
private slots:
  void portableLogarithm();
  void portableSine();
};

void TestPortableMath::portableLogarithm() {
  for (int i = 1; i < 200000; ++i) {
    const double u =
        static_cast<double>(randomBits(1, 0, static_cast<std::uint64_t>(i)) >> 12) * 0x1p-52 + 0x1p-53;
    for (const double x : {u, 1 - u * 0x1p-20, u * 0x1p-500, u * 0x1p500}) {
      const long double expected = std::log(static_cast<long double>(x));
      const auto error = std::abs(static_cast<double>((portableLog(x) - expected) / expected));
      if (!(error <= 1e-15)) QFAIL(qPrintable(QString("log(%1) is off by %2").arg(x, 0, 'g', 17).arg(error)));
    }
  }
  QCOMPARE(portableLog(1), 0.0);
}

void TestPortableMath::portableSine() {
  constexpr long double turn = 2 * std::numbers::pi_v<long double>;
  for (int i = 0; i < 200000; ++i) {
    const double t = static_cast<double>(randomBits(2, 0, static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53;
    const SinCos got = portableSinCos(t);
    const auto offSine = std::abs(static_cast<double>(got.sin - std::sin(turn * t)));
    const auto offCosine = std::abs(static_cast<double>(got.cos - std::cos(turn * t)));
    if (!(std::max(offSine, offCosine) <= 4e-16)) QFAIL(qPrintable(QString("%1 turns").arg(t, 0, 'g', 17)));
  }
  QCOMPARE(portableSinCos(0.25).sin, 1.0);
  QCOMPARE(portableSinCos(-0.25).sin, -1.0);
  QCOMPARE(portableSinCos(1e6 + 0.5).cos, -1.0);
  const SinCos small = portableSinCos(1e-9);
  QVERIFY(std::abs(small.sin / (1e-9 * static_cast<double>(turn)) - 1) < 1e-14);
}

QTEST_GUILESS_MAIN(TestPortableMath)
#include "tst_portable_math.moc"
