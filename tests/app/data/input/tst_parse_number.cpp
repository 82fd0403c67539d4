// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/parse_number.hpp"
#include "tests/support/comma_locale.hpp"

#include <QTest>

#include <cstdlib>

using namespace lloyd;

class TestParseNumber : public QObject {
  Q_OBJECT
private slots:
  void fields_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<float>("value");
    const auto row = [](const char* text, FieldKind kind, float value = 0) {
      QTest::newRow(*text != '\0' ? text : "empty") << QByteArray(text) << static_cast<int>(kind) << value;
    };
    row("1.5", FieldKind::number, 1.5F);
    row("+1.5", FieldKind::number, 1.5F);
    row(" 1.5\t", FieldKind::number, 1.5F);
    row("-.5", FieldKind::number, -0.5F);
    row("2.", FieldKind::number, 2.0F);
    row("1e3", FieldKind::number, 1000.0F);
    row("1E+3", FieldKind::number, 1000.0F);
    row("16777217", FieldKind::number, 16777216.0F);
    row("1e-45", FieldKind::number, 1.4e-45F);
    row("3.4e38", FieldKind::number, 3.4e38F);
    row("1e-60", FieldKind::number, 0.0F);
    row("1e-999", FieldKind::number, 0.0F);
    row("-0.000001e-400", FieldKind::number, 0.0F);
    row("1e-99999999999999999999", FieldKind::number, 0.0F);
    row("nan", FieldKind::notFinite);
    row("-inf", FieldKind::notFinite);
    row("Infinity", FieldKind::notFinite);
    row("3.5e38", FieldKind::tooLarge);
    row("1e999", FieldKind::tooLarge);
    row("1e99999999999999999999", FieldKind::tooLarge);
    row("", FieldKind::missing);
    row(" \t ", FieldKind::missing);
    row("1.5abc", FieldKind::text);
    row("0x1p3", FieldKind::text);
    row("1e", FieldKind::text);
    row("+-1", FieldKind::text);
    row("++1", FieldKind::text);
    row("+", FieldKind::text);
    row("1 2", FieldKind::text);
    row("1,5", FieldKind::text);
    row("2020-01-01", FieldKind::text);
    row("setosa", FieldKind::text);
  }
  void fields() {
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    QFETCH(float, value);
    const ParsedField field = parseField({text.constData(), static_cast<std::size_t>(text.size())});
    QCOMPARE(static_cast<int>(field.kind), kind);
    if (field.kind == FieldKind::number) QCOMPARE(field.value, value);
  }
  void decimalComma() {
    QCOMPARE(parseField("1,5", ',').value, 1.5F);
    QCOMPARE(parseField("-0,25", ',').value, -0.25F);
    QCOMPARE(parseField("1.5", ',').value, 1.5F);
    QCOMPARE(parseField("1.000,5", ',').kind, FieldKind::text);
    QCOMPARE(parseField("1,000,5", ',').kind, FieldKind::text);
  }
  /// Decimal commas in the locale must not reach the parser.
  void otherLocale() {
    const test::CommaLocale locale;
    if (!locale.isSet()) QSKIP("there is no locale with a decimal comma, and none can be made");
    QCOMPARE(std::strtod("1,5", nullptr), 1.5); // it is in force
    const ParsedField field = parseField("1.5");
    const bool comma = parseField("1,5").kind == FieldKind::text;
    QCOMPARE(field.value, 1.5F);
    QVERIFY(comma);
  }
  void counts() {
    QCOMPARE(parseCount("65536"), 65536U);
    QCOMPARE(parseCount("1e6"), 1000000U);
    QCOMPARE(parseCount("2.5e5"), 250000U);
    QCOMPARE(parseCount("2^20"), 1048576U);
    QCOMPARE(parseCount("2^63"), std::uint64_t{1} << 63);
    QCOMPARE(parseCount("18446744073709551615"), ~std::uint64_t{0});
    for (const char* bad :
         {"", "-1", "1.5", "2^64", "10^30", "1e30", "abc", "2^", "^2", "1e6x", "nan", "0x10", "3^41"}) {
      QVERIFY2(!parseCount(bad), bad);
    }
  }
};

QTEST_GUILESS_MAIN(TestParseNumber)
#include "tst_parse_number.moc"
