// SPDX-License-Identifier: GPL-3.0-or-later
// The ends and the finiteness of columns of any length, with the ends and the odd values in any place.
#include "gpu/core/data/box.hpp"

#include <QTest>

#include <limits>
#include <vector>

using namespace lloyd;

class TestValueRange : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void findsEndsAnywhere();
  void noticesWhatIsNotFinite_data();
  void noticesWhatIsNotFinite();
  void hasNoEndsWithoutValues();
};

void TestValueRange::findsEndsAnywhere() {
  for (const std::size_t n : {2, 31, 32, 33, 64, 100}) {
    for (std::size_t place = 0; place < n; ++place) {
      std::vector<float> values(n, 1.5F);
      values[place] = -7;
      values[(place + 1) % n] = 9;
      const ValueRange range = valueRange(values);
      QCOMPARE(range.low, -7.0F);
      QCOMPARE(range.high, 9.0F);
      QVERIFY(range.finite);
    }
  }
}

void TestValueRange::noticesWhatIsNotFinite_data() {
  QTest::addColumn<float>("odd");
  QTest::newRow("not a number") << std::numeric_limits<float>::quiet_NaN();
  QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
  QTest::newRow("minus infinite") << -std::numeric_limits<float>::infinity();
}

void TestValueRange::noticesWhatIsNotFinite() {
  QFETCH(float, odd);
  for (std::size_t place = 0; place < 100; ++place) {
    std::vector<float> values(100, std::numeric_limits<float>::max());
    QVERIFY(valueRange(values).finite);
    values[place] = odd;
    QVERIFY2(!valueRange(values).finite, qPrintable(QString::number(place)));
  }
}

void TestValueRange::hasNoEndsWithoutValues() {
  const ValueRange range = valueRange({});
  QVERIFY(range.low > range.high);
  QVERIFY(range.finite);
}

QTEST_APPLESS_MAIN(TestValueRange)
#include "tst_value_range.moc"
