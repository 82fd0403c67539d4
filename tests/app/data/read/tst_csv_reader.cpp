// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/table/table.hpp"
#include "tests/app/data/data_support.hpp"
#include "tests/support/comma_locale.hpp"

using namespace lloyd;
using namespace lloyd::test;

using Rows = std::vector<std::vector<float>>;
Q_DECLARE_METATYPE(Rows)

class TestCsvReader : public QObject {
  Q_OBJECT
private slots:
  void tables_data();
  void tables();
  void otherLocale();
  void decimalsAreThoseOfTheFile_data();
  void decimalsAreThoseOfTheFile();
  void missingValuesDropTheirRows();
  void numbersBeyondSinglePrecisionAreCalledThat();
  void textColumnsAreLeftOutAndSaid();
  void columnsByNameAndIndex();
  void theColumnOfNoTextIsThatOfACharacter();
  void headerOrNot();
  void columnsThatAreNotThere();
  void mixedColumnSaysWhere();
  void wideTable();
  void recordsLongerThanTheBuffer();
  void manyRowsAcrossChunks();
  void progressAndCancel();
  void manyTextColumnsAreOneWalk();
  void aFileThatShrinksIsRefused();
  void aFileThatIsDeletedIsReadToItsEnd();
  void hugeNamesAreCut();

private:
  [[nodiscard]] tl::expected<PointSet, ReadError> text(const char* name, const QByteArray& bytes,
                                                       std::vector<std::string> columns = {}) const {
    return readPoints(scratch_.write(name, bytes), {.columns = std::move(columns)});
  }
  Scratch scratch_;
};

void TestCsvReader::decimalsAreThoseOfTheFile_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("commas") << QByteArray("x,y\n1.5,2.125\n3.25,4\n");
  QTest::newRow("semicolons and points") << QByteArray("x;y\n1.5;2.125\n3.25;4\n");
  QTest::newRow("semicolons and decimal commas") << QByteArray("x;y\n1,5;2,125\n3,25;4\n");
  QTest::newRow("tabs and points") << QByteArray("x\ty\n1.5\t2.125\n3.25\t4\n");
}

/// Whatever parts the fields: figures have as many digits as the file.
void TestCsvReader::decimalsAreThoseOfTheFile() {
  QFETCH(QByteArray, bytes);
  const auto points = text("decimals.csv", bytes);
  REQUIRE_POINTS(points);
  QCOMPARE(points->decimals, (std::vector<int>{2, 3}));
  QCOMPARE(cellAt(*points, 1, 0), std::string("2.125"));
}

void TestCsvReader::tables_data() {
  QTest::addColumn<std::string>("name");
  QTest::addColumn<Rows>("rows");
  const auto file = [](const char* name, const Rows& rows) { QTest::newRow(name) << dataFile(name) << rows; };
  file("odd/semicolon_decimal_comma.csv", {{1.5F, 2.25F}, {-3.5F, 4}});
  file("odd/bom_crlf_no_final_newline.csv", {{1, 2}, {3, 4}});
  file("odd/quoted.csv", {{1.5F, 2}, {3, 4}});
  file("odd/quoted_newline.csv", {{1, 2}, {3, 4}});
  file("odd/comments.xyz", {{1, 2, 3}, {4, 5, 6}});
  file("odd/tabs.tsv", {{1.5F, 2}, {3, 4}});
  file("odd/single_column.txt", {{1}, {2}, {3}});
  file("odd/old_mac.csv", {{1, 2}, {3, 4}});
  file("odd/trailing_comma.csv", {{1, 2}, {3, 4}});
  const auto inlined = [&](const char* name, const QByteArray& bytes, const Rows& rows) {
    QTest::newRow(name) << scratch_.write(name, bytes) << rows;
  };
  inlined("one number", "5", {{5}});
  inlined("comma and blank", "1, 2\n3, 4\n", {{1, 2}, {3, 4}});
  inlined("plus signs", "+1,+2\n3,4\n", {{1, 2}, {3, 4}});
  inlined("blank lines", "\n\n1,2\n\n \t\n3,4\n\n", {{1, 2}, {3, 4}});
  inlined("semicolon with points", "1.5;2\n3.5;4\n", {{1.5F, 2}, {3.5F, 4}});
  inlined("tab with commas", "1,5\t2,5\n3\t4\n", {{1.5F, 2.5F}, {3, 4}});
  inlined("title above one column", "my own values\n1\n2\n", {{1}, {2}});
  inlined("quote within a field", "name,x\n5\" disk,1\n3\" disk,2\n", {{1}, {2}});
  inlined("delimiter in quotes", "name,x\n\"a,b\",1\n\"c,d\",2\n", {{1}, {2}});
  inlined("blank before a quote", "x, y\n1, \"2\"\n", {{1, 2}});
  inlined("all quoted, blanks between", "\"1\" \"2\"\n\"3\"  \"4\"\n", {{1, 2}, {3, 4}});
  inlined("denormal and tiny", "1e-45,1e-99\n1,1\n", {{1.4e-45F, 0}, {1, 1}});
}

void TestCsvReader::tables() {
  QFETCH(std::string, name);
  QFETCH(Rows, rows);
  const auto points = readPoints(name);
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, rows.size());
  QCOMPARE(points->inputRows, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    QCOMPARE(row(*points, i), rows[i]);
  QCOMPARE(points->columns.size(), static_cast<std::size_t>(points->d));
  QCOMPARE(points->scales.size(), static_cast<std::size_t>(points->d));
  QVERIFY(points->scales.front() == ColumnScale{});
}

void TestCsvReader::otherLocale() {
  const test::CommaLocale locale;
  if (!locale.isSet()) QSKIP("there is no locale with a decimal comma, and none can be made");
  const auto points = text("locale.csv", "x,y\n1.5,2.5\n");
  const auto commas = text("commas.csv", "x;y\n1,5;2,5\n");
  REQUIRE_POINTS(points);
  REQUIRE_POINTS(commas);
  QCOMPARE(row(*points, 0), (std::vector<float>{1.5F, 2.5F}));
  QCOMPARE(row(*commas, 0), (std::vector<float>{1.5F, 2.5F}));
}

void TestCsvReader::missingValuesDropTheirRows() {
  const auto points = readPoints(dataFile("odd/missing.csv"));
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 2U);
  QCOMPARE(points->inputRows, 6U);
  QCOMPARE(points->dropped, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  QCOMPARE(row(*points, 1), (std::vector<float>{7, 8}));
  QCOMPARE(points->remarks.size(), 1U);
  QVERIFY(points->remarks.front().starts_with("4 of 6 rows"));
}

void TestCsvReader::numbersBeyondSinglePrecisionAreCalledThat() {
  const auto remark = [this](const QByteArray& bytes) {
    const auto points = text("large.csv", bytes);
    return points && points->remarks.size() == 1 ? points->remarks.front() : std::string("no remark");
  };
  const std::string beyond = "outside the range of single precision, which ends at 3.40e38";
  QCOMPARE(remark("x\n1\n1e300\n3\n"), "1 of 3 rows left out: a value is " + beyond);
  QCOMPARE(remark("x\n1\n1e300\ninf\n3\n"),
           "2 of 4 rows left out: a value is missing or not a finite number, or " + beyond);
  QCOMPARE(remark("x\n1\n-inf\n3\n"),
           std::string("1 of 3 rows left out: a value is missing or not a finite number"));
  QCOMPARE(text("none.csv", "x\n1e300\n-1e39\n").error().message,
           "no points are left: in every row a value is " + beyond);
}

void TestCsvReader::textColumnsAreLeftOutAndSaid() {
  const auto points = text("species.csv", "name,x,,y\nnan,1,,2\nB,3,,4\n");
  REQUIRE_POINTS(points);
  QCOMPARE(points->columns, (std::vector<std::string>{"x", "y"}));
  QVERIFY(points->dropped.empty());
  QCOMPARE(points->remarks,
           (std::vector<std::string>{"columns \"name\", \"column 2\" hold no numbers and are left out"}));
}

void TestCsvReader::columnsByNameAndIndex() {
  const QByteArray table = "name,x,y,z\na,1,2,oops\nb,3,4,5\n";
  const auto named = text("named.csv", table, {"y", "x"});
  REQUIRE_POINTS(named);
  QCOMPARE(named->columns, (std::vector<std::string>{"y", "x"}));
  QCOMPARE(row(*named, 0), (std::vector<float>{2, 1}));
  const auto indexed = text("indexed.csv", table, {"1", " y "});
  REQUIRE_POINTS(indexed);
  QCOMPARE(row(*indexed, 1), (std::vector<float>{3, 4}));
  const auto years = text("years.csv", "id,2020,2021\n1,2,3\n", {"id", "2021"});
  REQUIRE_POINTS(years);
  QCOMPARE(row(*years, 0), (std::vector<float>{1, 3}));
}

void TestCsvReader::headerOrNot() {
  const auto bare = text("bare.csv", "1,2\n3,4\n");
  REQUIRE_POINTS(bare);
  QCOMPARE(bare->columns, (std::vector<std::string>{"column 0", "column 1"}));
  const auto labelled = text("labelled.csv", "5.1,setosa\n4.9,setosa\n");
  REQUIRE_POINTS(labelled);
  QCOMPARE(labelled->n, 2U);
  const auto named = text("header.csv", "x,y\n3,4\n");
  REQUIRE_POINTS(named);
  QCOMPARE(named->n, 1U);
  QCOMPARE(named->columns, (std::vector<std::string>{"x", "y"}));
}

void TestCsvReader::columnsThatAreNotThere() {
  const QByteArray table = "name,x,x\na,1,2\nb,3,4\n";
  const auto sentence = [&](std::vector<std::string> columns) {
    const auto points = text("absent.csv", table, std::move(columns));
    return points ? std::string() : points.error().message;
  };
  QCOMPARE(sentence({"q"}), std::string("there is no column \"q\"; there is name, x, x"));
  QCOMPARE(sentence({"3"}), std::string("there is no column 3; there are 3 columns, counted from 0"));
  QVERIFY(sentence({"x"}).starts_with("several columns are called \"x\""));
  QVERIFY(sentence({"1", "1"}).ends_with("is asked for twice"));
  QCOMPARE(sentence({"name"}), std::string("column \"name\" holds no numbers, so it cannot be clustered"));
}

void TestCsvReader::mixedColumnSaysWhere() {
  const auto points = text("mixed.csv", "x,y\n1,2\n\n3,  äbc\n");
  QVERIFY(!points);
  QCOMPARE(points.error().line, 4U);
  QCOMPARE(points.error().column, 5U);
  QVERIFY(points.error().sentence().ends_with(
      "mixed.csv:4:5: expected a number, found \"äbc\", in \"y\", which holds "
      "numbers in other rows; correct the value, or choose other columns"));
  const auto early = text("early.csv", "x,y\nabc,2\n4,5\n");
  QVERIFY(!early);
  QCOMPARE(early.error().line, 2U);
  QCOMPARE(early.error().column, 1U);
}

void TestCsvReader::wideTable() {
  constexpr int columns = 100000;
  QByteArray line;
  for (int c = 0; c < columns; ++c)
    line += c == 0 ? "1" : ",1";
  const auto points = text("wide.csv", line + "\n" + line + "\n");
  REQUIRE_POINTS(points);
  QCOMPARE(points->d, columns);
  QCOMPARE(points->n, 2U);
  const auto tooWide = text("too_wide.csv", QByteArray(1200000, ','));
  QVERIFY(!tooWide);
  QVERIFY(tooWide.error().message.starts_with("more than 1,048,576 columns"));
}

void TestCsvReader::recordsLongerThanTheBuffer() {
  const QByteArray note(1500000, 'n');
  const auto points = text("long.csv", "note,x\n\"" + note + "\n" + note + "\",1\n" + note + ",2\n");
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 2U);
  QCOMPARE(row(*points, 1), (std::vector<float>{2}));
  const auto open = text("open.csv", "note,x\n1,2\n\"" + QByteArray(900000, '\n'));
  QVERIFY(!open);
  QCOMPARE(open.error().line, 3U);
  QVERIFY(open.error().message.find("never closed") != std::string::npos);
}

void TestCsvReader::manyRowsAcrossChunks() {
  QByteArray table = "x,y\n";
  for (int i = 0; i < 200000; ++i)
    table += QByteArray::number(2 * i) + "," + QByteArray::number(-0.5 * i) + "\n";
  const auto points = text("many.csv", table + "1,abc\n");
  QVERIFY(!points);
  QCOMPARE(points.error().line, 200002U);
  const auto good = text("good.csv", table);
  REQUIRE_POINTS(good);
  QCOMPARE(good->n, 200000U);
  for (std::size_t i = 0; i < good->n; ++i) {
    const auto x = static_cast<float>(i);
    if (good->row(0)[i] != 2 * x || good->row(1)[i] != -0.5F * x) QFAIL("a row moved");
  }
}

void TestCsvReader::progressAndCancel() {
  QByteArray table;
  for (int i = 0; i < 200000; ++i)
    table += "1,2\n";
  const std::string path = scratch_.write("progress.csv", table);
  double last = 0;
  int calls = 0;
  ReadControl control;
  control.progress = [&](std::uint64_t, double fraction) {
    QVERIFY(fraction >= last && fraction <= 1);
    last = fraction;
    ++calls;
  };
  const auto whole = readPoints(path, {}, control);
  REQUIRE_POINTS(whole);
  QCOMPARE(last, 1.0);
  QVERIFY(calls > 3);

  std::atomic<bool> cancel{false};
  std::uint64_t rows = 0;
  control.cancel = &cancel;
  control.progress = [&](std::uint64_t count, double) {
    rows = count;
    cancel = true;
  };
  const auto cancelled = readPoints(path, {}, control);
  QVERIFY(!cancelled);
  QVERIFY(cancelled.error().cancelled);
  QVERIFY(rows < 150000);
}

/// Where text stands is asked for once a column. Were each answer a walk from the start of the record, these
/// would be 3 x 10^11 bytes, and the test would run into its limit.
void TestCsvReader::manyTextColumnsAreOneWalk() {
  constexpr int count = 500'000;
  QByteArray record;
  for (int c = 0; c < count; ++c)
    record += c == 0 ? "1" : ",a";
  const auto points = text("wide_text.csv", record + '\n' + record + '\n');
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, std::size_t{2});
  QCOMPARE(points->d, 1);

  // The place is still that of the text, on whichever line of the record it stands.
  const auto mixed = text("place.csv", "x,y,z\n\"a\nä\",\"bc\",1\n2,\"d\",3\n", {"x"});
  QVERIFY(!mixed);
  QCOMPARE(mixed.error().line, std::uint64_t{2});
  QCOMPARE(mixed.error().column, std::uint64_t{1});
  const auto second = text("place2.csv", "x,y,z\n\"a\nä\",\"bc\",1\n2,7,3\n", {"y"});
  QVERIFY(!second);
  QCOMPARE(second.error().line, std::uint64_t{3});
  QCOMPARE(second.error().column, std::uint64_t{4});
}

void TestCsvReader::theColumnOfNoTextIsThatOfACharacter() {
  const auto odd = text("odd.csv", QByteArray("x,y\nä€") + QByteArray(20, '\x01') + "\n1,2\n");
  QVERIFY(!odd);
  QCOMPARE(odd.error().line, std::uint64_t{2});
  QCOMPARE(odd.error().column, std::uint64_t{3});
}

void TestCsvReader::aFileThatShrinksIsRefused() {
  QByteArray rows;
  for (int i = 0; i < 200'000; ++i)
    rows += "1.25,2.5\n";
  const std::string path = scratch_.write("shrinking.csv", rows);
  bool cut = false;
  ReadControl control;
  control.progress = [&](std::size_t, double) {
    if (!cut) cut = QFile::resize(QString::fromStdString(path), rows.size() / 2);
  };
  const auto points = readPoints(path, {}, control);
  QVERIFY(cut);
  QVERIFY(!points);
  QVERIFY2(points.error().message.find("became shorter while it was read") != std::string::npos,
           points.error().sentence().c_str());
}

void TestCsvReader::aFileThatIsDeletedIsReadToItsEnd() {
  const std::string path = scratch_.write("deleted.csv", QByteArray("1.25,2.5\n").repeated(200'000));
  bool gone = false;
  ReadControl control;
  control.progress = [&](std::size_t, double) {
    if (!gone) gone = QFile::remove(QString::fromStdString(path));
  };
  const auto points = readPoints(path, {}, control);
  QVERIFY(gone);
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 200'000U);
}

/// A window lays out every name it shows.
void TestCsvReader::hugeNamesAreCut() {
  const auto points = text("names.csv", "x," + QByteArray("\u00e9").repeated(500'000) + "\n1,2\n");
  REQUIRE_POINTS(points);
  const QString name = QString::fromStdString(points->columns[1]);
  QCOMPARE(name, QString(100, QChar(0xe9)) + QChar(0x2026));
}

QTEST_GUILESS_MAIN(TestCsvReader)
#include "tst_csv_reader.moc"
