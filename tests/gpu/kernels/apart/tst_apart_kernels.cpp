// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that are taken apart: every combination is right on every device, and both ends are the versions.
#include "gpu/core/contract/step.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/reference/checks.hpp"
#include "gpu/reference/reference.hpp"
#include "gpu/reference/verify.hpp"
#include "gpu/simt/trace/trace.hpp"
#include "tests/support/variant_cases.hpp"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <optional>
#include <set>

using namespace lloyd;
using namespace lloyd::test;

namespace {

const QString folder = QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/apart");

/// One launch of a kernel on the simulator.
/// stepsOf: the block whose warps' steps are kept.
simt::Trace tracedOf(const Variant& variant, const Problem& problem,
                     std::optional<std::uint32_t> stepsOf = std::nullopt) {
  const CaseInputs built = [&] {
    CaseInputs made;
    made.points.resize(problem.pointValues());
    for (std::size_t i = 0; i < made.points.size(); ++i)
      made.points[i] = static_cast<float>(randomBits(1, 0, i) % 4096) / 64;
    made.centroids.resize(problem.centroidValues());
    for (std::size_t i = 0; i < made.centroids.size(); ++i)
      made.centroids[i] = static_cast<float>(randomBits(1, 1, i) % 4096) / 64;
    // Half of the warps see no change, so that the atomics of both kinds are met and left out.
    made.oldLabels.assign(problem.n, -1);
    const auto right = reference::classify(problem, made.points, reference::asDoubles(made.centroids));
    for (std::size_t i = 0; i < problem.n; ++i)
      if (i / 32 % 2 == 0) made.oldLabels[i] = right[i];
    return made;
  }();
  return simt::traceStage({.variant = &variant,
                           .stage = Stage::classify,
                           .problem = problem,
                           .points = built.points,
                           .centroids = built.centroids,
                           .oldLabels = built.oldLabels,
                           .tuning = variant.complete({}),
                           .schedule = {},
                           .stepsOf = stepsOf})
      .trace;
}

/// What it asks of memory; lines of the source are another file's.
simt::Counters askedOf(const Variant& variant, const Problem& problem) {
  simt::Counters counters = tracedOf(variant, problem).counters;
  counters.warpLines = counters.warpLineLanes = 0;
  return counters;
}

/// "requests 5, sectors 8, ..."
QString textOf(const simt::Counters& c) {
  return QStringLiteral(
             "loads %1 of %2 sectors, stores %3 of %4, shared %5, barriers %6, atomics %7 and %8, lanes %9")
      .arg(c.globalLoadRequests)
      .arg(c.globalLoadSectors)
      .arg(c.globalStoreRequests)
      .arg(c.globalStoreSectors)
      .arg(c.sharedRequests)
      .arg(c.barriers)
      .arg(c.sharedAtomics)
      .arg(c.globalAtomics)
      .arg(c.lanes);
}

std::vector<Label> labelsOf(Device& device, const Variant& variant, const PreparedCase& prepared) {
  Buffer<Label> labels(device, prepared.problem.n);
  Buffer<std::uint32_t> changed(device, 1);
  changed.fill(0);
  run(device, variant,
      ClassifyArgs{.problem = prepared.problem,
                   .points = prepared.points(Layout::soa),
                   .centroids = prepared.centroids.data(),
                   .oldLabels = prepared.oldLabels.data(),
                   .labels = labels.data(),
                   .changed = changed.data(),
                   .tuning = {}});
  return labels.download();
}

} // namespace

class TestApartKernels : public QObject {
  Q_OBJECT

private slots:
  void everyFileTakesAStepApart() {
    QSet<QString> files, sources;
    for (const QString& file : QDir(folder).entryList(QDir::Files))
      files << QStringLiteral("gpu/kernels/apart/") + file;
    for (const VersionStep* step : StepRegistry::instance().all()) {
      sources << QString::fromUtf8(step->info.source.data(),
                                   static_cast<qsizetype>(step->info.source.size()));
      QVERIFY(Registry::instance().find(step->info.from) && Registry::instance().find(step->info.to));
      QVERIFY(step->info.switches.size() >= 2 && step->info.switches.size() <= 4);
      QCOMPARE(step->combinations.size(), std::size_t{1} << step->info.switches.size());
      for (const Switch& one : step->info.switches)
        QVERIFY(!one.name.empty() && one.idea.ends_with('.'));
      for (const Variant* combination : step->combinations)
        QVERIFY(combination && combination->has(step->info.stage));
    }
    QCOMPARE(sources, files);
    QVERIFY(files.size() >= 3);
  }

  /// So that no list, race or default has one; who names them finds them.
  void combinationsAreNoVersions() {
    for (const Variant* variant : Registry::instance().all())
      QVERIFY2(variant->info.family != "apart", variant->id().c_str());
    QVERIFY(!Registry::instance().find("apart.classify_v4_0"));
    for (const Variant* variant : matchingVariants({"all"}))
      QVERIFY(variant->info.family != "apart");
    QCOMPARE(matchingVariants({"apart.classify_v4_*"}).size(), std::size_t{16});
    QCOMPARE(matchingVariants({"apart.classify_v6_13"}).front()->info.name,
             std::string_view("flag in shared memory, blocks of 256"));
    QCOMPARE(switchesText(0), std::string("0"));
    QCOMPARE(switchesText(0b1101), std::string("134"));
  }

  void aStepWithoutAllOfItsCombinationsIsRefused() {
    StepRegistry registry;
    const VersionStepInfo info{.from = "classify.v3",
                               .to = "classify.v4",
                               .stage = Stage::classify,
                               .switches = {{"a", "A."}, {"b", "B."}}};
    QVERIFY(!registry.add(info, Backend::simt, std::vector<Launchers>(3)));
    QVERIFY(registry.all().empty());
    const std::vector<Launchers> four(4, Launchers{.classify = [](const ClassifyArgs&, LaunchContext&) {}});
    QVERIFY(registry.add(info, Backend::simt, four));
    QVERIFY(registry.add(info, Backend::cuda, four)); // the same step on another device
    QCOMPARE(registry.all().size(), std::size_t{1});
    QVERIFY(registry.find("classify.v4")->runsOn(Backend::cuda));
  }

  void everyCombinationAgreesWithTheReference_data() {
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("backend");
    for (const VersionStep* step : StepRegistry::instance().all())
      for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
        if (step->runsOn(backend))
          QTest::addRow("%s on %s", std::string(step->info.to).c_str(), name(backend).data())
              << QString::fromStdString(std::string(step->info.to)) << static_cast<int>(backend);
  }
  void everyCombinationAgreesWithTheReference() {
    QFETCH(QString, to);
    QFETCH(int, backend);
    VariantBench bench(static_cast<Backend>(backend));
    if (!bench.device()) QSKIP(bench.why().c_str());
    const VersionStep& step = *StepRegistry::instance().find(to.toStdString());
    std::size_t ran = 0;
    for (std::size_t at = 0; at < variantProblems().size(); ++at) {
      const Problem& problem = variantProblems()[at];
      for (const Variant* combination : step.combinations) {
        if (const auto reason = combination->whyNot(step.info.stage, problem, bench.device()->info(), {})) {
          const auto defect =
              refusalDefect(*reason, *combination, step.info.stage, problem, bench.device()->info());
          QVERIFY2(!defect, (*reason + ": " + defect.value_or("")).c_str());
          continue;
        }
        if (static_cast<Backend>(backend) == Backend::simt && work(problem) > kMostRecorded) continue;
        const reference::Comparison result =
            checkStage(*bench.device(), *combination, step.info.stage, {}, bench.prepared(at));
        QVERIFY2(result.ok() && result.error <= 1, (combination->id() + ": " + result.firstFailure).c_str());
        ++ran;
      }
    }
    QVERIFY(ran >= 8 * step.combinations.size());
  }

  /// Bit for bit, also where distances tie.
  void everyCombinationFindsTheSameLabels() {
    const test::Found found = test::findDevice(Backend::simt);
    for (const VersionStep* step : StepRegistry::instance().all()) {
      if (!step->runsOn(Backend::simt)) continue;
      for (const int d : {1, 2, 3}) {
        const PreparedCase prepared(*found.device, {.kind = CaseKind::ties, .problem = {1500, d, 17}});
        const std::vector<Label> version =
            labelsOf(*found.device, *Registry::instance().find(step->info.from), prepared);
        for (const Variant* combination : step->combinations)
          QVERIFY2(labelsOf(*found.device, *combination, prepared) == version, combination->id().c_str());
      }
    }
  }

  void bothEndsAskWhatTheVersionsAsk_data() {
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("k");
    for (const VersionStep* step : StepRegistry::instance().all())
      for (const int d : {1, 2, 3})
        for (const int k : {16, 17})
          if (step->runsOn(Backend::simt))
            QTest::addRow("%s, d %d, k %d", std::string(step->info.to).c_str(), d, k)
                << QString::fromStdString(std::string(step->info.to)) << d << k;
  }
  void bothEndsAskWhatTheVersionsAsk() {
    QFETCH(QString, to);
    QFETCH(int, d);
    QFETCH(int, k);
    const VersionStep& step = *StepRegistry::instance().find(to.toStdString());
    const Problem problem{5003, d, k};
    std::set<std::string> kinds;
    for (const auto& [version, combination] :
         {std::pair(step.info.from, step.combinations.front()), {step.info.to, step.combinations.back()}}) {
      const simt::Counters own = askedOf(*Registry::instance().find(version), problem);
      const simt::Counters ends = askedOf(*combination, problem);
      QVERIFY2(ends == own, qPrintable(textOf(ends) + QStringLiteral(" but ") + textOf(own)));
      QVERIFY(own.requests > 0);
      kinds.insert(textOf(own).toStdString());
    }
    QCOMPARE(kinds.size(), std::size_t{2}); // the ends differ, or the test would tell nothing
  }

  void noCombinationHasARaceOrAFault() {
    for (const VersionStep* step : StepRegistry::instance().all()) {
      if (!step->runsOn(Backend::simt)) continue;
      for (const Variant* combination : step->combinations) {
        const simt::Trace trace = tracedOf(*combination, {5003, 2, 17});
        QVERIFY2(trace.races == 0 && trace.faults.empty(), combination->id().c_str());
      }
    }
  }

  /// Switches two to four mean something only with the first.
  void eachSwitchOfV4DoesWhatItSays() {
    const VersionStep& step = *StepRegistry::instance().find("classify.v4");
    const Problem problem{4096, 2, 16};
    const auto asked = [&](std::size_t combination) {
      return askedOf(*step.combinations[combination], problem);
    };
    for (std::size_t combination = 0; combination < 16; combination += 2)
      QVERIFY2(asked(combination) == asked(0), step.combinations[combination]->id().c_str());
    // Several points: a quarter of the blocks, of two barriers each.
    QCOMPARE(asked(0b0000).barriers, std::uint64_t{64});
    QCOMPARE(asked(0b0001).barriers, std::uint64_t{16});
    // Clusters outside: 32 warps read 16 clusters of two coordinates once, and not four times.
    QCOMPARE(asked(0b0001).sharedRequests - asked(0b0011).sharedRequests, std::uint64_t{32 * 16 * 2 * 3});
    // One atomic a thread: half of the warps have four points each that changed.
    QCOMPARE(asked(0b0001).sharedAtomics, std::uint64_t{16 * 4});
    QCOMPARE(asked(0b1001).sharedAtomics, std::uint64_t{16});
    // Loads ahead: a warp's loads of labels and coordinates before its first barrier. The first of a block
    // also fetches the centroids, the last does not.
    const auto ahead = [&](std::size_t combination) {
      const simt::Trace trace = tracedOf(*step.combinations[combination], problem, 0);
      const simt::WarpSteps& steps = trace.steps.back();
      const auto barrier = std::ranges::find(steps, simt::Asked::barrier, &simt::WarpStep::asked);
      return std::count_if(steps.begin(), barrier,
                           [](const simt::WarpStep& one) { return one.asked == simt::Asked::globalLoad; });
    };
    QCOMPARE(ahead(0b0000), 3);
    QCOMPARE(ahead(0b0001), 3);
    QCOMPARE(ahead(0b0011), 3);
    QCOMPARE(ahead(0b0101), 12);
    QCOMPARE(ahead(0b0111), 12);
  }

  void eachSwitchOfV6DoesWhatItSays() {
    const VersionStep& step = *StepRegistry::instance().find("classify.v6");
    for (std::size_t combination = 0; combination < 8; ++combination) {
      const simt::Counters asked = askedOf(*step.combinations[combination], {4096, 2, 16});
      QCOMPARE(asked.sharedAtomics == 0, (combination & 1) != 0);
      QCOMPARE(asked.globalAtomics == 0, (combination & 2) != 0);
      QCOMPARE(asked.barriers, std::uint64_t{(combination & 4) != 0 ? 8U : 16U});
    }
  }
};

QTEST_GUILESS_MAIN(TestApartKernels)
#include "tst_apart_kernels.moc"
