// SPDX-License-Identifier: GPL-3.0-or-later
// lloydscope plan: how many blocks live on a multiprocessor, and why no more.
#include "tests/app/cli/program.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

class TestPlan : public QObject {
  Q_OBJECT
private slots:
  /// Without a GPU, from what is shipped: the paper's eight points a thread.
  void oneLaunchIsToldInBarsAndWords() {
    const Outcome outcome = runProgram({"plan", "--backend", "simt", "--variants", "classify.v8", "--block",
                                        "128", "--items", "8", "--vector", "1", "--d", "2"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QString text = outcome.text();
    for (const char* part :
         {"compute capability 9.0", "registers allow 8 blocks of 128 threads; nothing else binds",
          "occupancy 50.0 %", "(6) registers a thread", "does not bind"})
      QVERIFY2(text.contains(part), qPrintable(text));
    QVERIFY2(text.count("####") >= 3, qPrintable(text));
  }

  void otherCardsHaveOtherLimits() {
    const auto shares = [](const QString& card) {
      const Outcome outcome =
          runProgram({"plan", "--backend", "simt", "--variants", "classify.v8", "--block", "32:1024",
                      "--items", "1", "--vector", "1", "--card", card, "--json", "-"});
      QList<double> found;
      for (const auto& one : outcome.json().array())
        found << one.toObject()["occupancy"].toDouble();
      return found;
    };
    // At most 16 blocks live on a multiprocessor of 3.0: 128 threads are where that stops to bind.
    QCOMPARE(shares("3.0"), (QList<double>{0.25, 0.5, 1, 1, 1, 1}));
    QCOMPARE(shares("9.0"), (QList<double>{0.5, 1, 1, 1, 1, 1}));
    QCOMPARE(shares("8.6")[5], 2.0 / 3);
  }

  void anyKernelIsPlannedByItsNumbers() {
    const Outcome outcome = runProgram(
        {"plan", "--backend", "simt", "--registers", "96", "--block", "256,1024", "--card", "9.0"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY2(outcome.text().contains("registers allow 2 blocks of 256 threads") &&
                 outcome.text().contains("refused"),
             qPrintable(outcome.text()));
  }

  /// One block is one launch: bars and constraints, as of a variant's.
  void oneShapeIsToldInBarsToo() {
    const Outcome outcome = runProgram({"plan", "--backend", "simt", "--registers", "96", "--shared", "2048",
                                        "--card", "8.6", "--block", "128"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    for (const char* part :
         {"96 registers a thread, 2,048 bytes", "####", "occupancy 41.7 %", "(6) registers"})
      QVERIFY2(outcome.text().contains(part), qPrintable(outcome.text()));
  }

  void numbersGoIntoFilesToo() {
    const QStringList asked{"plan",    "--backend", "simt",   "--registers", "40",
                            "--block", "32,64",     "--card", "9.0"};
    const QJsonArray list = runProgram(asked + QStringList{"--json", "-"}).json().array();
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[0].toObject()["occupancy"].toDouble(), 0.5);
    QVERIFY(!list[0].toObject().contains("variant"));
    const QTemporaryDir folder;
    const QString path = folder.filePath("plan.csv");
    for (int turn = 0; turn < 2; ++turn) // over its own file as well
      QCOMPARE(runProgram(asked + QStringList{"--csv", path}).status, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
    QVERIFY2(lines[0].startsWith("variant,stage,"), qPrintable(lines[0]));
    QVERIFY2(lines[1].startsWith(",,,,,,,,,32,40,0,0,9.0,32,0.5,"), qPrintable(lines[1]));
  }

  /// The table holds the plan: the card, the blocks, the share, what binds, and why there is none.
  void aTableHoldsThePlan() {
    const Outcome outcome = runProgram({"plan", "--backend", "simt", "--variants", "classify.v8", "--block",
                                        "128", "--items", "8", "--vector", "1", "--d", "2", "--csv", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QStringList lines = QString::fromUtf8(outcome.out).split('\n');
    QVERIFY2(lines[0].endsWith("local_bytes,card,blocks,occupancy,driver_occupancy,binding,source,refused"),
             qPrintable(lines[0]));
    QVERIFY2(lines[1].contains(",9.0,8,0.5,,registers,"), qPrintable(lines[1]));
    const Outcome none = runProgram(
        {"plan", "--backend", "simt", "--registers", "96", "--block", "1024", "--card", "9.0", "--csv", "-"});
    QVERIFY2(none.text().contains(",9.0,0,0,,,as given,\"one block of 1024 threads needs"),
             qPrintable(none.text()));
  }

  void mistakesAreOneSentence_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("says");
    QTest::newRow("card") << QStringList{"--card", "4.2"} << "--card is '4.2', but must be one of 3.0, 5.2";
    QTest::newRow("variant") << QStringList{"--variants", "classify.v99"} << "no variant matches";
    QTest::newRow("cpu") << QStringList{"--backend", "cpu"} << "no multiprocessors";
    QTest::newRow("both") << QStringList{"--variants", "classify.v8", "--registers", "32"} << "leave it or";
    QTest::newRow("shared memory alone") << QStringList{"--shared", "100"} << "name --registers";
    QTest::newRow("processors") << QStringList{"--variants", "cpu.v1"} << "no launch to plan";
    QTest::newRow("too many registers") << QStringList{"--registers", "256"} << "--registers";
    QTest::newRow("dimensions") << QStringList{"--variants", "classify.general", "--d", "5"}
                                << "kernels are known for D of";
  }
  void mistakesAreOneSentence() {
    QFETCH(QStringList, words);
    QFETCH(QString, says);
    const bool backend = words.contains("--backend");
    const Outcome outcome = runProgram(QStringList{"plan"} +
                                       (backend ? QStringList() : QStringList{"--backend", "simt"}) + words);
    QVERIFY2(outcome.status == 2 || outcome.status == 3, qPrintable(outcome.text()));
    QVERIFY2(outcome.text().contains(says), qPrintable(outcome.text()));
    QCOMPARE(outcome.err.trimmed().count('\n'), 0);
    QVERIFY(outcome.out.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestPlan)
#include "tst_cli_plan.moc"
