// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program.hpp"

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

/// A kernel of the program's own with one piece of its text replaced, written into the folder.
QString kernelWith(const QTemporaryDir& folder, const QString& name, const QByteArray& from,
                   const QByteArray& to) {
  QByteArray text =
      readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/classify/v3_unrolled_dimensions.cu"));
  const qsizetype at = text.indexOf(from);
  if (at < 0) return {};
  text.replace(at, from.size(), to);
  const QString path = folder.filePath(name);
  return writeFile(path, text) ? path : QString();
}

} // namespace

/// lloydscope try, and --kernel: a person's own kernels, as a shell or an editor starts them.
class TestCliTry : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aRightCopyIsVerifiedTracedAndRaced() {
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", "float nearest", "float nearest");
    const Outcome tried = runProgram({"try", file});
    QVERIFY2(tried.status == 0, qPrintable(tried.text()));
    const QString out = QString::fromUtf8(tried.out);
    QVERIFY2(out.startsWith("classify.mine is right. On the simulator, which is no card,"), tried.out);
    const qsizetype verified = out.indexOf("verified: 91 of 109 cases");
    const qsizetype traced = out.indexOf("traced: ");
    const qsizetype raced = out.indexOf("raced on the simulator: ");
    QVERIFY2(verified > 0 && traced > verified && raced > traced, tried.out);
  }

  /// The same source asks the same of memory, wherever it lies.
  void aCopyIsCountedAsItsOriginal_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("original");
    QTest::newRow("alone") << "classify/v3_unrolled_dimensions.cu"
                           << "classify.v3";
    QTest::newRow("with headers of its own") << "fused/v2_cells.cu"
                                             << "fused.v2";
  }
  void aCopyIsCountedAsItsOriginal() {
    QFETCH(QString, path);
    QFETCH(QString, original);
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    QVERIFY(QFile::copy(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/") + path, file));
    const QString out = QString::fromUtf8(runProgram({"try", file}).out);
    const auto asked = [&](const QString& label) { return out.section(label, 1, 1).section('\n', 0, 0); };
    QVERIFY2(!asked("traced: ").isEmpty(), qPrintable(out));
    QCOMPARE(asked("traced: "), asked(original + " there: "));
  }

  /// Several compilers work at one file at once, as the copy above; what they make is one kernel.
  void choicesMayStandInsideOthers_data() {
    QTest::addColumn<QByteArray>("inner");
    QTest::newRow("in the same part") << QByteArray("dispatchInside");
    QTest::newRow("in a file that is compiled whole for it") << QByteArray("dispatch");
  }
  void choicesMayStandInsideOthers() {
    QFETCH(QByteArray, inner);
    const QTemporaryDir folder;
    const QByteArray choices =
        "launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<0, 1, 2>(args.tuning.arithmetic)";
    const QString file =
        kernelWith(folder, "mine.cu", choices,
                   "[&](auto d) { " + inner +
                       "([&](auto how) { launchAs(d, how); }, oneOf<0, 1, 2>(args.tuning.arithmetic)); },\n"
                       "           oneOf<1, 2, 3>(args.problem.d)");
    QVERIFY2(!file.isEmpty(), "the program's kernel no longer has the text that is replaced");
    const Outcome tried = runProgram({"try", file});
    QVERIFY2(tried.status == 0 && tried.out.contains("verified: 91 of 109 cases"), qPrintable(tried.text()));
  }

  /// In a terminal beside an editor: every saved version has its verdict.
  void aWatchedFileIsTriedWheneverItIsSaved() {
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", "float nearest", "float nearest");
    const QByteArray right = readFile(file);
    QProcess watching;
    QByteArray out;
    connect(&watching, &QProcess::readyReadStandardOutput, this,
            [&] { out += watching.readAllStandardOutput(); });
    QByteArray said; // since the last verdict
    connect(&watching, &QProcess::readyReadStandardError, this,
            [&] { said += watching.readAllStandardError(); });
    watching.start(programPath(), {"try", "--watch", file, "--limit", "100"});
    QTRY_VERIFY2_WITH_TIMEOUT(out.contains("classify.mine is right."), out, 60000);
    out.clear();
    QVERIFY(writeFile(file, QByteArray(right).replace("float distance = 0;", "float distance = 0")));
    QTRY_VERIFY2_WITH_TIMEOUT(out.contains("mine.cu:47:"), out, 60000);
    out.clear();
    QVERIFY(writeFile(file, right));
    QTRY_VERIFY2_WITH_TIMEOUT(out.contains("classify.mine is right."), out, 60000);
    // A trial that would not end for a minute does not keep the next version waiting.
    out.clear();
    said.clear();
    QVERIFY(
        writeFile(file, QByteArray(right).replace("  float nearest = INFINITY;",
                                                  "  while (k > 0) {\n  }\n  float nearest = INFINITY;")));
    QTRY_VERIFY2_WITH_TIMEOUT(said.contains("verify"), said, 60000);
    QVERIFY(out.isEmpty());
    QVERIFY(writeFile(file, right));
    QTRY_VERIFY2_WITH_TIMEOUT(out.contains("classify.mine is right."), out, 30000);
    QVERIFY2(!out.contains("did not end"), out);
    QVERIFY2(said.contains("was saved before its verdict"), said);
    said.clear();
    QVERIFY(writeFile(file, {}));
    QTRY_VERIFY2_WITH_TIMEOUT(said.contains("mine.cu is empty; its verdict is that"), said, 10000);
    said.clear();
    QVERIFY(QFile::remove(file));
    QVERIFY(writeFile(file, QByteArray(right) + "// and back again\n"));
    QTRY_VERIFY2_WITH_TIMEOUT(said.contains("from file to verdict"), said, 30000);
    watching.terminate();
    QVERIFY(watching.waitForFinished(10000));
  }

  void whatIsWrongIsNamedAndSurvived_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("said");
    QTest::newRow("nothing defines it")
        << QByteArray("  float nearest = INFINITY;")
        << QByteArray("  float best(unsigned k);\n  float nearest = best(k);") << 2
        << QString("mine.cu:41:9: best(unsigned int) is declared and used, and nothing defines it");
    QTest::newRow("syntax error") << QByteArray("float distance = 0;") << QByteArray("float distance = 0")
                                  << 2 << QString("mine.cu:47:");
    QTest::newRow("error in a header")
        << QByteArray("dispatch(launchAs,") << QByteArray("dispatch(") << 2 << QString("mine.cu:7");
    QTest::newRow("out of range") << QByteArray("labels[i] = label;") << QByteArray("labels[i + n] = label;")
                                  << 1 << QString("of labels, argument 5, which has 1 element, at");
    QTest::newRow("race") << QByteArray("blockChanged[0] = 0;\n  __syncthreads();")
                          << QByteArray("blockChanged[0] = 0;") << 1 << QString("mine.cu:");
    QTest::newRow("divergent barrier")
        << QByteArray("  float nearest = INFINITY;")
        << QByteArray("  if (threadIdx.x < 40) __syncthreads();\n  float nearest = INFINITY;") << 1
        << QString("__syncthreads");
    QTest::newRow("wrong label") << QByteArray("if (distance < nearest)")
                                 << QByteArray("if (distance < nearest && c != 3)") << 1
                                 << QString("is wrong: ");
    // Whether an addition is lost here or not.
    QTest::newRow("a sum of blocks without an atomic")
        << QByteArray("atomicAdd(&changed[0], count)") << QByteArray("changed[0] = changed[0] + count") << 1
        << QString("a race: global memory: thread 0 (warp 0, lane 0) of block ");
    QTest::newRow("a default that is no value")
        << QByteArray("{\"arithmetic\", {0, 1, 2}, 0}") << QByteArray("{\"arithmetic\", {0, 1, 2}, 7}") << 1
        << QString("its own value of arithmetic, 7, is not one of multiply, pow, powf");
    QTest::newRow("endless loop") << QByteArray("for (unsigned c = 0; c < k; ++c) {")
                                  << QByteArray("for (unsigned c = 0; c < k; c += 0) {") << 2
                                  << QString("did not end within 2 s");
  }
  void whatIsWrongIsNamedAndSurvived() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(int, status);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", from, to);
    QVERIFY2(!file.isEmpty(), "the program's kernel no longer has the text that is replaced");
    const Outcome tried = runProgram({"try", file, "--limit", "2"});
    qInfo("%s", qPrintable(tried.text()));
    QCOMPARE(tried.status, status);
    QVERIFY(QString::fromUtf8(tried.out).contains(said));
    QVERIFY(!tried.out.contains("is right"));
    QVERIFY(!tried.out.contains("raced on")); // a wrong kernel is never ranked
  }

  /// The verdict is printed before the rest is compiled, and the status is not given before.
  void anErrorInWhatNoTrialCallsWithdrawsTheVerdict() {
    const QTemporaryDir folder;
    QByteArray text =
        readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/classify/v5_unrolled_clusters.cu"));
    const QByteArray choice = "if constexpr (isCompiled<d, how>) {";
    QVERIFY(text.contains(choice));
    text.replace(choice, "static_assert(items != 8 || how != 2, \"not these\");\n" + choice);
    const QString file = folder.filePath("mine.cu");
    QVERIFY(writeFile(file, text));
    const Outcome tried = runProgram({"try", file});
    QCOMPARE(tried.status, 2);
    const qsizetype right = tried.out.indexOf("classify.mine is right.");
    QVERIFY2(right >= 0 && tried.out.indexOf("not these") > right, tried.out);
    QVERIFY2(tried.err.contains("the verdict is withdrawn"), tried.err);
  }

  /// A launch function may throw, or let nothing out: what it was is told all the same.
  void anExceptionIsToldInItsOwnWords_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("said");
    const QByteArray launch = "void launch(const ClassifyArgs& args, LaunchContext& context) {";
    QTest::newRow("thrown") << launch
                            << launch + "\n  if (args.problem.k == 16) throw std::out_of_range(\"mine\");"
                            << "classify.mine threw an exception (verify, input";
    QTest::newRow("a fault that does not come out")
        << QByteArray("labels[i] = label;\n") << QByteArray("labels[i + n] = label;\n")
        << "by an exception that nothing catches: thread 0 (warp 0, lane 0) of block 0 uses index 1 of "
           "labels";
  }
  void anExceptionIsToldInItsOwnWords() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", from, to);
    QVERIFY2(!file.isEmpty(), "the program's kernel no longer has the text that is replaced");
    if (!to.contains("throw"))
      QVERIFY(writeFile(
          file, readFile(file).replace("LaunchContext& context) {", "LaunchContext& context) noexcept {")));
    const Outcome tried = runProgram({"try", file});
    QCOMPARE(tried.status, 2);
    QVERIFY2(tried.text().contains(said) || tried.out.contains("Sanitizer"), qPrintable(tried.text()));
  }

  /// A value that was never there differs from nothing.
  void whatFaultsIsNotComparedAndNotSaidToDiffer() {
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", "labels[i] = label;", "labels[i + n] = label;");
    const Outcome faulty = runProgram({"try", file});
    QVERIFY2(faulty.out.contains("verified: of 109 cases 86 end in a fault, before there is anything to "
                                 "compare, 5 match double precision, 18 do not apply; "),
             faulty.out);
    QVERIFY2(!faulty.out.contains("do not,"), faulty.out);
    // Where only some cases have so many points that a thread faults, the others are told apart.
    const QString both = kernelWith(folder, "both.cu", "labels[i] = label;",
                                    "labels[i + (n > 1000 ? n : 0)] = label + (n > 100 ? 1 : 0);");
    const Outcome mixed = runProgram({"try", both});
    const QRegularExpression said("of 109 cases (\\d+) end in a fault, before there is anything to compare, "
                                  "(\\d+) match double precision, (\\d+) do not, 18 do not apply");
    const QRegularExpressionMatch found = said.match(QString::fromUtf8(mixed.out));
    QVERIFY2(found.hasMatch(), mixed.out);
    int all = 18;
    for (const int kind : {1, 2, 3}) {
      QVERIFY(found.captured(kind).toInt() > 0);
      all += found.captured(kind).toInt();
    }
    QCOMPARE(all, 109);
  }

  void theHelpTellsAWrongKernelFromNoVerdict() {
    const QString help = QString::fromUtf8(runProgram({"try", "--help"}).out).simplified();
    QVERIFY2(
        help.contains("1 the kernel is wrong 2 the request is wrong, or there is no verdict: the file does "
                      "not compile, or the kernel crashed or did not end 3"),
        qPrintable(help));
  }

  void aKernelThatUsesWhatIsNotItsOwnTakesNobodyDown() {
    const QTemporaryDir folder;
    const QString file =
        kernelWith(folder, "mine.cu", "  float nearest = INFINITY;",
                   "  *reinterpret_cast<volatile int*>(8) = 1;\n  float nearest = INFINITY;");
    const Outcome tried = runProgram({"try", file});
    QCOMPARE(tried.status, 2);
    QVERIFY2(tried.out.contains("brought its process down") || tried.out.contains("Sanitizer"), tried.out);
  }

  void aDivisionByZeroIsNamed() {
#if !defined(__x86_64__)
    QSKIP("a division by zero stops a program on x86 processors alone");
#endif
    const QTemporaryDir folder;
    const QString file =
        kernelWith(folder, "mine.cu", "  float nearest = INFINITY;",
                   "  float nearest = INFINITY;\n  if (n / (n - n % 1000) > 1) nearest = 1;");
    const Outcome tried = runProgram({"try", file});
    QCOMPARE(tried.status, 2);
    QVERIFY2(tried.out.contains("it divides an integer by zero") || tried.out.contains("Sanitizer"),
             tried.out);
  }

  void aKernelThatEndsItsProcessIsNamed_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("said");
    QTest::newRow("exit") << QByteArray("  if (k > 3) std::exit(0);\n")
                          << "ended its process itself (verify, input";
    QTest::newRow("exception") << QByteArray("  if (k > 3) std::terminate();\n")
                               << "by an exception that nothing catches";
  }
  void aKernelThatEndsItsProcessIsNamed() {
    QFETCH(QByteArray, line);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    const QString file =
        kernelWith(folder, "mine.cu", "  float nearest = INFINITY;", line + "  float nearest = INFINITY;");
    const Outcome tried = runProgram({"try", file});
    QCOMPARE(tried.status, 2);
    QVERIFY2(QString::fromUtf8(tried.out).contains(said) || tried.out.contains("Sanitizer"), tried.out);
  }

  void aFileIsAVariantOfEveryCommand() {
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", ".tag = \"v3\"", ".tag = \"quick\"");
    const Outcome list = runProgram({"list", "variants", "--kernel", file});
    QVERIFY2(list.out.contains("classify.quick"), list.out);
    const Outcome verify =
        runProgram({"verify", "--kernel", file, "--variants", "classify.quick", "--backend", "simt"});
    QVERIFY2(verify.status == 0 && verify.out.contains("classify.quick"), qPrintable(verify.text()));
    const Outcome trace =
        runProgram({"trace", "--kernel", file, "--variants", "classify.quick", "--n", "2048", "--d", "2"});
    QVERIFY2(trace.status == 0 && trace.out.contains("classify.quick"), qPrintable(trace.text()));
  }

  void whatCannotBeCompiledIsOneSentence() {
    const QTemporaryDir folder;
    const QString file = kernelWith(folder, "mine.cu", "float distance = 0;", "float distance = 0");
    const Outcome list = runProgram({"list", "variants", "--kernel", file});
    QCOMPARE(list.status, 2);
    QVERIFY2(list.err.contains("mine.cu:45:23:"), list.err); // where it is missing, and not where g++ met it
    QCOMPARE(list.err.trimmed().count('\n'), 0);
    QCOMPARE(runProgram({"try", folder.filePath("nothing.cu")}).status, 2);
    const QString empty = folder.filePath("empty.cu");
    QVERIFY(writeFile(empty, "#include \"gpu/kernels/kernel.hpp\"\n"));
    const Outcome registersNothing = runProgram({"try", empty});
    QCOMPARE(registersNothing.status, 2);
    QVERIFY2(registersNothing.out.contains("registers no variant"), registersNothing.out);
    QProcessEnvironment none;
    none.insert("PATH", folder.path());
    none.insert("CXX", "no-such-compiler");
    const Outcome without = runProgram({"try", file}, none);
    QCOMPARE(without.status, 3);
    QVERIFY2(without.err.contains("There is no C++ compiler"), without.err);
  }
};

QTEST_GUILESS_MAIN(TestCliTry)
#include "tst_cli_try.moc"
