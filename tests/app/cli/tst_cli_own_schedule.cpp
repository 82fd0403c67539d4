// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

/// A schedule of the program with one piece of its text replaced, as mine.cu in the folder: what "Edit a
/// copy" writes, and what a person then does to it.
QString scheduleWith(const QTemporaryDir& folder, const QString& name, const QByteArray& from = {},
                     const QByteArray& to = {}) {
  QByteArray text = readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/schedule/%1.cpp").arg(name));
  if (text.isEmpty() || text.count(from) < 1) return {};
  if (!from.isEmpty()) text.replace(text.indexOf(from), from.size(), to);
  const QString path = folder.filePath("mine.cu");
  return writeFile(path, text) ? path : QString();
}

/// The line of a file that has the code, counted from 1.
int lineOf(const QString& path, const QByteArray& code) {
  const QByteArray text = readFile(path);
  return static_cast<int>(text.first(text.indexOf(code)).count('\n')) + 1;
}

} // namespace

/// A person's own schedule of sets: host code over queues, which is compiled, tried and adopted as a kernel
/// is.
class TestCliOwnSchedule : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aCopyIsVerifiedCountedAndRaced_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"sync", "single", "multi", "prefetch", "unordered"})
      QTest::newRow(name) << QString(name);
  }
  void aCopyIsVerifiedCountedAndRaced() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const QString file = scheduleWith(folder, name);
    QVERIFY(!file.isEmpty());
    const Outcome tried = runProgram({"try", file});
    QVERIFY2(tried.status == 0, qPrintable(tried.text()));
    const QString out = QString::fromUtf8(tried.out);
    QVERIFY2(out.startsWith("schedule.mine is right. On the "), tried.out);
    const qsizetype verified = out.indexOf("verified: in 88 of 88 cases");
    const qsizetype ordered = out.indexOf("orders of the queues' turns");
    const qsizetype traced = out.indexOf("traced, a run of 5 sets: ");
    const qsizetype raced = out.indexOf("raced on the ");
    QVERIFY2(verified > 0 && ordered > verified && traced > ordered && raced > traced, tried.out);
    // The same text orders the same.
    const auto counted = [&](const QString& label) { return out.section(label, 1, 1).section('\n', 0, 0); };
    QVERIFY(counted("of 5 sets: ").contains("copies up"));
    QCOMPARE(counted("of 5 sets: "), counted("schedule." + name + " there: "));
  }

  void whatIsWrongIsNamedAtItsLines_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QByteArray>("codeThere");
    QTest::newRow("results that are not waited for")
        << QString("single") << QByteArray("  queue.synchronize();\n") << QByteArray()
        << QString("and no event or wait puts one before the other") << QByteArray("set.bringDown(queue)");
    QTest::newRow("kernels that do not wait for copies")
        << QString("prefetch") << QByteArray("queue.wait(prepared.sets[set].copied());") << QByteArray()
        << QString("and no event or wait puts one before the other") << QByteArray("set.copyUp(");
    QTest::newRow("a set that is left out")
        << QString("single") << QByteArray("    set.copyUp(queue);\n")
        << QByteArray("    if (&set == &prepared.sets.back()) continue;\n    set.copyUp(queue);\n")
        << QString("is wrong: ") << QByteArray();
    QTest::newRow("what two sets do not show")
        << QString("multi")
        << QByteArray("  const Event* before = nullptr; // behind the copy that was given last\n")
        << QByteArray("  const Event* before = nullptr;\n"
                      "  if (prepared.sets.size() > 2) prepared.sets.pop_back();\n")
        << QString("set 4 ") << QByteArray();
  }
  void whatIsWrongIsNamedAtItsLines() {
    QFETCH(QString, name);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, said);
    QFETCH(QByteArray, codeThere);
    const QTemporaryDir folder;
    const QString file = scheduleWith(folder, name, from, to);
    QVERIFY2(!file.isEmpty(), "the program's schedule no longer has the text that is replaced");
    const Outcome tried = runProgram({"try", file});
    qInfo("%s", qPrintable(tried.text()));
    const QString out = QString::fromUtf8(tried.out);
    QCOMPARE(tried.status, 1);
    QVERIFY(out.contains(said));
    QVERIFY(!out.contains("is right") && !out.contains("raced on"));
    if (!codeThere.isEmpty()) QVERIFY(out.contains(QString("mine.cu:%1 ").arg(lineOf(file, codeThere))));
  }

  void oneThatNeverEndsIsStopped() {
    const QTemporaryDir folder;
    const QString file = scheduleWith(folder, "single", "while (set.iterate(queue)) {",
                                      "for (volatile bool on = true; on;) {");
    QVERIFY(!file.isEmpty());
    const Outcome tried = runProgram({"try", file, "--limit", "2"});
    QCOMPARE(tried.status, 2);
    QVERIFY2(tried.out.contains("did not end within 2 s"), tried.out);
  }

  void itIsAVariantOfEveryCommand() {
    const QTemporaryDir folder;
    const QString file = scheduleWith(folder, "multi", ".tag = \"multi\"", ".tag = \"quick\"");
    QVERIFY(!file.isEmpty());
    const Outcome list = runProgram({"list", "variants", "--kernel", file});
    const QRegularExpression row("schedule\\.quick +sets +cuda, simt, cpu");
    QVERIFY2(row.match(QString::fromUtf8(list.out)).hasMatch(), list.out);
    for (const char* backend : {"cpu", "simt"}) {
      const Outcome verify = runProgram(
          {"verify", "--kernel", file, "--variants", "schedule.quick", "--backend", QString(backend)});
      QVERIFY2(verify.status == 0 && verify.out.contains("schedule.quick"), qPrintable(verify.text()));
    }
    const Outcome bench =
        runProgram({"bench", "--kernel", file, "--variants", "schedule.multi,schedule.quick", "--backend",
                    "cpu", "--n", "2000", "--budget", "1"});
    QVERIFY2(bench.status == 0, qPrintable(bench.text()));
    QVERIFY2(bench.out.contains("schedule.quick") && bench.out.contains("schedule.multi"), bench.out);
    const Outcome run = runProgram({"run", "--kernel", file, "--points", "blobs:n=2000,d=2,k=4", "--k", "4",
                                    "--restarts", "3", "--schedule", "quick", "--backend", "cpu"});
    QVERIFY2(run.status == 0, qPrintable(run.text()));
  }
};

QTEST_GUILESS_MAIN(TestCliOwnSchedule)
#include "tst_cli_own_schedule.moc"
