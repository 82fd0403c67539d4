// SPDX-License-Identifier: GPL-3.0-or-later
// A text table keeps every column, with its type, range, missing values and role.
#include "app/data/precision/figures.hpp"
#include "app/data/table/table.hpp"
#include "tests/app/data/data_support.hpp"

#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// Ten columns of twelve people.
QByteArray people() {
  QByteArray text = "id,name,age,income,city,height_m,score,label,email,note\n";
  constexpr std::array cities{"Bonn", "Ulm", "Kiel"};
  for (int i = 0; i < 12; ++i)
    text += QByteArray::number(i + 1) + ",person " + QByteArray::number(i) + ',' +
            (i == 5 ? QByteArray() : QByteArray::number(20 + 3 * i)) + ',' +
            QByteArray::number(30000 + 1700 * i) + ".50," + cities[static_cast<std::size_t>(i % 3)] + ",1." +
            QByteArray::number(60 + i) + ',' + QByteArray::number(i * i) + ',' + QByteArray::number(i % 2) +
            ",p" + QByteArray::number(i) + "@example.org,\n";
  return text;
}

QStringList rolesOf(const PointSet& points) {
  QStringList roles;
  for (const TableColumn& column : points.table->columns)
    roles << QString::fromUtf8(name(column.role).data());
  return roles;
}

} // namespace

class TestTable : public QObject {
  Q_OBJECT

  [[nodiscard]] tl::expected<PointSet, ReadError> read(const QByteArray& text,
                                                       const ReadOptions& options = {}) const {
    return readPoints(scratch_.write("table.csv", text), options);
  }
  Scratch scratch_;

private slots:
  void everyColumnIsKept() {
    const auto points = read(people());
    REQUIRE_POINTS(points);
    const Table& table = *points->table;
    QCOMPARE(table.rows, 12U);
    QCOMPARE(table.columns.size(), 10U);
    QCOMPARE(rolesOf(*points), (QStringList{"ignore", "name", "feature", "feature", "ignore", "feature",
                                            "feature", "class", "ignore", "ignore"}));
    QCOMPARE(points->columns, (std::vector<std::string>{"age", "income", "height_m", "score"}));
    QCOMPARE(table.columns[2].missing, 1U);
    QCOMPARE(table.columns[9].missing, 12U);
    QCOMPARE(table.columns[9].type, ColumnType::empty);
    QCOMPARE(table.columns[3].low, 30000.5);
    QCOMPARE(table.columns[3].high, 48700.5);
    QCOMPARE(table.columns[4].words, (std::vector<std::string>{"Bonn", "Ulm", "Kiel"}));
    // The sixth row is dropped, so the sixth point is the seventh row.
    QCOMPARE(points->n, 11U);
    const std::vector<std::string> cells{"7",    "person 6", "38", "40200.50",       "Bonn",
                                         "1.66", "36",       "0",  "p6@example.org", ""};
    for (std::size_t c = 0; c < cells.size(); ++c)
      QCOMPARE(cellAt(*points, c, 5), cells[c]);
    QCOMPARE(numberAt(*points, 0, 5), std::optional(7.0));
    QCOMPARE(numberAt(*points, 3, 5), std::optional(40200.5));
    QVERIFY(!numberAt(*points, 1, 5));
  }

  void guessesAreSaid() {
    const auto points = read(people());
    REQUIRE_POINTS(points);
    const QString said = [&] {
      QString all;
      for (const std::string& remark : points->remarks)
        all += QString::fromStdString(remark) + '\n';
      return all;
    }();
    for (const char* part :
         {"column \"label\" is taken as the class, not as a feature: it holds 2 different whole numbers",
          "column \"name\" is taken as the name of each row",
          "column \"id\" is left out as an id: it numbers",
          "columns \"city\", \"email\", \"note\" hold no numbers and are left out", "1 of 12 rows left out"})
      QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
  }

  void whatIsAskedForCounts() {
    const auto asked = read(people(), {.columns = {"id", "age"}, .classColumn = "city", .nameColumn = ""});
    REQUIRE_POINTS(asked);
    QCOMPARE(asked->columns, (std::vector<std::string>{"id", "age"}));
    QCOMPARE(classNames(*asked), (std::vector<std::string>{"Bonn", "Ulm", "Kiel"}));
    QVERIFY(!asked->table->columnWith(ColumnRole::name));
    const auto none = read(people(), {.classColumn = ""});
    REQUIRE_POINTS(none);
    QVERIFY(!hasClass(*none));
    QCOMPARE(classOf(*none, 0), -1);
    QVERIFY(std::ranges::find(none->columns, "label") != none->columns.end());
    const auto twice = read(people(), {.columns = {"age", "label"}, .classColumn = "label"});
    QVERIFY(!twice);
    QVERIFY(QString::fromStdString(twice.error().message)
                .contains("\"label\" is asked for as a feature and as the class"));
    QVERIFY(!read(people(), {.classColumn = "colour"}));
  }

  void classesHaveACodeForEachPoint() {
    const auto points = read("x,kind\n1,b\n2,a\n3,\n4,b\nnan,c\n6,a\n7,a\n8,c\n", {.classColumn = "kind"});
    REQUIRE_POINTS(points);
    QCOMPARE(classNames(*points), (std::vector<std::string>{"b", "a", "c"}));
    QCOMPARE(classCodes(*points), (std::vector<std::int32_t>{0, 1, -1, 0, 1, 1, 2}));
    const auto numbers = read("x,y\n5,2.5\n6,1\n7,2.5\n", {.classColumn = "y"});
    REQUIRE_POINTS(numbers);
    QCOMPARE(classNames(*numbers), (std::vector<std::string>{"2.5", "1.0"}));
    QCOMPARE(classCodes(*numbers), (std::vector<std::int32_t>{0, 1, 0}));
    QCOMPARE(numberAt(*numbers, 1, 1), std::optional(1.0));
  }

  void idsAreGuessed_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArrayList>("ids");
    QTest::addColumn<bool>("guessed");
    const auto range = [](int first, int step, int count) {
      QByteArrayList all;
      for (int i = 0; i < count; ++i)
        all << QByteArray::number(first + i * step);
      return all;
    };
    QTest::newRow("from 1") << QByteArray("a") << range(1, 1, 10) << true;
    QTest::newRow("from 0") << QByteArray("a") << range(0, 1, 10) << true;
    QTest::newRow("from 2") << QByteArray("a") << range(2, 1, 10) << false;
    QTest::newRow("from -1") << QByteArray("a") << range(-1, 1, 10) << false;
    QTest::newRow("in twos") << QByteArray("a") << range(1, 2, 10) << false;
    QTest::newRow("few rows") << QByteArray("a") << range(1, 1, 9) << false;
    QTest::newRow("called id") << QByteArray("Customer_ID") << range(900, 7, 5) << true;
    QTest::newRow("called index") << QByteArray("index") << range(5, -1, 5) << true;
    QTest::newRow("an id twice") << QByteArray("id") << QByteArrayList{"3", "3", "5"} << false;
    QTest::newRow("no whole number") << QByteArray("id") << QByteArrayList{"3", "4.5", "5"} << false;
    QTest::newRow("a grid") << QByteArray("grid") << range(900, 7, 5) << false;
  }
  void idsAreGuessed() {
    QFETCH(QByteArray, header);
    QFETCH(QByteArrayList, ids);
    QFETCH(bool, guessed);
    QByteArray text = header + ",value\n";
    for (const QByteArray& id : ids)
      text += id + ",0.5\n";
    const auto points = read(text);
    REQUIRE_POINTS(points);
    QCOMPARE(points->columns.front() == "value", guessed);
    // Alone, it is all that there is.
    const auto alone = read(header + '\n' + ids.join('\n') + '\n');
    REQUIRE_POINTS(alone);
    QCOMPARE(alone->d, 1);
  }

  /// Numbers in a column that is no feature may have text between them, and are kept as they are.
  void mixedColumnsAreText() {
    const auto points = read("x,code\n1,7\n2,B7\n3,8\n", {.columns = {"x"}});
    REQUIRE_POINTS(points);
    QCOMPARE(points->table->columns[1].type, ColumnType::text);
    QCOMPARE(cellAt(*points, 1, 0), std::string("7"));
    QCOMPARE(cellAt(*points, 1, 1), std::string("B7"));
    QVERIFY(!read("x,code\n1,7\n2,B7\n3,8\n"));
  }

  void raggedRowsAreDroppedOnRequest() {
    const QByteArray text = "x,y\n1,2\n3\n5,6\n7,8,9\nnan,4\n";
    const auto refused = read(text);
    QVERIFY(!refused);
    QCOMPARE(refused.error().remedy, Remedy::dropRagged);
    QCOMPARE(refused.error().line, 3U);
    const auto points = read(text, {.dropRagged = true});
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 2U);
    QCOMPARE(points->inputRows, 5U);
    QCOMPARE(points->dropped, (std::vector<std::uint64_t>{1, 3, 4}));
    QCOMPARE(points->table->ragged, (std::vector<std::uint64_t>{1, 3}));
    QCOMPARE(points->remarks,
             (std::vector<std::string>{
                 "2 of 5 rows left out: more or fewer fields than the 2 of line 1, first in line 3",
                 "1 of 5 rows left out: a value is missing or not a finite number"}));
    QVERIFY(!read("x,y\n1,2\n3,\"4\n", {.dropRagged = true}));
  }

  /// With digits that float32 has not, and none that the file has not.
  void figuresAreThoseOfTheFile() {
    const auto points = read("east,north,part,long\n500000.01,5400000.25,0.5,0.123456789012\n"
                             "500012.34,5400321.70,-1.25,1.123456789013\n499987.99,5399876.05,2.00,12.5\n");
    REQUIRE_POINTS(points);
    QCOMPARE(cellAt(*points, 0, 0), std::string("500000.01"));
    QCOMPARE(cellAt(*points, 1, 1), std::string("5400321.70"));
    QCOMPARE(cellAt(*points, 2, 1), std::string("-1.25"));
    QCOMPARE(cellAt(*points, 3, 1), std::string("1.123456789013"));
    QCOMPARE(figureText(*points, 0, points->row(0)[2]), std::string("499987.99"));
    QCOMPARE(figureText(*points, 2, points->row(2)[0]), std::string("0.50"));
    const auto scaled = readPoints(scratch_.path("table.csv"), {.scale = Scale::minmax});
    REQUIRE_POINTS(scaled);
    QCOMPARE(cellAt(*scaled, 1, 1), std::string("5400321.70"));
  }

  /// One byte a row of a class, none for row numbers and for features that single precision holds.
  void cellsAreNarrow() {
    QByteArray text = "id,x,kind\n";
    constexpr int rows = 20000;
    for (int i = 0; i < rows; ++i)
      text += QByteArray::number(i) + ',' + QByteArray::number(i % 97) + ".5," + (i % 2 == 0 ? "a\n" : "b\n");
    const auto points = read(text);
    REQUIRE_POINTS(points);
    QCOMPARE(points->d, 1);
    const std::size_t bytes = points->table->bytes();
    QVERIFY2(bytes >= rows && bytes < rows + 2000, qPrintable(QString::number(bytes)));
  }
};

QTEST_GUILESS_MAIN(TestTable)
#include "tst_table.moc"
