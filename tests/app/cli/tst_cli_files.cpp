// SPDX-License-Identifier: GPL-3.0-or-later
// Several files in one command: each is clustered as if it were alone, one after another or as sets of a
// schedule.
#include "tests/app/cli/program.hpp"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

const char* const keys[] = {"k",    "seed",      "inertia",  "iterations", "sizes",
                            "data", "centroids", "restarts", "converged"};

} // namespace

class TestFiles : public QObject {
  Q_OBJECT

private slots:
  void eachIsTheRunOfThatFile_data() {
    QTest::addColumn<QStringList>("how");
    QTest::newRow("one after another") << QStringList{};
    QTest::newRow("sync") << QStringList{"--schedule", "sync"};
    QTest::newRow("multi") << QStringList{"--schedule", "multi", "--streams", "3"};
    QTest::newRow("batched") << QStringList{"--schedule", "batched"};
  }
  void eachIsTheRunOfThatFile() {
    QFETCH(QStringList, how);
    // Of 150, 272 and 150 points in four, two and four dimensions.
    const QStringList files{sampleData("iris.csv"), sampleData("faithful.csv"), sampleData("iris.csv")};
    const QStringList words{"--k",    "3",         "--restarts", "4",      "--init",
                            "random", "--backend", "cpu",        "--json", "-"};
    const Outcome outcome = runProgram(QStringList{"run"} + files + words + how);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonArray runs = outcome.json().object()["runs"].toArray();
    QCOMPARE(runs.size(), files.size());
    for (int f = 0; f < files.size(); ++f) {
      const QJsonObject alone = runProgram(QStringList{"run", files[f]} + words).json().object();
      for (const char* key : keys)
        QCOMPARE(runs[f].toObject()[key], alone[key]);
    }
  }

  /// Sets of several k run at once like those of several files.
  void everyKIsASet() {
    const QStringList words{"run", sampleData("iris.csv"), "--restarts", "3",      "--backend",
                            "cpu", "--schedule",           "unordered",  "--json", "-"};
    const QJsonArray runs =
        runProgram(words + QStringList{"--ks", "2,5", "--scores", "none"}).json().object()["runs"].toArray();
    QCOMPARE(runs.size(), 2);
    for (int i = 0; i < 2; ++i) {
      const QString k = i == 0 ? "2" : "5";
      const QJsonObject alone = runProgram(words + QStringList{"--k", k}).json().object();
      for (const char* key : keys)
        QCOMPARE(runs[i].toObject()[key], alone[key]);
    }
  }

  /// Bands with all centroids in place need two iterations, the second of which changes nothing.
  void whatLateFlagsCostIsSaid() {
    const QStringList words{
        "--points", "bands:n=1000,d=1,spread=0", "--k", "16", "--init", "bands", "--backend", "cpu"};
    const QStringList late{"--schedule", "multi", "--late", "5"};
    const QByteArray text = runProgram(QStringList{"run"} + words + late).out;
    QVERIFY2(
        text.contains("7, converged; 2 were needed, and the flag of each was looked at 5 iterations later"),
        text.constData());
    const QJsonObject run = runProgram(QStringList{"run", "--json", "-"} + words + late).json().object();
    QCOMPARE(run["iterations"].toInt(), 7);
    QCOMPARE(run["needed"].toInt(), 2);
    const QByteArray raced =
        runProgram(QStringList{"bench", "--n", "1000", "--budget", "0", "--variants", "schedule.multi",
                               "--late", "5", "--points", "bands:spread=0,d=1", "--k", "16", "--init",
                               "bands", "--backend", "cpu"})
            .out;
    QVERIFY2(raced.contains("of which 2 were needed") &&
                 raced.contains("with every flag waited for (late 0)"),
             raced.constData());
  }

  /// A column of its own, which is not there where nothing was done for show.
  void tablesOfSeveralRunsSayWhatWasNeeded() {
    const QStringList words{"run",      "--points",   "bands:n=1000,d=1,spread=0",
                            "--ks",     "15:16",      "--init",
                            "bands",    "--backend",  "cpu",
                            "--scores", "none",       "--csv",
                            "-",        "--schedule", "multi"};
    const QByteArray late = runProgram(words + QStringList{"--late", "5"}).out;
    QCOMPARE(late.split('\n')[0], QByteArray("k,inertia,seed,iterations,converged,empty_clusters,needed"));
    QVERIFY2(late.split('\n')[2].startsWith("16,0,1,7,1,0,2"), late.constData());
    const QByteArray waited = runProgram(words).out;
    QVERIFY2(!waited.contains("needed") && waited.contains("16,0,1,2,1,0\n"), waited.constData());
  }

  /// No more than a schedule may be given, and not without a schedule.
  void parametersOfSchedulesHaveTheirOwnSentences() {
    const QStringList words{"run", sampleData("iris.csv"), "--k", "3", "--backend", "cpu"};
    QCOMPARE(runProgram(words + QStringList{"--streams", "0"}).err.trimmed(),
             QByteArray("lloydscope: --streams is '0', but must be a whole number from 1 to 16"));
    QVERIFY(runProgram(words + QStringList{"--late", "3"})
                .err.contains("late is a parameter of schedules of sets, and none was chosen"));
    const QByteArray one = runProgram(words + QStringList{"--schedule", "sync", "--streams", "2"}).err;
    QVERIFY2(one.contains("schedule.sync) has the parameter streams"), one.constData());
  }

  /// Readers of JSON have no whole numbers beyond.
  void aSeedThatNoReportCouldHoldIsRefused() {
    const QStringList words{"run",   sampleData("iris.csv"), "--k", "3", "--backend", "cpu", "--json", "-",
                            "--seed"};
    const QJsonObject last = runProgram(words + QStringList{"1000000000000000000"}).json().object();
    QCOMPARE(last["seed"].toInteger(), 1'000'000'000'000'000'000);
    QVERIFY(runProgram(words + QStringList{"18446744073709551615"})
                .err.contains("must be a whole number from 0 to 1000000000000000000"));
  }

  void theReportHasALineForEach() {
    const QTemporaryDir folder;
    const QStringList words{
        "run", sampleData("iris.csv"), sampleData("faithful.csv"), "--k", "2", "--backend", "cpu"};
    const QByteArray text = runProgram(words).out;
    QVERIFY2(text.contains("iris.csv") && text.contains("faithful.csv") && text.contains("272"),
             text.constData());
    const QByteArray csv = runProgram(words + QStringList{"--csv", "-"}).out;
    QVERIFY2(csv.startsWith("file,points,columns,k,inertia,seed,") && csv.count('\n') == 3, csv.constData());
    const QByteArray markdown = runProgram(words + QStringList{"--markdown", "-"}).out;
    QVERIFY2(markdown.startsWith("# k-means of 2 files\n") && markdown.contains("## Files"),
             markdown.constData());
  }

  void firstCentroidsOfAFileAreInTheUnitsOfEach() {
    const QTemporaryDir folder;
    const auto inFolder = [&](const char* name) { return folder.filePath(name); };
    QVERIFY(writeFile(inFolder("a.csv"), "x,y\n0,0\n1,1\n5,5\n6,6\n"));
    QVERIFY(writeFile(inFolder("b.csv"), "x,y\n0,0\n10,10\n500,500\n600,600\n"));
    QVERIFY(writeFile(inFolder("first.csv"), "x,y\n0,0\n6,6\n"));
    const QStringList words{
        "--init", "file:" + inFolder("first.csv"), "--scale", "minmax", "--backend", "cpu", "--json", "-"};
    const QJsonArray runs = runProgram(QStringList{"run", inFolder("a.csv"), inFolder("b.csv")} + words)
                                .json()
                                .object()["runs"]
                                .toArray();
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[1].toObject()["centroids"],
             runProgram(QStringList{"run", inFolder("b.csv")} + words).json().object()["centroids"]);
  }

  void whatIsOfOneRunIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("words");
    QTest::newRow("labels") << QStringList{"--labels-out", "l.npy"} << "there are 2 FILEs: choose one";
    QTest::newRow("centroids") << QStringList{"--centroids-out", "c.csv"} << "there are 2 FILEs: choose one";
    QTest::newRow("several k") << QStringList{"--ks", "2,3"} << "--ks names 2 numbers of clusters";
    QTest::newRow("a report over points")
        << QStringList{"--csv", sampleData("faithful.csv")} << "points are read";
    QTest::newRow("no such file") << QStringList{"nowhere.csv"} << "nowhere.csv";
    QTest::newRow("no such generator") << QStringList{"nosuch:"} << "nosuch";
  }
  void whatIsOfOneRunIsRefused() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, words);
    const Outcome outcome = runProgram(
        QStringList{"run", sampleData("iris.csv"), sampleData("faithful.csv"), "--backend", "cpu"} +
        arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(words.toUtf8()) && outcome.err.count('\n') == 1, outcome.err.constData());
    QVERIFY(outcome.out.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestFiles)
#include "tst_cli_files.moc"
