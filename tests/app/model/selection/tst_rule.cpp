// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/read_points.hpp"
#include "app/data/table/table.hpp"
#include "app/model/selection/rule.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <numeric>

using namespace lloyd;

namespace {

/// name, income and age of nine people; one has no income, which drops nobody because it is no feature.
constexpr const char* people = "name,age,kind,\"years, in all\",cluster,income\n"
                               "Ann,31,a,3.5,7,3.1\n"
                               "Bob,45,b,12,8,4\n"
                               "Cid,28,a,0.1,7,\n"
                               "Dee,39,b,8,8,2.9\n"
                               "Eve,52,a,20.25,7,3\n"
                               "Fay,33,c,4,8,10\n"
                               "Gus,61,c,30,7,-2\n"
                               "Hal,45,b,15,8,3.0000001\n"
                               "Ida,24,\"c d\",1,7,7\n";

PointSet read(const char* text, const ReadOptions& options) {
  const QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("people.csv")));
  if (file.open(QIODevice::WriteOnly)) file.write(text);
  file.close();
  auto points = readPoints(file.fileName().toStdString(), options);
  return points ? std::move(*points) : PointSet{};
}

PointSet readPeople() {
  return read(people, {.columns = {"age", "years, in all"}, .classColumn = "kind", .nameColumn = "name"});
}

/// The rows that meet it, from 1; the error where it is wrong.
QString meet(const PointSet& points, const char* text, const std::vector<Label>& labels = {}) {
  const auto rule = Rule::parse(text, points, labels.empty() ? RuleClusters::unknown : RuleClusters::known);
  if (!rule) return QString::fromStdString(rule.error());
  const std::vector<std::uint8_t> met = rule->matches(points, labels);
  QStringList rows;
  for (std::size_t i = 0; i < met.size(); ++i)
    if (met[i] != 0) rows << QString::number(i + 1);
  return rows.join(QLatin1Char(' '));
}

} // namespace

class TestRule : public QObject {
  Q_OBJECT
private slots:
  void rules_data() {
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("rows");
    const auto row = [](const char* rule, const char* rows) { QTest::newRow(rule) << rule << rows; };
    row("age < 31", "3 9");
    row("age <= 31", "1 3 9");
    row("age > 45", "5 7");
    row("age >= 45", "2 5 7 8");
    row("age == 45", "2 8");
    row("age != 45", "1 3 4 5 6 7 9");
    row("45 < age", "5 7");
    row("income > 3", "1 2 6 8 9"); // the file's digits, beyond single precision
    row("income == 3.0000001", "8");
    row("income < -1.5e0", "7");
    row("income != 3", "1 2 4 6 7 8 9"); // a missing value meets nothing
    row("!(income != 3)", "3 5");        // and what is turned around is
    row("kind == a", "1 3 5");
    row("kind == 'a'", "1 3 5");
    row("kind == \"a\"", "1 3 5");
    row("\"a\" == kind", "1 3 5");
    row("kind != a", "2 4 6 7 8 9");
    row("kind == 'c d'", "9");
    row("kind == nobody", "");
    row("kind != nobody", "1 2 3 4 5 6 7 8 9");
    row("`years, in all` == 0.1", "3");
    row("\"years, in all\" > 19.5", "5 7");
    row("age > \"years, in all\"", "1 2 3 4 5 6 7 8 9");
    row("cluster == 1", "4 5 6");       // of the points
    row("`cluster` == 7", "1 3 5 7 9"); // the column
    row("age > 30 & age < 40", "1 4 6");
    row("age < 30 | age > 60", "3 7 9");
    row("age < 30 && age > 25 || age == 61", "3 7");
    row("age == 61 | age > 30 & age < 40", "1 4 6 7"); // & binds closer
    row("(age == 61 | age > 30) & age < 40", "1 4 6");
    row("!age > 30", "3 9"); // ! stands before a comparison
    row("!(age > 30 | kind == 'c d')", "3");
    row("!!(age > 50)", "5 7");
    row("income>3&cluster==2", "8 9");
  }
  void rules() {
    QFETCH(QString, rule);
    QFETCH(QString, rows);
    const PointSet points = readPeople();
    QCOMPARE(points.n, std::size_t{9});
    QCOMPARE(meet(points, rule.toUtf8().constData(), {0, 0, 0, 1, 1, 1, 2, 2, 2}), rows);
  }

  void mistakesSayWhere_data() {
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* rule, const char* says) { QTest::newRow(rule) << rule << says; };
    row("", "character 1: expected a rule, as in name > 3, found nothing");
    row("agee > 3", "character 1: expected a column, found agee; the columns are name, age, kind, years, in "
                    "all, cluster, income");
    row("age", "character 4: expected <, <=, >, >=, == or !=, found the end");
    row("age = 3", "character 5: expected == to compare, found a single =");
    row("age > ", "character 7: expected a column, a number or cluster, found the end");
    row("age > 3 & ", "character 11: expected a column, a number or cluster, found the end");
    row("(age > 3", "character 9: expected ), found the end");
    row("age > 3)", "character 8: expected & or | or the end, found )");
    row("kind > a", "character 6: expected == or !=, because kind holds text");
    row("age == 'x'",
        "character 8: expected a number or a column of numbers, because the other side holds no "
        "text");
    row("kind == 'x", "character 9: the quote ' never closes");
    row("kind == `age`", "character 9: expected a text in '...', because `...` names a column");
    row("age > 3 # 4", "character 9: expected a column, a number, cluster or an operator, found #");
    row("age > 1e999", "character 7: this number is beyond what double precision holds");
    row("age > 3 age < 4", "character 9: expected & or | or the end, found age");
    row("'ü' == age",
        "character 1: expected a number or a column of numbers, because the other side holds no "
        "text");
    row("kind == 'ü' & x > 3", "character 15: expected a column, found x; the columns are name, age, kind, "
                               "years, in all, cluster, income");
  }
  void mistakesSayWhere() {
    QFETCH(QString, rule);
    QFETCH(QString, says);
    QCOMPARE(meet(readPeople(), rule.toUtf8().constData(), std::vector<Label>(9, 0)), says);
  }

  void clustersMayBeUnknown() {
    QVERIFY(
        meet(readPeople(), "cluster == 1").startsWith(QStringLiteral("character 1: expected a column or")));
  }

  /// Nothing that is nested as deep as text is long takes the stack away.
  void deepNestingIsRefused() {
    const std::string deep = std::string(100'000, '(') + "age > 3";
    QVERIFY(meet(readPeople(), deep.c_str()).contains(QStringLiteral("more parentheses")));
    const std::string turned = std::string(100'000, '!') + "age > 3";
    QVERIFY(meet(readPeople(), turned.c_str()).contains(QStringLiteral("more parentheses")));
  }

  /// Rows that were dropped are not there, and those behind them have their own cells.
  void droppedRowsShiftNothing() {
    const PointSet points = read("name,x,y\nA,1,2\nB,,3\nC,4,5\nD,6,7\n", {.nameColumn = "name"});
    QCOMPARE(points.n, std::size_t{3});
    QCOMPARE(meet(points, "name == C"), QStringLiteral("2"));
    QCOMPARE(meet(points, "x >= 4"), QStringLiteral("2 3"));
  }

  /// Of points without a table, 0.1 is the nearest single number, and scaled ones are in their file's units.
  void arraysAreMeantAsTheyAre() {
    PointSet points;
    points.n = 3;
    points.d = 1;
    points.values = {0.1F, 0.2F, 0.3F};
    points.columns = {"x"};
    QCOMPARE(meet(points, "x == 0.1 | x > 0.2"), QStringLiteral("1 3"));
    points.scales = {{.offset = 10, .factor = 2, .shift = 0}};
    QCOMPARE(meet(points, "x > 10.3 & x < 10.5"), QStringLiteral("2"));
  }
};

QTEST_GUILESS_MAIN(TestRule)
#include "tst_rule.moc"
