// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/checks.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/support/variant_cases.hpp"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lloyd;
using namespace lloyd::test;

namespace {

QString describe(const Problem& problem) {
  return QStringLiteral("n %1, d %2, k %3").arg(problem.n).arg(problem.d).arg(problem.k);
}

/// Tiles of 128 points and clusters cost what is not there as well.
std::size_t workOf(const Variant& variant, const Problem& problem) {
  constexpr int tile = 128;
  if (variant.info.family != "distance" || problem.n == 0) return work(problem);
  return work({std::max<std::size_t>(problem.n, tile), problem.d, std::max(problem.k, tile)});
}

/// Of the problems one in so many is what a variant must take at least: fused.v4 takes 4 to 16 dimensions, of
/// which there is one here.
std::size_t leastShare(const Variant& variant) { return variant.id() == "fused.v4" ? 20 : 4; }

/// What became of the problems of one row.
struct Tally {
  std::size_t ran = 0;
  std::size_t refused = 0;
  std::size_t tooLarge = 0; ///< for the simulator, within the time of a test

  [[nodiscard]] QString text() const {
    QString text = QStringLiteral("%1 ran, %2 refused with a way out").arg(ran).arg(refused);
    if (tooLarge > 0) text += QStringLiteral(", %1 above the simulator's limit").arg(tooLarge);
    return text;
  }
};

} // namespace

/// One body for every variant, whatever it runs on.
class TestVariants : public QObject {
  Q_OBJECT

  std::map<Backend, std::unique_ptr<VariantBench>> benches_;

  VariantBench& bench(Backend backend) {
    std::unique_ptr<VariantBench>& slot = benches_[backend];
    if (!slot) slot = std::make_unique<VariantBench>(backend);
    return *slot;
  }

  /// Calls check(problem number, stage) for what the variant takes, and counts the rest; false after a
  /// failure.
  template <class Check>
  static bool forEach(const Variant& variant, const DeviceInfo& device, std::size_t most, Tally& tally,
                      const Check& check) {
    const std::vector<Problem>& problems = variantProblems();
    for (const Stage stage : stagesOf(variant, device.backend)) {
      for (std::size_t at = 0; at < problems.size(); ++at) {
        if (const auto reason = variant.whyNot(stage, problems[at], device, {})) {
          const auto defect = refusalDefect(*reason, variant, stage, problems[at], device);
          const std::string text = "\"" + *reason + "\": " + defect.value_or("");
          if (!QTest::qVerify(!defect, "refusal", text.c_str(), __FILE__, __LINE__)) return false;
          ++tally.refused;
        } else if (device.backend == Backend::simt && workOf(variant, problems[at]) > most) {
          ++tally.tooLarge;
        } else {
          if (!check(at, stage)) return false;
          ++tally.ran;
        }
      }
    }
    return true;
  }

private slots:
  void theProblemsMeetTwoByTwo() {
    std::set<std::pair<std::size_t, int>> sizesAndDimensions, sizesAndClusters;
    std::set<std::pair<int, int>> dimensionsAndClusters;
    for (const Problem& problem : variantProblems()) {
      sizesAndDimensions.emplace(problem.n, problem.d);
      sizesAndClusters.emplace(problem.n, problem.k);
      dimensionsAndClusters.emplace(problem.d, problem.k);
    }
    QCOMPARE(sizesAndDimensions.size(), kSizes.size() * kDimensions.size());
    QCOMPARE(sizesAndClusters.size(), kSizes.size() * kClusters.size());
    QCOMPARE(dimensionsAndClusters.size(), kDimensions.size() * kClusters.size());
    // The simulator, recording too, meets every dimension and every number of clusters with points to work
    // on.
    std::set<int> dimensions, clusters;
    for (const Problem& problem : variantProblems()) {
      if (problem.n < 31 || work(problem) > kMostRecorded) continue;
      dimensions.insert(problem.d);
      clusters.insert(problem.k);
    }
    QCOMPARE(dimensions.size(), kDimensions.size());
    QCOMPARE(clusters.size(), kClusters.size());
  }

  void aRefusalWithoutAWayOutIsADefect() {
    const test::Found found = findDevice(Backend::simt);
    const Variant& variant = *Registry::instance().find("classify.v7");
    const auto defect = [&](const std::string& reason) {
      return refusalDefect(reason, variant, Stage::classify, {100, 64, 1000}, found.device->info());
    };
    QVERIFY(defect("").has_value());
    QVERIFY(defect("it cannot: classify.general takes any").has_value());
    QVERIFY(defect("classify.v7 takes 1 to 3 dimensions").has_value());
    // Ways that end where they began: a variant that refuses too, and a tuning parameter that does not help.
    QVERIFY(defect("classify.v7 takes 1 to 3 dimensions: classify.v4 takes as many").has_value());
    QVERIFY(defect("classify.v7 takes 1 to 3 dimensions: a block of 64 can").has_value());
    QVERIFY(!defect("classify.v7 takes 1 to 3 dimensions: classify.general takes any").has_value());
  }

  void everyVariantAgreesWithTheReference_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("backend");
    for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
      for (const Variant* variant : Registry::instance().all())
        if (variant->runsOn(backend))
          QTest::addRow("%s on %s", variant->id().c_str(), name(backend).data())
              << QString::fromStdString(variant->id()) << static_cast<int>(backend);
  }

  void everyVariantAgreesWithTheReference() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    VariantBench& on = bench(static_cast<Backend>(backend));
    if (!on.device()) QSKIP(on.why().c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    Tally tally;
    const bool whole =
        forEach(variant, on.device()->info(), kMostOnSimulator, tally, [&](std::size_t at, Stage stage) {
          const reference::Comparison result = checked(*on.device(), variant, stage, on.prepared(at));
          const QString text = QStringLiteral("%1, %2: %3")
                                   .arg(describe(variantProblems()[at]), name(stage).data(),
                                        QString::fromStdString(result.firstFailure));
          return QTest::qVerify(result.ok() && result.error <= 1, "result.ok()", qPrintable(text), __FILE__,
                                __LINE__);
        });
    if (!whole) return;
    const std::size_t stages = stagesOf(variant, on.device()->backend()).size();
    QCOMPARE(tally.ran + tally.refused + tally.tooLarge, stages * variantProblems().size());
    QVERIFY(tally.ran > stages * variantProblems().size() / leastShare(variant));
    qInfo("%s on %s: %s", qPrintable(id), name(on.device()->backend()).data(), qPrintable(tally.text()));
  }

  void noRacesAndNoFaultsInAnyOrder_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("order");
    const std::array<const char*, 3> orders{"forward", "reverse", "seeded"};
    for (const Variant* variant : Registry::instance().all())
      for (std::size_t order = kFirstOrder; variant->runsOn(Backend::simt) && order < orders.size(); ++order)
        QTest::addRow("%s %s", variant->id().c_str(), orders[order])
            << QString::fromStdString(variant->id()) << static_cast<int>(order);
  }

  void noRacesAndNoFaultsInAnyOrder() {
    QFETCH(QString, id);
    QFETCH(int, order);
    VariantBench& on = bench(Backend::simt);
    if (!on.device()) QSKIP(on.why().c_str());
    auto& device = dynamic_cast<simt::SimtDevice&>(*on.device());
    device.setSchedule({.order = static_cast<simt::Schedule::Order>(order), .seed = 20});
    const Variant& variant = *Registry::instance().find(id.toStdString());
    // A mistake in the order shows in a few blocks: two of the orders leave out the largest problems, for
    // time.
    const std::size_t most = order == 2 ? kMostRecorded : kMostRecorded / 4;
    Tally tally;
    std::uint64_t requests = 0;
    const bool whole = forEach(variant, device.info(), most, tally, [&](std::size_t at, Stage stage) {
      const PreparedCase& prepared = on.prepared(at);
      device.startRecording();
      const reference::Comparison result = checked(device, variant, stage, prepared);
      const simt::Trace trace = device.stopRecording();
      requests += trace.counters.requests;
      QString text = describe(variantProblems()[at]) + QStringLiteral(", ") + name(stage).data();
      text += QStringLiteral(": %1 races, %2 faults. ").arg(trace.races).arg(trace.faults.size());
      text += QString::fromStdString(result.firstFailure);
      for (const simt::Race& race : trace.examples)
        if (!race.sameValue) text += QStringLiteral(" ") + QString::fromStdString(race.what);
      for (const std::string& fault : trace.faults)
        text += QStringLiteral(" ") + QString::fromStdString(fault);
      return QTest::qVerify(result.ok() && trace.races == 0 && trace.faults.empty(), "clean",
                            qPrintable(text), __FILE__, __LINE__);
    });
    device.setSchedule({});
    if (!whole) return;
    QVERIFY(tally.ran > 40 / leastShare(variant));
    QVERIFY(requests > 0); // otherwise nothing was recorded
    qInfo("%s recorded: %s", qPrintable(id), qPrintable(tally.text()));
  }

private:
  /// A launch that throws is a failure in its words.
  static reference::Comparison checked(Device& device, const Variant& variant, Stage stage,
                                       const PreparedCase& prepared) {
    try {
      return checkStage(device, variant, stage, {}, prepared);
    } catch (const DeviceError& error) {
      reference::Comparison failure;
      failure.require(false, [&] { return std::string(error.what()); });
      return failure;
    }
  }
};

QTEST_GUILESS_MAIN(TestVariants)
#include "tst_variants.moc"
