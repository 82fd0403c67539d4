// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/registry.hpp"
#include "gpu/reference/verify.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lloyd;

namespace {

QString words(const VerifyResult& result) {
  return QString::fromStdString(result.variant + " " + std::string(name(result.stage)) + ": " +
                                result.firstFailure);
}

} // namespace

/// What `lloydscope verify` runs, on every device of this machine.
class TestVerify : public QObject {
  Q_OBJECT

private slots:
  void everyVariantAgreesWithTheReference_data() {
    QTest::addColumn<int>("backend");
    QTest::newRow("cpu") << static_cast<int>(Backend::cpu);
    QTest::newRow("cuda") << static_cast<int>(Backend::cuda);
  }

  void everyVariantAgreesWithTheReference() {
    QFETCH(int, backend);
    const test::Found found = test::findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    std::set<std::string> seen;
    for (const VerifyResult& result : verifyVariants(*found.device)) {
      seen.insert(result.variant);
      std::size_t skipped = 0;
      for (const VerifySkip& skip : result.skipped) {
        QVERIFY(!skip.reason.empty());
        skipped += skip.cases;
      }
      QCOMPARE(result.cases, result.passed + result.failed + skipped);
      QVERIFY2(result.ok(), qPrintable(words(result)));
      QVERIFY2(result.passed > 0, qPrintable(words(result)));
      QVERIFY(result.worstError <= 1);
    }
    for (const Variant* variant : Registry::instance().all())
      QCOMPARE(seen.count(variant->id()) == 1, variant->runsOn(found.device->backend()));
    for (const char* operation : {"seed", "advance", "interleave", "inertia"})
      QVERIFY(seen.count(std::string("operations.") + operation) == 1);
  }

  void patternsChoose() {
    const test::Found found = test::findDevice(Backend::cpu);
    const auto results = verifyVariants(*found.device, {.patterns = {"cpu.v?", "update.*"}});
    std::set<std::string> seen;
    for (const VerifyResult& result : results)
      seen.insert(result.variant);
    QCOMPARE(seen, (std::set<std::string>{"cpu.v1", "cpu.v2", "cpu.v3", "update.v1"}));
    QVERIFY(verifyVariants(*found.device, {.patterns = {"nothing.*"}}).empty());
  }

  void progressEndsAtTheTotal() {
    const test::Found found = test::findDevice(Backend::cpu);
    std::size_t calls = 0;
    std::size_t total = 0;
    static_cast<void>(
        verifyVariants(*found.device, {.patterns = {"update.*"}}, [&](const VerifyProgress& progress) {
          QCOMPARE(progress.done, calls);
          QVERIFY(!progress.caseName.empty());
          ++calls;
          total = progress.total;
        }));
    QCOMPARE(calls, total);
  }

  void cancelEndsIt() {
    const test::Found found = test::findDevice(Backend::cpu);
    std::atomic<bool> cancel = false;
    std::size_t calls = 0;
    const auto stopAtTen = [&](const VerifyProgress&) { cancel = ++calls == 10; };
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(verifyVariants(*found.device, {.cancel = &cancel}, stopAtTen)),
                             Cancelled);
    QVERIFY(calls <= 11);
  }

  void outOfMemorySkipsWithAReason() {
    FaultyDevice device(createCpuDevice(), {.call = 1, .code = 2, .persistent = true});
    for (const VerifyResult& result : verifyVariants(device, {.patterns = {"cpu.v2"}})) {
      QCOMPARE(result.passed, std::size_t{0});
      QVERIFY(!result.skipped.empty());
      QVERIFY(result.skipped.front().reason.find("planned fault") != std::string::npos);
    }
    QCOMPARE(device.counters().liveAllocations(), 0);
  }

  void aLostDeviceIsAFailure() {
    FaultyDevice device(createCpuDevice(), {.call = 100, .code = 700, .persistent = true});
    std::size_t failed = 0;
    for (const VerifyResult& result : verifyVariants(device, {.patterns = {"cpu.*"}})) {
      failed += result.failed;
      QVERIFY(!result.ok() || !result.skipped.empty());
    }
    QVERIFY(failed > 0);
    QCOMPARE(device.counters().liveAllocations(), 0);
  }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "tst_verify.moc"
