// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/csv.hpp"
#include "app/text/strings.hpp"

#include <QTest>

#include <limits>

using namespace lloyd;

/// Texts of others on their way to a label or a terminal.
class TestStrings : public QObject {
  Q_OBJECT
private slots:
  void longWordsAreShortened_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shortened");
    QTest::newRow("nothing") << QString() << QString();
    QTest::newRow("short words") << QStringLiteral("2 columns: x,  y\nz")
                                 << QStringLiteral("2 columns: x,  y\nz");
    QTest::newRow("as long as may be") << QStringLiteral("12345678") << QStringLiteral("12345678");
    QTest::newRow("one more") << QStringLiteral("123456789") << QStringLiteral("1234567…");
    QTest::newRow("in a sentence") << QStringLiteral("a \"123456789\", b")
                                   << QStringLiteral("a \"123456…, b");
    QTest::newRow("a pair is not cut") << QStringLiteral("123456\U0001F4C8 123456\U0001F4C8789")
                                       << QStringLiteral("123456\U0001F4C8 123456…");
  }
  void longWordsAreShortened() {
    QFETCH(QString, text);
    QFETCH(QString, shortened);
    QCOMPARE(withShortWords(text, 8), shortened);
  }

  /// As many digits as the number has, and it is read back the same.
  void numbersAreExactAndShort() {
    QCOMPARE(exactText(1.45F), QStringLiteral("1.45"));
    QCOMPARE(exactText(1.45), QStringLiteral("1.45"));
    QCOMPARE(exactText(static_cast<double>(1.45F)), QStringLiteral("1.4500000476837158"));
    QCOMPARE(exactText(1e-30F).toFloat(), 1e-30F);
    QCOMPARE(exactText(std::numeric_limits<float>::infinity()), QString());
  }

  void aTerminalGetsNothingThatItObeys() {
    QCOMPARE(printable(QStringLiteral("a\x1b[31m\tb\n"), false), QStringLiteral("a?[31m\tb?"));
    QCOMPARE(printable(QStringLiteral("a\nb\u202e"), true), QStringLiteral("a\nb?"));
  }
};

QTEST_GUILESS_MAIN(TestStrings)
#include "tst_strings.moc"
