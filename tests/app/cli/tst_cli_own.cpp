// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/broken_kernels.hpp"
#include "tests/app/cli/program.hpp"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <utility>

using namespace lloyd;

namespace {

/// A kernel of the program's own with a piece of its text replaced; empty where it has no such piece.
QByteArray kernelWith(const char* path, const QByteArray& from, const QByteArray& to) {
  QByteArray text = readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/") + QLatin1String(path));
  const qsizetype at = text.indexOf(from);
  return at < 0 ? QByteArray() : text.replace(at, from.size(), to);
}

QByteArray brokenKernel(const QString& name) {
  for (const BrokenKernel& kernel : brokenKernels())
    if (kernel.name == name) return kernel.text.toUtf8();
  return {};
}

QByteArray classifyStoring(const QByteArray& label) {
  return kernelWith("classify/v3_unrolled_dimensions.cu", "labels[i] = label;", "labels[i] = " + label + ";");
}

} // namespace

/// --kernel with a kernel that nobody has verified: every command says so, and whatever the kernel does ends
/// in results or in one sentence.
class TestCliOwn : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aCommandSaysThatItDoesNotVerify_data() {
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<bool>("says");
    const QStringList points{"--points", "blobs:n=500,d=2,k=4", "-k", "4"};
    QTest::newRow("run") << QStringList{"run", "--backend", "cpu", "--iterations", "2"} + points << true;
    QTest::newRow("trace") << QStringList{"trace", "--variants", "classify.mine", "--n", "500"} << true;
    QTest::newRow("verify") << QStringList{"verify", "--variants", "classify.mine", "--backend", "simt"}
                            << false;
    QTest::newRow("bench") << QStringList{"bench", "--backend", "cpu", "--variants", "classify.cpu*"} + points
                           << false;
    QTest::newRow("list") << QStringList{"list", "variants"} << false;
  }
  void aCommandSaysThatItDoesNotVerify() {
    QFETCH(QStringList, command);
    QFETCH(bool, says);
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    QVERIFY(
        writeFile(file, kernelWith("classify/v3_unrolled_dimensions.cu", "float nearest", "float nearest")));
    const Outcome outcome = runProgram(command + QStringList{"--kernel", file});
    const QString said = QString::fromUtf8(outcome.err);
    QVERIFY2(said.contains(file + " is classify.mine, on the simulator"), qPrintable(outcome.text()));
    const QString sentence = "; not verified: lloydscope try " + file + " does that\n";
    QVERIFY2(said.contains(sentence) == says, qPrintable(outcome.text()));
    QVERIFY2(says || !said.contains("not verified"), qPrintable(outcome.text()));
  }

  /// Whoever names no backend means every place where it can run, and the simulator always is one.
  void itIsVerifiedWhereverItRuns() {
    const QTemporaryDir folder;
    const QString right = folder.filePath("mine.cu"), wrong = folder.filePath("wrong.cu");
    QVERIFY(
        writeFile(right, kernelWith("classify/v3_unrolled_dimensions.cu", "float nearest", "float nearest")));
    QVERIFY(writeFile(wrong, classifyStoring("label + 1")));
    const QStringList among{"--variants", "cpu.v1,classify.*", "--json", "-"};
    const Outcome both = runProgram(QStringList{"verify", "--kernel", right} + among);
    QVERIFY2(both.status == 0, qPrintable(both.text()));
    const QJsonArray devices = both.json().object()["devices"].toArray();
    QVERIFY(devices.size() >= 2);
    QCOMPARE(devices.last()["device"]["backend"].toString(), QString("simt"));
    const QJsonArray rows = devices.last()["results"].toArray();
    QCOMPARE(rows.size(), 1); // the program's own kernels are left out there
    QCOMPARE(rows[0]["variant"].toString(), QString("classify.mine"));
    QVERIFY(rows[0]["passed"].toInt() > 0);
    QCOMPARE(runProgram({"verify", "--kernel", wrong, "--variants", "classify.wrong"}).status, 1);
    // Without one of them nothing is asked of the simulator.
    const Outcome none =
        runProgram(QStringList{"verify", "--kernel", right, "--variants", "cpu.v1", "--json", "-"});
    for (const QJsonValue& device : none.json().object()["devices"].toArray())
      QVERIFY(device["device"]["backend"].toString() != "simt");
  }

  void benchSaysWhatToDoWithoutACard() {
    if (hasCuda()) QSKIP("there is a card, which bench times it on");
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    QVERIFY(
        writeFile(file, kernelWith("classify/v3_unrolled_dimensions.cu", "float nearest", "float nearest")));
    const Outcome bench = runProgram({"bench", "--kernel", file, "--variants", "classify.mine", "--quiet"});
    QCOMPARE(bench.status, 3);
    QCOMPARE(QString::fromUtf8(bench.err),
             "lloydscope: classify.mine does not run on the cpu backend; lloydscope try " + file +
                 " races it on the SIMT simulator, without a GPU\n");
  }

  /// Their values are looked at before a window opens, and before the kernel is compiled.
  void theWindowTakesItByItsName() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    QVERIFY(
        writeFile(file, kernelWith("classify/v3_unrolled_dimensions.cu", "float nearest", "float nearest")));
    const QStringList window{"--backend", "simt"};
    for (const QStringList& words :
         {window, QStringList{"shot", "--out", folder.filePath("shot.png")} + window}) {
      const Outcome own = runProgram(words + QStringList{"--kernel", file, "--classify", "classify.mine"});
      QVERIFY2(own.status == 3 && own.err.contains("display"), qPrintable(own.text()));
      const Outcome nobodys = runProgram(words + QStringList{"--classify", "classify.mine"});
      QVERIFY2(nobodys.err.contains("--classify is 'classify.mine', but must be one of"),
               qPrintable(nobodys.text()));
    }
  }

  void aWrongKernelGivesResultsOrOneSentence_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("plan");
    QTest::addColumn<QString>("said"); // empty: it runs to its end
    const QStringList compares{"--reduce",
                               "reduce.v2"}; // which holds labels against clusters, and reads nothing by them
    const QStringList indexes{"--reduce", "reduce.v7"};
    QTest::newRow("stores past the end")
        << brokenKernel("past_the_end") << compares
        << QString("uses index 1100 of labels, argument \\d+, which has 1100 elements, at .*mine.cu:\\d+");
    QTest::newRow("another rule for ties") << brokenKernel("tie_rule") << compares << QString();
    QTest::newRow("no barrier") << brokenKernel("missing_barrier") << QStringList()
                                << QString("blockSum, to which no thread of the block has stored yet, at "
                                           ".*mine.cu:\\d+");
    for (const auto& [name, plan] : {std::pair("compared", compares), std::pair("index", indexes)}) {
      QTest::addRow("label of no cluster, %s", name)
          << classifyStoring("label + 40") << plan
          << QString(
                 "classify.mine: point 0 has the label 4\\d, which no cluster has: labels go from 0 to 7");
      QTest::addRow("huge label, %s", name)
          << classifyStoring("label + 1000000000") << plan
          << QString("point 0 has the label 100000000\\d, which no cluster has");
      QTest::addRow("negative label, %s", name)
          << classifyStoring("label - 1000000000") << plan
          << QString("point 0 has the label -9999999\\d\\d, which no cluster has");
    }
    QTest::newRow("a point without a label")
        << classifyStoring("i == 77 ? 9999999 : label") << compares
        << QString("point 77 has the label 9999999, which no cluster has");
    QTest::newRow("huge counts") << kernelWith("reduce/v2_shared_tree.cu", "&counts[c], ",
                                               "&counts[c], 3000000000u + ")
                                 << QStringList() << QString();
  }
  void aWrongKernelGivesResultsOrOneSentence() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, plan);
    QFETCH(QString, said);
    QVERIFY2(!text.isEmpty(), "the program's kernel no longer has the text that is replaced");
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    QVERIFY(writeFile(file, text));
    const bool reduces = text.contains("family = \"reduce\"");
    const QString stage = reduces ? "reduce" : "classify";
    const Outcome run = runProgram(
        QStringList{"run", "--kernel", file, "--" + stage, stage + ".mine", "--backend", "simt", "--points",
                    "blobs:n=1100,d=2,k=8", "-k", "8", "--iterations", "2", "--scores", "best", "--html",
                    folder.filePath("run.html"), "--labels-out", folder.filePath("labels.csv")} +
        plan);
    QVERIFY2(run.status == (said.isEmpty() ? 0 : 2), qPrintable(run.text()));
    if (said.isEmpty()) return;
    const QString err = QString::fromUtf8(run.err);
    QVERIFY2(err.contains(QRegularExpression(said)), qPrintable(err));
    QCOMPARE(err.trimmed().count('\n'), 1); // what the kernel is called, and what it did
    QVERIFY(!QFileInfo::exists(folder.filePath("labels.csv")));
  }

  void aKernelIteratesOnACard() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    QVERIFY(
        writeFile(file, kernelWith("classify/v3_unrolled_dimensions.cu", "float nearest", "float nearest")));
    const QStringList run{"run", "--backend", "cuda",         "--points", "blobs:n=5000,d=2,k=4",
                          "--k", "4",         "--iterations", "3"};
    if (const Outcome card = runProgram(run); card.status == 3)
      QSKIP(("there is no card: " + card.err).constData());
    const Outcome own = runProgram(run + QStringList{"--kernel", file, "--classify", "classify.mine"});
    QVERIFY2(own.status == 0 && own.out.contains("classify.mine"), qPrintable(own.text()));
  }
};

QTEST_GUILESS_MAIN(TestCliOwn)
#include "tst_cli_own.moc"
