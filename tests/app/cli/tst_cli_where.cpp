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
