// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_compiler.hpp"
#include "app/model/workshop/linker_errors.hpp"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

bool writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

/// Kernel files are compiled, and what a compiler prints is read as a person wants it: at the lines of their
/// own file.
class TestKernelCompiler : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void errorsStandAtTheirLines() {
    const QString printed = "/k/mine.cu: In function 'void f()':\n"
                            "/k/mine.cu:12:5: error: expected ';' before 'return'\n"
                            "/k/mine.cu:12:5: error: expected ';' before 'return'\n"
                            "/k/mine.cu:20: fatal error: no such thing\n"
                            "/k/mine.cu:30:1: warning: unused\n";
    const std::vector<CompilerError> errors = compilerErrors(printed, "/k/mine.cu");
    QCOMPARE(errors.size(), std::size_t{2});
    QCOMPARE(errors[0], (CompilerError{12, 5, "expected ';' before 'return'"}));
    QCOMPARE(errors[1], (CompilerError{20, 0, "no such thing"}));
  }

  void oneInAHeaderIsToldWhereTheFileLedThere() {
    const QString before = "/h/views.hpp: In instantiation of 'T f(T) [with T = int]':\n"
                           "/k/mine.cu:33:7:   required from here\n"
                           "/h/views.hpp:90:3: error: no match\n";
    QCOMPARE(compilerErrors(before, "/k/mine.cu"),
             (std::vector<CompilerError>{{33, 7, "no match (views.hpp:90)"}}));
    const QString after = "/h/views.hpp:90:3: error: no match\n"
                          "/k/mine.cu:33:7: note: in instantiation of function template\n";
    QCOMPARE(compilerErrors(after, "/k/mine.cu"),
             (std::vector<CompilerError>{{33, 7, "no match (views.hpp:90)"}}));
  }

  void oneInAHeaderThatNothingElseLeadsToIsToldWhereItIsIncluded() {
    const QString inner = "In file included from /k/outer.hpp:4,\n"
                          "                 from /k/mine.cu:13:\n"
                          "/k/mine.hpp:2:11: error: expected ';'\n";
    QCOMPARE(compilerErrors(inner, "/k/mine.cu"),
             (std::vector<CompilerError>{{13, 1, "expected ';' (mine.hpp:2)"}}));
    // What a compiler says later of a template's use is nearer.
    const QString used = "In file included from /k/mine.cu:13:\n"
                         "/k/mine.hpp: In instantiation of 'T f(T) [with T = int]':\n"
                         "/k/mine.cu:33:7:   required from here\n"
                         "/k/mine.hpp:2:11: error: no match\n";
    QCOMPARE(compilerErrors(used, "/k/mine.cu"),
             (std::vector<CompilerError>{{33, 7, "no match (mine.hpp:2)"}}));
  }

  void oneThatLeadsNowhereNamesItsOwnPlace() {
    QCOMPARE(compilerErrors("/h/views.hpp:90:3: error: no match\n", "/k/mine.cu"),
             (std::vector<CompilerError>{{0, 0, "no match (views.hpp:90)"}}));
    QVERIFY(compilerErrors("everything is well\n", "/k/mine.cu").empty());
  }

  void aMissingSemicolonIsToldWhereItBelongs() {
    const QString text = "int a = 3  // three\n\n  LLOYD_UNROLL\n  int b = 4; f()\n";
    const auto told = [&](int line, int column, const char* what) {
      return explained({{line, column, what}}, text).front();
    };
    constexpr const char* declaration = "expected ',' or ';' before 'int'";
    QCOMPARE(told(4, 3, declaration), (CompilerError{1, 10, declaration}));
    // Where something stands before it on its line, it is that line's.
    QCOMPARE(told(4, 17, "expected ';' before '}' token"),
             (CompilerError{4, 17, "expected ';' before '}' token"}));
    QCOMPARE(told(4, 3, "expected unqualified-id before 'int'"),
             (CompilerError{4, 3, "expected unqualified-id before 'int'"}));
    QCOMPARE(told(1, 1, declaration), (CompilerError{1, 1, declaration}));
    QCOMPARE(told(0, 0, declaration), (CompilerError{0, 0, declaration}));
    QCOMPARE(told(99, 1, declaration), (CompilerError{99, 1, declaration}));
  }

  void wordsOfNvidiasCompilerHaveOursBesideThem() {
    QCOMPARE(explained({{3, 1, "'__device__' does not name a type"}}, {}).front(),
             (CompilerError{3, 1, "'__device__' does not name a type: write LLOYD_DEVICE"}));
    QCOMPARE(explained({{4, 1, "'__shared__' was not declared in this scope"}}, {}).front().text,
             QString("'__shared__' was not declared in this scope: write LLOYD_SHARED(type, name, count)"));
  }

  void aNameThatNothingDefinesIsOneSentence_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("names"); // "line name", one after the other
    QTest::newRow("a linker, without lines")
        << "/usr/bin/ld: /tmp/ccCg1djI.o: in function `lloyd::use(unsigned int)':\n"
           "mine.cu:(.text+0x11): undefined reference to `lloyd::(anonymous namespace)::best(unsigned int)'\n"
           "/usr/bin/ld: mine.cu:(.text+0x23): undefined reference to `lloyd::(anonymous namespace)::table'\n"
           "/usr/bin/ld: /tmp/ccCg1djI.o: relocation R_X86_64_PC32 against undefined symbol "
           "`_ZN5lloyd12_GLOBAL__N_15tableE' can not be used when making a shared object; recompile with "
           "-fPIC\n"
           "/usr/bin/ld: final link failed: bad value\n"
           "collect2: error: ld returned 1 exit status\n"
        << "0 best(unsigned int), 0 table";
    QTest::newRow("a linker, with lines")
        << "/usr/bin/ld: /tmp/ccN2pU2u.o: in function `g()':\n"
           "/home/ada/mine.cu:12: undefined reference to `lloyd::simt::words::best(unsigned int)'\n"
           "/usr/bin/ld: /home/ada/other.hpp:3: undefined reference to `vtable for lloyd::S'\n"
        << "12 best(unsigned int), 0 vtable for S";
    QTest::newRow("what loads modules") << "Cannot load library /tmp/x/kernel1.so: (/tmp/x/kernel1.so: "
                                           "undefined symbol: _ZN5lloyd7outsideEjPf)"
                                        << "0 outside(unsigned int, float*)";
    QTest::newRow("no C++ name") << "kernel1.so: undefined symbol: table"
                                 << "0 table";
    QTest::newRow("something else") << "/usr/bin/ld: cannot find -lfoo\n"
                                    << "";
  }
  void aNameThatNothingDefinesIsOneSentence() {
    QFETCH(QString, printed);
    QFETCH(QString, names);
    QStringList found;
    for (const CompilerError& error : linkerErrors(printed, "/home/ada/mine.cu")) {
      const QString rest =
          " is declared and used, and nothing defines it: the file has to, or a header that it "
          "includes";
      QVERIFY2(error.text.endsWith(rest), qPrintable(error.text));
      found << QString("%1 %2").arg(error.line).arg(error.text.chopped(rest.size()));
    }
    QCOMPARE(found.join(", "), names);
  }

  void aFileBeginsWithItsIncludes() {
    QCOMPARE(leadingIncludes("// a kernel\n#pragma once\n#include \"gpu/kernels/ladder.hpp\" // words\n\n"
                             "#include <cmath>\n#include \"mine.hpp\"\n#include <vector>\n"),
             QString("#include \"gpu/kernels/ladder.hpp\"\n#include <cmath>\n"));
    QVERIFY(leadingIncludes("#define X\n#include <cmath>\n").isEmpty()); // what it means hangs on X
    QVERIFY(leadingIncludes("").isEmpty());
  }

  /// A person's kernel is tried again when a header of their own is saved.
  void headersOfOnesOwnAreFound() {
    const QTemporaryDir folder;
    const auto write = [&](const char* name, const QByteArray& text) {
      return writeFile(folder.filePath(QLatin1String(name)), text);
    };
    QVERIFY(QDir(folder.path()).mkdir("deep"));
    QVERIFY(write("mine.cu",
                  "#include \"gpu/kernels/ladder.hpp\"\n#include <cmath>\n  #include \"helper.hpp\"\n"));
    QVERIFY(write("helper.hpp", "#pragma once\n#include \"deep/more.hpp\"\n"));
    QVERIFY(write("deep/more.hpp", "#include \"../helper.hpp\"\n#include \"gone.hpp\"\n"));
    QCOMPARE(ownSources(folder.filePath("mine.cu")),
             QStringList({folder.filePath("mine.cu"), folder.filePath("helper.hpp"),
                          folder.filePath("deep/more.hpp")}));
  }

  void headersThatWereCompiledChangeNothingButTheTime() {
    KernelCompiler compiler;
    if (const QString why = compiler.whyNot(); !why.isEmpty()) QSKIP(qPrintable(why));
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.cu");
    const auto compiled = [&](const QByteArray& end) {
      QSignalSpy ended(&compiler, &KernelCompiler::ended);
      if (!writeFile(file, "#include \"gpu/kernels/kernel.hpp\"\n#include <cmath>\n" + end))
        return QString("no file");
      compiler.start(file);
      if (!ended.wait(60'000)) return QString("no end");
      const auto errors = ended[0][1].value<std::vector<CompilerError>>();
      if (errors.empty()) return QFile::exists(ended[0][0].toString()) ? QString() : QString("no module");
      return QString("%1: %2").arg(errors.front().line).arg(errors.front().text);
    };
    const QByteArray right = "double f() { return std::cos(1.0); }\n";
    const QByteArray wrong = "double f() { return std::cos(nothing); }\n";
    const QString said = compiled(wrong);
    QVERIFY2(said.startsWith("3: "), qPrintable(said));
    QCOMPARE(compiled(right), QString());
    compiler.precompileHeaders();
    QVERIFY(compiler.precompiling());
    QTRY_VERIFY_WITH_TIMEOUT(!compiler.precompiling(), 60'000);
    QCOMPARE(compiled(right), QString());
    QCOMPARE(compiled(wrong), said);
    compiler.precompileHeaders(); // which is done
    QVERIFY(!compiler.precompiling());
    // A file that begins with others gets its own.
    QVERIFY(writeFile(file, "#include <vector>\nstd::vector<int> f() { return {}; }\n"));
    compiler.start(file);
    compiler.precompileHeaders();
    QVERIFY(compiler.precompiling());
  }
};

QTEST_GUILESS_MAIN(TestKernelCompiler)
#include "tst_kernel_compiler.moc"
