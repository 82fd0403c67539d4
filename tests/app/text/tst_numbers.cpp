// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/numbers.hpp"

#include <QTest>

#include <limits>

using namespace lloyd;

class TestNumberText : public QObject {
  Q_OBJECT
private slots:
  void threeSignificantDigits_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 12345.6 << "12,300";
    QTest::newRow("rounding reaches the next power") << 999.6 << "1,000";
    QTest::newRow("tens") << 19.44 << "19.4";
    QTest::newRow("ones keep zeros") << 5.0 << "5.00";
    QTest::newRow("small") << 0.005123 << "0.00512";
    QTest::newRow("negative") << -1234567.0 << "-1,230,000";
    QTest::newRow("zero is known") << 0.0 << "0";
    QTest::newRow("large") << 3.2e12 << "3.2e12";
    QTest::newRow("not a number is unknown") << std::numeric_limits<double>::quiet_NaN() << unknownText();
  }
  void threeSignificantDigits() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(significantText(value), text);
  }

  void shortCountsHaveThreeDigits() {
    QCOMPARE(shortCountText(9999), QStringLiteral("9,999"));
    QCOMPARE(shortCountText(12345), QStringLiteral("12.3 k"));
    QCOMPARE(shortCountText(999499), QStringLiteral("999 k"));
    QCOMPARE(shortCountText(999500), QStringLiteral("1.00 M"));
    QCOMPARE(shortCountText(3378463), QStringLiteral("3.38 M"));
    QCOMPARE(shortCountText(4294967296), QStringLiteral("4.29 G"));
  }

  void countsAreExact() {
    QCOMPARE(countText(0), QStringLiteral("0"));
    QCOMPARE(countText(999), QStringLiteral("999"));
    QCOMPARE(countText(1048576), QStringLiteral("1,048,576"));
    QCOMPARE(countText(std::numeric_limits<std::uint64_t>::max()),
             QStringLiteral("18,446,744,073,709,551,615"));
  }

  void oneIsNoPlural() {
    QCOMPARE(pointsText(1), QStringLiteral("1 point"));
    QCOMPARE(pointsText(65536), QStringLiteral("65,536 points"));
    QCOMPARE(countedText(1, "%1 row is", "%1 rows are"), QStringLiteral("1 row is"));
    QCOMPARE(countedText(0, "%1 row is", "%1 rows are"), QStringLiteral("0 rows are"));
  }

  void unknownIsNeverZero() {
    QCOMPARE(microsecondsText(std::nullopt), unknownText());
    QCOMPARE(percentText(std::nullopt), unknownText());
    QCOMPARE(percentText(0.00001), QStringLiteral("<0.01"));
    QCOMPARE(percentText(0.0526), QStringLiteral("5.26"));
    QCOMPARE(factorText(9.47), QStringLiteral("9.5×"));
  }

  void separatorsLeaveOtherTextAlone() {
    QCOMPARE(withSeparators(QStringLiteral("-10000.25")), QStringLiteral("-10,000.25"));
    QCOMPARE(withSeparators(QStringLiteral("1e+06")), QStringLiteral("1e+06"));
  }
};

QTEST_GUILESS_MAIN(TestNumberText)
#include "tst_numbers.moc"
