// SPDX-License-Identifier: GPL-3.0-or-later
// run --where: the rows that meet a rule are clustered as if the file had no others.
#include "tests/app/cli/program.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

QStringList linesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly)
             ? QString::fromUtf8(file.readAll()).remove('\r').split('\n', Qt::SkipEmptyParts)
             : QStringList();
}

} // namespace

class TestWhere : public QObject {
  Q_OBJECT
private slots:
  void equalsAFileWithoutTheOthers() {
    const QTemporaryDir folder;
    // The flowers of two kinds, whose petals are longer than any setosa's.
    const QStringList all = linesOf(sampleData("iris.csv"));
    QFile part(folder.filePath("part.csv"));
    QVERIFY(part.open(QIODevice::WriteOnly));
    part.write(all.front().toUtf8() + '\n');
    for (const QString& line : all.mid(1))
      if (!line.endsWith("setosa")) part.write(line.toUtf8() + '\n');
    part.close();
    const QString labels = folder.filePath("labels.csv");
    const QStringList words{"--k", "2", "--seed", "3", "--backend", "cpu", "--json", "-", "--quiet"};
    const Outcome chosen =
        runProgram(QStringList{"run", sampleData("iris.csv"), "--where",
                               "petal_length_cm >= 2.5 & !(species == setosa)", "--labels-out", labels} +
                   words);
    QVERIFY2(chosen.status == 0, qPrintable(chosen.text()));
    const Outcome alone = runProgram(QStringList{"run", part.fileName()} + words);
    QVERIFY2(alone.status == 0, qPrintable(alone.text()));
    for (const char* key : {"k", "seed", "inertia", "iterations", "sizes", "centroids"})
      QCOMPARE(chosen.json().object()[key], alone.json().object()[key]);
    const QJsonObject data = chosen.json().object()["data"].toObject();
    QCOMPARE(data["source"].toString(), sampleData("iris.csv"));
    QCOMPARE(data["part"].toString(), QString("100 of 150 rows"));
    QCOMPARE(data["where"].toString(), QString("petal_length_cm >= 2.5 & !(species == setosa)"));
    // A label for every row of the file; none for those that were not chosen.
    const QStringList written = linesOf(labels);
    QCOMPARE(written.size(), 151);
    for (int row = 1; row <= 150; ++row)
      QCOMPARE(written[row] == "-1", all[row].endsWith("setosa"));
  }

  /// All rows of the file stay in the table, and the report's command chooses the same ones again.
  void writesTheWholeTableAndTheRule() {
    const QTemporaryDir folder;
    const QString table = folder.filePath("table.csv"), page = folder.filePath("page.html");
    const Outcome outcome =
        runProgram({"run", sampleData("iris.csv"), "--where", "species != 'setosa'", "--k", "2", "--backend",
                    "cpu", "--table-out", table, "--html", page});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY2(outcome.text().contains("(100 of 150 rows)"), qPrintable(outcome.text()));
    const QStringList all = linesOf(sampleData("iris.csv")), written = linesOf(table);
    QCOMPARE(written.size(), all.size());
    for (qsizetype row = 1; row < all.size(); ++row) {
      QVERIFY2(written[row].startsWith(all[row] + ','), qPrintable(written[row]));
      QCOMPARE(written[row].endsWith(",-1,"), all[row].endsWith("setosa"));
    }
    QVERIFY(linesOf(page).join('\n').contains("--where &#39;species != ") ||
            linesOf(page).join('\n').contains("--where 'species != "));
  }

  /// Every report tells the rule, for people and for programs.
  void everyReportTellsTheRule() {
    const QString rule = "petal_length_cm > 4.5";
    const QStringList run{"run", sampleData("iris.csv"), "--where", rule, "--backend", "cpu"};
    const auto report = [&](const QStringList& more) {
      const Outcome outcome = runProgram(run + more);
      return outcome.status == 0 ? QString::fromUtf8(outcome.out) : QString();
    };
    const QString told = rule + ", which 63 of 150 rows meet";
    for (const QStringList& more : {QStringList{}, {"--markdown", "-", "--quiet"}}) {
      QString text = report(more);
      QVERIFY2(text.remove('\\').contains(told), qPrintable(text));
    }
    const QStringList lines = report({"--csv", "-", "--k", "2", "--quiet"}).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[0].endsWith(",where") && lines[1].endsWith(',' + rule), qPrintable(lines.join('\n')));
    for (const QStringList& more :
         {QStringList{}, {"--markdown", "-", "--quiet"}, {"--csv", "-", "--quiet"}}) {
      QString text = report(more + QStringList{"--ks", "2:3"});
      QVERIFY2(text.remove('\\').contains(rule), qPrintable(text));
    }
  }

  /// All counts are of the rows of the file.
  void countsAreOfTheFile() {
    const QTemporaryDir folder;
    const QString table = folder.filePath("a.csv");
    QVERIFY(writeFile(table, "x,y\n1,1\n2,2\n3\n8,8\n9,9\n9,9,9\n"));
    const Outcome outcome =
        runProgram({"run", table, "--drop-ragged", "--where", "x > 5", "--k", "2", "--backend", "cpu"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    for (const char* said : {"a.csv (2 of 6 rows): 2 points, 2 dimensions, 2 rows dropped",
                             "x > 5, which 2 of 6 rows meet; 2 do not, and 2 were dropped",
                             "2 of 6 rows meet x > 5, 2 do not, and 2 were dropped"})
      QVERIFY2(outcome.text().contains(said), qPrintable(outcome.text()));
    const QString page = folder.filePath("a.html");
    QCOMPARE(runProgram({"run", table, "--drop-ragged", "--where", "x > 5", "--k", "2", "--backend", "cpu",
                         "--quiet", "--html", page})
                 .status,
             0);
    QVERIFY(linesOf(page).join('\n').contains("6 in the file: 2 clustered, 2 not chosen, 2 dropped"));
  }

  void mistakesAreOneSentence_data() {
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("says");
    QTest::newRow("no column") << "petal > 3"
                               << "character 1: expected a column, found petal";
    QTest::newRow("cluster") << "cluster == 1"
                             << "known only once all are clustered";
    QTest::newRow("nobody") << "petal_width_cm > 99"
                            << "none of the 150 rows";
  }
  void mistakesAreOneSentence() {
    QFETCH(QString, rule);
    QFETCH(QString, says);
    const Outcome outcome = runProgram({"run", sampleData("iris.csv"), "--where", rule, "--backend", "cpu"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.text().contains(says), qPrintable(outcome.text()));
  }
};

QTEST_GUILESS_MAIN(TestWhere)
#include "tst_cli_where.moc"
