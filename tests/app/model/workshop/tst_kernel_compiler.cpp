// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_compiler.hpp"

#include <QTest>

using namespace lloyd;

/// What a compiler printed, read as a person wants it: at the lines of their own file.
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

  void oneThatLeadsNowhereNamesItsOwnPlace() {
    QCOMPARE(compilerErrors("/h/views.hpp:90:3: error: no match\n", "/k/mine.cu"),
             (std::vector<CompilerError>{{0, 0, "no match (views.hpp:90)"}}));
    QVERIFY(compilerErrors("everything is well\n", "/k/mine.cu").empty());
  }
};

QTEST_GUILESS_MAIN(TestKernelCompiler)
#include "tst_kernel_compiler.moc"
