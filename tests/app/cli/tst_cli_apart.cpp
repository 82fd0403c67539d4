// SPDX-License-Identifier: GPL-3.0-or-later
// lloydscope apart: which change of a version gains what.
#include "tests/app/cli/program.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lloyd;

class TestApart : public QObject {
  Q_OBJECT

  static Outcome raced(const QStringList& more) {
    return runProgram(
        QStringList{"apart", "cpu.v3", "--backend", "cpu", "--n", "20000", "--d", "2", "--budget", "2"} +
        more);
  }

private slots:
  void stepsAreListed() {
    const Outcome outcome = runProgram({"apart", "--list"});
    QCOMPARE(outcome.status, 0);
    for (const char* part :
         {"classify.v4: from classify.v3, in gpu/kernels/apart/classify_v4.cu",
          "  2  clusters outside: ", "classify.v6: from classify.v5", "cpu.v3: from cpu.v2"})
      QVERIFY2(outcome.out.contains(part), outcome.out.constData());
  }

  /// On any machine, whatever its times are: the parts come to the whole.
  void aProcessorsStepIsTakenApart() {
    const QTemporaryDir folder;
    const QString svg = folder.filePath("step.svg");
    const Outcome outcome = raced({"--json", "-", "--csv", folder.filePath("step.csv"), "--svg", svg});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject step = outcome.json().object()["steps"].toArray().first().toObject();
    QCOMPARE(step["step"].toString(), QString("cpu.v3"));
    QCOMPARE(step["combinations"].toArray().size(), 8);
    double sum = 0;
    for (const auto& share : step["shares"].toArray())
      sum += share.toObject()["us"].toDouble();
    QVERIFY(step["shares"].toArray().size() == 3);
    const double whole = step["whole"].toObject()["us"].toDouble();
    QVERIFY(std::abs(sum - whole) <= 1e-9 * std::abs(step["before"].toObject()["us"].toDouble()));
    QCOMPARE(step["adds_up"].toBool(), true);
    QVERIFY(readFile(folder.filePath("step.csv")).startsWith("step,from,device,points,"));
    const QByteArray picture = readFile(svg);
    QVERIFY(picture.contains("<svg") && picture.contains("sums of their own"));
    // Diamonds for both versions, a bar a change, and from row to row a line that is seen.
    QCOMPARE(picture.count("mark point"), qsizetype{2});
    QCOMPARE(picture.count("mark bar"), qsizetype{3});
    QCOMPARE(picture.count("mark line"), qsizetype{4});
    QVERIFY(picture.contains(".line { stroke: "));
  }

  void itIsToldInWords() {
    const Outcome outcome = raced({});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    for (const char* part : {"cpu.v2 to cpu.v3 on ", "20,000 points", "all cores ", "The shares add up to",
                             "none: cpu.v2", "all: cpu.v3"})
      QVERIFY2(outcome.out.contains(part), outcome.out.constData());
    // Whether it saves or costs is said in words, not by a sign.
    static const QRegularExpression share("\\d  .+ (saves|costs) +[\\d.,]+ ");
    QCOMPARE(QString::fromUtf8(outcome.out).split('\n').filter(share).size(), qsizetype{3});
  }

  void combinationsAreVerifiedWhenTheyAreNamed() {
    const Outcome named = runProgram({"verify", "--variants", "apart.cpu_v3_*", "--backend", "cpu"});
    QVERIFY2(named.status == 0, qPrintable(named.text()));
    QVERIFY(named.out.contains("apart.cpu_v3_123"));
    const Outcome listed = runProgram({"list", "variants"});
    QVERIFY(!listed.out.contains("apart."));
  }

  void mistakesAreOneSentence_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    QTest::newRow("no step") << QStringList{} << 2
                             << "name a step that can be taken apart: one of classify.v4";
    QTest::newRow("unknown") << QStringList{"classify.v5"} << 2 << "is not taken apart here; there are";
    QTest::newRow("simulator") << QStringList{"classify.v4", "--backend", "simt"} << 2
                               << "the simulator's time says nothing of a card";
    QTest::newRow("both") << QStringList{"classify.v4", "--list"} << 2 << "leave STEP or --list out";
    QTest::newRow("name of the picture") << QStringList{"cpu.v3", "--svg", "x.png"} << 2 << "ends in .svg";
  }
  void mistakesAreOneSentence() {
    QFETCH(QStringList, words);
    QFETCH(int, status);
    QFETCH(QString, says);
    const Outcome outcome = runProgram(QStringList{"apart"} + words);
    QCOMPARE(outcome.status, status);
    QVERIFY2(outcome.text().contains(says), qPrintable(outcome.text()));
    QCOMPARE(outcome.err.trimmed().count('\n'), 0);
    QVERIFY(outcome.out.isEmpty());
  }

  /// Without a GPU, the figures of a card, or a sentence that there are none.
  void aGpusStepNeedsAGpuOrItsFigures() {
    const Outcome outcome = runProgram({"apart", "classify.v4", "--backend", "cpu"});
    if (outcome.status == 0)
      QVERIFY2(outcome.err.contains("was measured on") && outcome.out.contains("4 points a thread"),
               qPrintable(outcome.text()));
    else
      QVERIFY2(outcome.status == 3 && outcome.err.contains("a GPU's"), qPrintable(outcome.text()));
  }
};

QTEST_GUILESS_MAIN(TestApart)
#include "tst_cli_apart.moc"
