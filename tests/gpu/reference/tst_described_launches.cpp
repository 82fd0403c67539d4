// SPDX-License-Identifier: GPL-3.0-or-later
// What verification calls of a file's templates is known before a kernel runs.
#include "gpu/core/contract/called_choices.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/dispatch.hpp"
#include "gpu/reference/described_launches.hpp"
#include "gpu/reference/verify.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QTest>

#include <array>

using namespace lloyd;

class TestDescribedLaunches : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void areThoseThatVerificationCalls_data() {
    QTest::addColumn<QString>("id");
    for (const Variant* variant : Registry::instance().all())
      if (variant->on(Backend::simt).classify || variant->on(Backend::simt).reduce)
        QTest::newRow(variant->id().c_str()) << QString::fromStdString(variant->id());
  }
  void areThoseThatVerificationCalls() {
    QFETCH(QString, id);
    const Variant* variant = Registry::instance().find(id.toStdString());
    QVERIFY(variant);
    const auto device = simt::createSimtDevice();
    const CalledChoices described;
    describeVerification(*device, *variant);
    QVERIFY(device->launchedKernels().empty());
    const CalledChoices called;
    static_cast<void>(verifyVariants(*device, {.patterns = {variant->id()}}));
    QCOMPARE(QString::fromStdString(described.text()), QString::fromStdString(called.text()));
  }

  void callWhatProblemsAndParametersSay() {
    const Variant* variant = Registry::instance().find("classify.v4");
    QVERIFY(variant);
    const auto device = simt::createSimtDevice();
    const std::array problems{Problem{100, 2, 8}, Problem{100, 64, 8}}; // it takes three dimensions at most
    const CalledChoices usual;
    describeLaunches(*device, *variant, problems, Tunings::usual);
    const CalledChoices each;
    describeLaunches(*device, *variant, problems, Tunings::each);
    QCOMPARE(usual.text(), std::string("Choice<2, 4, 0>"));
    QCOMPARE(each.text(), std::string("Choice<2, 1, 0>, Choice<2, 2, 0>, Choice<2, 4, 0>, Choice<2, 8, 0>"));
  }

  /// In order and once; an inner one has what is called while it lives.
  void areKeptByTheInnermost() {
    const auto nothing = [](auto...) {};
    const CalledChoices outer;
    dispatch(nothing, oneOf<1, 2>(2), oneOf<16, 4>(16));
    {
      const CalledChoices inner;
      dispatch(nothing, oneOf<7>(7));
      QCOMPARE(inner.text(), std::string("Choice<7>"));
    }
    dispatch(nothing, oneOf<1, 2>(1), oneOf<16, 4>(4));
    dispatch(nothing, oneOf<1, 2>(2), oneOf<16, 4>(16));
    QCOMPARE(dispatch(nothing, oneOf<1, 2>(3)), false);
    QCOMPARE(outer.text(), std::string("Choice<1, 4>, Choice<2, 16>"));
    QVERIFY(!outer.refused());
  }

  void aRefusalIsRememberedWhoeverCatchesIt() {
    const CalledChoices called;
    QVERIFY_EXCEPTION_THROWN(CalledChoices::refuse(), RequestError);
    QVERIFY(called.refused());
    QCOMPARE(called.text(), std::string());
  }
};

QTEST_GUILESS_MAIN(TestDescribedLaunches)
#include "tst_described_launches.moc"
