// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/math/random.hpp"
#include "gpu/cpu/simd_target.hpp"
#include "tests/gpu/cpu/cpu_fma_targets.hpp"
#include "tests/support/only_target.hpp"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

using namespace lloyd;

namespace {

constexpr std::size_t casesPerKind = std::size_t{1} << 20;

/// Draws bits in a fixed order.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t bits() { return randomBits(seed_, 0, next_++); }
  /// 0 .. most
  int upTo(int most) { return static_cast<int>(bits() >> 33) % (most + 1); }
  float sign() { return bits() >> 63 ? -1.0f : 1.0f; }
  float anything() { return std::bit_cast<float>(static_cast<std::uint32_t>(bits() >> 32)); }
  /// 1 <= |value| < 2 times 2^from .. 2^to
  float scaled(int from, int to) {
    const auto fraction = static_cast<float>(bits() >> 41) * 0x1p-23f;
    return std::ldexp(sign() * (1.0f + fraction), from + upTo(to - from));
  }
  float nearby(float value) {
    for (int steps = upTo(3); steps > 0; --steps)
      value = std::nextafter(value, sign() * std::numeric_limits<float>::infinity());
    return value;
  }

private:
  std::uint64_t seed_;
  std::uint32_t next_ = 0;
};

struct Triple {
  float x;
  float y;
  float z;
};

/// Anything that 32 bits can say.
Triple anything(Dice& dice) { return {dice.anything(), dice.anything(), dice.anything()}; }

/// A product of about half a unit in z's last place: more, less, or exactly that.
Triple halfway(Dice& dice) {
  const float z = dice.scaled(-60, 60);
  const float half = std::ldexp(0.5f, std::ilogb(z) - 23);
  const float x = dice.upTo(3) ? dice.scaled(-20, 20) : std::ldexp(1.0f, dice.upTo(40) - 20);
  return {x, dice.nearby(dice.sign() * half / x), z};
}

/// A square of 25 bits, which lies halfway between two floats, and a hair more or less.
Triple halfwaySquare(Dice& dice) {
  const float x = std::ldexp(static_cast<float>(4097 + 2 * dice.upTo(800)), dice.upTo(40) - 20);
  return {x, x, dice.upTo(7) ? dice.scaled(-140, -40) : 0.0f};
}

/// Almost nothing is left of the sum.
Triple cancelling(Dice& dice) {
  const float x = dice.scaled(-50, 50);
  const float y = dice.scaled(-50, 50);
  return {x, y, dice.nearby(-x * y)};
}

/// Results whose last place is that of the subnormal numbers, half of them with a product of about half of
/// it.
Triple tiny(Dice& dice) {
  const float x = dice.scaled(-100, -40);
  if (dice.upTo(1))
    return {x, dice.nearby(static_cast<float>(0x1p-150 / static_cast<double>(x))), dice.scaled(-130, -124)};
  const int exponent = std::ilogb(x);
  return {x, dice.scaled(-152 - exponent, -124 - exponent), dice.upTo(3) ? dice.scaled(-149, -124) : 0.0f};
}

/// Results about the largest float.
Triple huge(Dice& dice) {
  const float x = dice.scaled(20, 100);
  const float most = std::numeric_limits<float>::max();
  const float z = dice.upTo(1) ? dice.sign() * dice.nearby(most) : dice.scaled(100, 127);
  return {x, dice.upTo(1) ? std::ldexp(1.0f, 103 - std::ilogb(x)) : dice.scaled(0, 127 - std::ilogb(x)), z};
}

using Kind = Triple (*)(Dice&);

FmaCases casesOf(Kind kind) {
  Dice dice(7);
  FmaCases cases;
  for (std::size_t i = 0; i < casesPerKind; ++i) {
    const auto [x, y, z] = kind(dice);
    cases.x.push_back(x);
    cases.y.push_back(y);
    cases.z.push_back(z);
  }
  return cases;
}

/// Every three of the numbers that have rules of their own.
FmaCases specialCases() {
  using Limits = std::numeric_limits<float>;
  const std::array<float, 10> sizes{0,       Limits::denorm_min(), 0x1.fffffcp-127f, Limits::min(),
                                    1,       1 + 0x1p-23f,         1 - 0x1p-24f,     Limits::max(),
                                    0x1p64f, Limits::infinity()};
  std::vector<float> values{Limits::quiet_NaN()};
  for (const float size : sizes)
    values.insert(values.end(), {size, -size});
  FmaCases cases;
  for (const float x : values)
    for (const float y : values)
      for (const float z : values) {
        cases.x.push_back(x);
        cases.y.push_back(y);
        cases.z.push_back(z);
      }
  while (cases.x.size() % 16 != 0) {
    cases.x.push_back(0);
    cases.y.push_back(0);
    cases.z.push_back(0);
  }
  return cases;
}

bool same(float found, float wanted) {
  if (std::isnan(wanted)) return std::isnan(found);
  return std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(wanted);
}

/// What is wrong first, or nothing.
QByteArray firstWrong(const FmaCases& cases, const std::vector<float>& found, bool squares) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const float y = squares ? cases.x[i] : cases.y[i];
    const float wanted = std::fma(cases.x[i], y, cases.z[i]);
    if (!same(found[i], wanted))
      return QString::asprintf("%a * %a + %a is %a, not %a", static_cast<double>(cases.x[i]),
                               static_cast<double>(y), static_cast<double>(cases.z[i]),
                               static_cast<double>(wanted), static_cast<double>(found[i]))
          .toUtf8();
  }
  return {};
}

} // namespace

/// Multiply-adds of every instruction set that this processor has, against the C library's.
class TestCpuFma : public QObject {
  Q_OBJECT

private slots:
  void roundsOnce_data() {
    QTest::addColumn<Kind>("kind");
    QTest::newRow("any bits") << Kind(anything);
    QTest::newRow("halfway") << Kind(halfway);
    QTest::newRow("halfway squares") << Kind(halfwaySquare);
    QTest::newRow("cancelling") << Kind(cancelling);
    QTest::newRow("tiny") << Kind(tiny);
    QTest::newRow("huge") << Kind(huge);
    QTest::newRow("special") << Kind(nullptr);
  }
  void roundsOnce() {
    QFETCH(Kind, kind);
    const FmaCases cases = kind ? casesOf(kind) : specialCases();
    std::vector<float> found(cases.x.size());
    forEveryTarget([&](const char* target) {
      exactFmaOfTarget(cases, found);
      QByteArray wrong = firstWrong(cases, found, false);
      QVERIFY2(wrong.isEmpty(), target + (": " + wrong));
      addProductOfTarget(cases, found);
      wrong = firstWrong(cases, found, true);
      QVERIFY2(wrong.isEmpty(), target + (": a sum of squares: " + wrong));
    });
  }

  /// Rounding to double and then to float, without the care that is under test, must not pass.
  void theCasesAreHard_data() {
    QTest::addColumn<Kind>("kind");
    QTest::newRow("halfway") << Kind(halfway);
    QTest::newRow("halfway squares") << Kind(halfwaySquare);
    QTest::newRow("tiny") << Kind(tiny);
  }
  void theCasesAreHard() {
    QFETCH(Kind, kind);
    const FmaCases cases = casesOf(kind);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < cases.x.size(); ++i) {
      const double twice =
          static_cast<double>(cases.x[i]) * static_cast<double>(cases.y[i]) + static_cast<double>(cases.z[i]);
      wrong += same(static_cast<float>(twice), std::fma(cases.x[i], cases.y[i], cases.z[i])) ? 0 : 1;
    }
    QVERIFY2(wrong > 500, QByteArray::number(static_cast<qulonglong>(wrong)));
  }
};

QTEST_GUILESS_MAIN(TestCpuFma)
#include "tst_cpu_fma.moc"
