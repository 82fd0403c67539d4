// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/cuda/parameter_names.hpp"

#include <QTest>

using namespace lloyd;

namespace {

constexpr std::string_view text = R"(#include "gpu/kernels/kernel.hpp"
// LLOYD_KERNEL nothing(int wrong) {
LLOYD_DEVICE float help(LLOYD_GLOBAL(float) given, unsigned i) {
  return given[i];
}

template <unsigned D>
LLOYD_KERNEL first(LLOYD_GLOBAL(const float) points, std::size_t /* of a row, of (all) */ stride,
                   std::array<int, 4> bits, LLOYD_GLOBAL(Label) labels, unsigned) { // five
  if (stride > 0) {
    labels[0] = points[0];
  }
}

LLOYD_KERNEL_UP_TO(most(D, 2))
second(LLOYD_GLOBAL(double) sums) {
  sums[9] = 0;
}
)";

QString nameAt(unsigned line, unsigned argument) {
  return QString::fromStdString(simt::parameterName(text, line, argument).value_or("-"));
}

} // namespace

/// What a fault calls the array that it is about.
class TestParameterNames : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aKernelCallsItsParametersByTheirNames() {
    QCOMPARE(nameAt(11, 1), QString("points"));
    QCOMPARE(nameAt(11, 2), QString("stride"));
    QCOMPARE(nameAt(11, 3), QString("bits")); // a comma within angle brackets parts nothing
    QCOMPARE(nameAt(13, 4), QString("labels"));
    QCOMPARE(nameAt(17, 1), QString("sums"));
  }

  void whatIsNoKernelsHasNoName() {
    QCOMPARE(nameAt(4, 1), QString("-")); // the function's parameter is not the launch's
    QCOMPARE(nameAt(7, 1), QString("-"));
    QCOMPARE(nameAt(17, 2), QString("-"));
    QVERIFY(!simt::parameterName("LLOYD_KERNEL cut(LLOYD_GLOBAL(float) a) {", 1, 1));
    QVERIFY(!simt::parameterName("LLOYD_KERNEL", 1, 1));
    QVERIFY(!simt::parameterName("", 1, 1));
    QVERIFY(!simt::parameterNameIn("/no/such/file.cu", 1, 1));
  }
};

QTEST_GUILESS_MAIN(TestParameterNames)
#include "tst_parameter_names.moc"
