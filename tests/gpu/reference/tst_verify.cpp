// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/reference/verify.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lloyd;

namespace {

QString text(const VerifyResult& result) {
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
    QTest::newRow("simt") << static_cast<int>(Backend::simt);
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
      QVERIFY2(result.ok(), qPrintable(text(result)));
      QVERIFY2(result.passed > 0, qPrintable(text(result)));
      QVERIFY(result.worstError <= 1);
    }
    for (const Variant* variant : Registry::instance().all())
      QCOMPARE(seen.count(variant->id()) == 1, variant->runsOn(found.device->backend()));
    for (const char* operation : {"seed", "advance", "interleave", "inertia"})
      QVERIFY(seen.count(std::string("operations.") + operation) == 1);
  }

  void largeCasesMeetTwoByTwo() {
    std::set<std::pair<std::size_t, int>> sizesAndDimensions, sizesAndClusters;
    std::set<std::pair<int, int>> dimensionsAndClusters;
    for (const CaseRecipe& recipe : verifyCases(true)) {
      sizesAndDimensions.emplace(recipe.problem.n, recipe.problem.d);
      sizesAndClusters.emplace(recipe.problem.n, recipe.problem.k);
      dimensionsAndClusters.emplace(recipe.problem.d, recipe.problem.k);
    }
    for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 127U, 128U, 129U, 1023U, 65537U, 99991U}) {
      for (const int d : {1, 2, 3, 5, 64})
        QVERIFY2(sizesAndDimensions.contains({n, d}), qPrintable(QStringLiteral("n %1, d %2").arg(n).arg(d)));
      for (const int k : {1, 2, 10, 16, 17, 256, 1000})
        QVERIFY2(sizesAndClusters.contains({n, k}), qPrintable(QStringLiteral("n %1, k %2").arg(n).arg(k)));
    }
    for (const int d : {1, 2, 3, 5, 64})
      for (const int k : {1, 2, 10, 16, 17, 256, 1000})
        QVERIFY2(dimensionsAndClusters.contains({d, k}),
                 qPrintable(QStringLiteral("d %1, k %2").arg(d).arg(k)));
  }

  void aCaseThatDoesNotFitSaysWhat() {
    const CaseRecipe huge{.problem = {std::size_t{1} << 27, 1, 16}};
    constexpr std::size_t gigabyte = std::size_t{1} << 30;
    QVERIFY(!memoryShortage(huge, 16 * gigabyte, 16 * gigabyte));
    const auto host = memoryShortage(huge, gigabyte, 16 * gigabyte);
    QVERIFY(host && host->find("this machine's memory, and 1024 are free") != std::string::npos);
    const auto device = memoryShortage(huge, 16 * gigabyte, gigabyte);
    QVERIFY(device && device->find("n 134217728, d 1, k 16 needs") != std::string::npos);
    QVERIFY(!memoryShortage({.problem = {0, 64, 1000}}, 0, 0));
    // Only a GPU is asked for more points than a person would wait for.
    for (const CaseRecipe& recipe : verifyCases(true))
      QVERIFY(recipe.problem.n <= std::size_t{1} << 23 || recipe.only == Backend::cuda);
  }

  void patternsChoose() {
    const test::Found found = test::findDevice(Backend::cpu);
    const auto results = verifyVariants(*found.device, {.patterns = {"cpu.v?", "update.*"}});
    std::set<std::string> seen;
    for (const VerifyResult& result : results)
      seen.insert(result.variant);
    QCOMPARE(seen, (std::set<std::string>{"cpu.v1", "cpu.v2", "cpu.v3", "cpu.v4", "update.v1"}));
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
    found.device->setCancel(&cancel);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(verifyVariants(*found.device, {}, stopAtTen)), Cancelled);
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
