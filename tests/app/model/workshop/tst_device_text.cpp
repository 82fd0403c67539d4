// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/device_text.hpp"
#include "app/model/workshop/module_kernels.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;

namespace {

/// The text without what became blanks.
QString left(const char* source) { return QString::fromStdString(deviceText(source)).simplified(); }

} // namespace

/// What of a kernel file a compiler for the card alone is given.
class TestDeviceText : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void whatIsTheCardsStays_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("kernel") << "LLOYD_KERNEL f(int a) { if (a) { return; } }";
    QTest::newRow("template")
        << "template <unsigned D, bool B> LLOYD_KERNEL_UP_TO(most(D)) f(int a) { g<D>(); }";
    QTest::newRow("helper") << "template <class T> LLOYD_DEVICE T f(T a) { return a; }";
    QTest::newRow("constant") << "constexpr unsigned most(unsigned d) { return d > 1 ? 512 : 1024; }";
    QTest::newRow("variable") << "inline constexpr int warps = (1 + 2) * 3;";
    QTest::newRow("type") << "struct Pair { float low; float high; };";
    QTest::newRow("type with functions") << "template <class T> struct P { P(T a) : a_(a) { } T a_; };";
    QTest::newRow("alias") << "using Word = decltype(f(1));";
    QTest::newRow("directive") << "#define f(a) g(a) { a }";
  }
  void whatIsTheCardsStays() {
    QFETCH(const QString, source);
    QCOMPARE(left(qPrintable(source)), source);
  }

  void whatIsTheHostsGoes_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("launch")
        << "void launch(const ClassifyArgs& args, LaunchContext& context) { run([&](auto d) { f<d>(); }); }";
    QTest::newRow("strings that look like code") << "std::string why() { return \"} LLOYD_KERNEL {\"; }";
    QTest::newRow("raw strings") << "const char* why() { return R\"x(} \" })x\"; }";
    QTest::newRow("characters") << "char open() { return '{'; }";
    QTest::newRow("separators in numbers") << "int many() { return 1'000'000; }";
    QTest::newRow("declaration") << "std::string name(Arithmetic arithmetic);";
    QTest::newRow("variable") << "const Parameter block{\"block\", {32, 64}, 32};";
    QTest::newRow("type of the host's") << "class Memory { Memory(const ClassifyArgs& args) { } };";
    QTest::newRow("registration") << "LLOYD_REGISTER(f, {.family = \"classify\"}, {.classify = launch})";
  }
  void whatIsTheHostsGoes() {
    QFETCH(const QString, source);
    QCOMPARE(left(qPrintable(source)), QString());
  }

  void everyLineAndColumnKeepsItsPlace() {
    const std::string source = "namespace a {\n// void f() {\nvoid f() {\n  /* } */ g();\n}\nnamespace {\n"
                               "  LLOYD_DEVICE int h() { return 1; }\n} }\n";
    const std::string text = deviceText(source);
    QCOMPARE(text.size(), source.size());
    QCOMPARE(std::ranges::count(text, '\n'), std::ranges::count(source, '\n'));
    QCOMPARE(text.find("LLOYD_DEVICE"), source.find("LLOYD_DEVICE"));
    QVERIFY(text.find("g()") == std::string::npos);
  }

  void textsThatAreNoCodeEnd() {
    for (const char* text :
         {"", "{", "(", "\"", "R\"(", "/*", "#if 1 \\", "template <", "void f() {", "}}}", "'"})
      QCOMPARE(deviceText(text).size(), std::string_view(text).size());
  }

  void functionsAreCalledByTheirNames_data() {
    QTest::addColumn<QString>("demangled");
    QTest::addColumn<QString>("expression");
    QTest::newRow("plain") << "lloyd::(anonymous namespace)::f(int, lloyd::A<float const>)"
                           << "lloyd::f";
    QTest::newRow("template") << "void lloyd::(anonymous namespace)::f<2u, 0u>(A<int>)"
                              << "lloyd::f<2u, 0u>";
    QTest::newRow("another return") << "void const lloyd::f<1u>(unsigned long)"
                                    << "lloyd::f<1u>";
    QTest::newRow("enumeration") << "void lloyd::f<(lloyd::A)1>(int)"
                                 << "lloyd::f<(lloyd::A)1>";
    QTest::newRow("no function") << "lloyd::table"
                                 << "";
  }
  void functionsAreCalledByTheirNames() {
    QFETCH(const QString, demangled);
    QFETCH(const QString, expression);
    QCOMPARE(QString::fromStdString(nameExpression(demangled.toStdString())), expression);
  }
};

QTEST_GUILESS_MAIN(TestDeviceText)
#include "tst_device_text.moc"
