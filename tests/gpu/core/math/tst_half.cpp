// SPDX-License-Identifier: GPL-3.0-or-later
// Halves: every one of them, and what lies between two neighbours.
#include "gpu/core/math/half.hpp"

#include <QTest>

#include <limits>

using namespace lloyd;

class TestHalf : public QObject {
  Q_OBJECT

private slots:
  void valuesAreThoseOfTheStandard() {
    QCOMPARE(floatOf(0x0000), 0.0F);
    QCOMPARE(floatOf(0x0001), 0x1p-24F);
    QCOMPARE(floatOf(0x03ff), 0x1p-14F - 0x1p-24F);
    QCOMPARE(floatOf(0x0400), 0x1p-14F);
    QCOMPARE(floatOf(0x3c00), 1.0F);
    QCOMPARE(floatOf(0xc001), -2.0F - 0x1p-9F);
    QCOMPARE(floatOf(0x7bff), 65504.0F);
    QCOMPARE(floatOf(0xfc00), -std::numeric_limits<float>::infinity());
    QVERIFY(std::isnan(floatOf(0x7e00)));
    QVERIFY(std::signbit(floatOf(0x8000)));
  }

  void everyHalfComesBack() {
    for (unsigned half = 0; half < 0x10000; ++half) {
      const float value = floatOf(static_cast<std::uint16_t>(half));
      if (std::isnan(value))
        QVERIFY(std::isnan(floatOf(halfOf(value))));
      else
        QCOMPARE(unsigned{halfOf(value)}, half);
    }
  }

  /// The middle goes to the even one, and what is a bit off it to the nearer one.
  void betweenTwoTheNearerIsTaken() {
    for (unsigned low = 0; low < 0x7bff; ++low) {
      const float middle =
          (floatOf(static_cast<std::uint16_t>(low)) + floatOf(static_cast<std::uint16_t>(low + 1))) / 2;
      for (const unsigned sign : {0U, 0x8000U}) {
        const float signedMiddle = sign != 0 ? -middle : middle;
        QCOMPARE(unsigned{halfOf(signedMiddle)}, sign | (low % 2 == 0 ? low : low + 1));
        QCOMPARE(unsigned{halfOf(std::nextafter(signedMiddle, 0.0F))}, sign | low);
        QCOMPARE(unsigned{halfOf(std::nextafter(signedMiddle, sign != 0 ? -1e9F : 1e9F))}, sign | (low + 1));
      }
    }
  }

  void whatHasNoRoomIsInfinite() {
    QCOMPARE(unsigned{halfOf(65519.0F)}, 0x7bffU);
    QCOMPARE(unsigned{halfOf(65520.0F)}, 0x7c00U);
    QCOMPARE(unsigned{halfOf(-3e38F)}, 0xfc00U);
    QCOMPARE(unsigned{halfOf(0x1p-25F)}, 0U); // the middle of 0 and the least
    QCOMPARE(unsigned{halfOf(std::numeric_limits<float>::denorm_min())}, 0U);
  }
};

QTEST_APPLESS_MAIN(TestHalf)
#include "tst_half.moc"
