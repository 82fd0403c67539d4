// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped table of kernels, what is planned from it, and the paper's constraints.
#include "app/model/launch/paper_constraints.hpp"
#include "app/model/launch/planned_launch.hpp"
#include "app/model/report/plan_report.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;

namespace {

Candidate candidateOf(std::string_view id, Stage stage, Tuning tuning = {}) {
  const Variant* variant = Registry::instance().find(id);
  if (!variant) qFatal("there is no variant %s", std::string(id).c_str());
  return {variant, stage, variant->complete(tuning)};
}

constexpr Problem papers{.n = 1 << 20, .d = 2, .k = 16};

} // namespace

class TestPlannedLaunch : public QObject {
  Q_OBJECT
private slots:
  void tablesAreRead() {
    const KernelTable table = KernelTable::read(
        "# a card, driver 5\n"
        "variant,stage,d,k,block,items,vector,unroll,arithmetic,threads,registers,shared_bytes,"
        "local_bytes\n"
        "classify.v8,classify,2,16,128,8,4,,,128,66,96,0\n"
        "classify.v8,classify,2,16,256,8,4,,,256,none,96,0\n"
        "classify.v8,classify,2\n");
    QCOMPARE(table.size(), std::size_t{1});
    QCOMPARE(table.source(), QString("a card, driver 5"));
    Tuning tuning{.block = 128, .items = 8};
    tuning.vector = 4;
    const auto found = table.find(candidateOf("classify.v8", Stage::classify, tuning), papers);
    QVERIFY(found && found->needs.registers == 66 && found->needs.sharedBytes == 96);
    tuning.block = 256;
    const LaunchPlans plans =
        table.plans({candidateOf("classify.v8", Stage::classify, tuning)}, {2, 7}, {16});
    QVERIFY(plans.launches.empty());
    QCOMPARE(plans.unplanned.size(), std::size_t{2});
    QVERIFY2(plans.unplanned[1].reason.ends_with("known for D of 2 and k of 16"),
             plans.unplanned[1].reason.c_str());
    // What cannot be launched anywhere has the kernel's own reason.
    tuning = {.block = 128, .items = 2};
    tuning.vector = 4;
    const LaunchPlans never = table.plans({candidateOf("classify.v8", Stage::classify, tuning)}, {2}, {16});
    QCOMPARE(never.unplanned.size(), std::size_t{1});
    QVERIFY2(never.unplanned[0].reason.find("items of 4, or a vector of 2, can") != std::string::npos,
             never.unplanned[0].reason.c_str());
  }

  /// What planCsv() writes is what KernelTable reads.
  void whatIsWrittenIsReadAgain() {
    Tuning tuning{.block = 1024, .items = 4};
    tuning.vector = 2;
    PlanReport report{.plans = {}, .card = *cardLimits(90)};
    report.plans.source = "a card";
    report.plans.launches.push_back({.candidate = candidateOf("classify.v8", Stage::classify, tuning),
                                     .problem = papers,
                                     .needs = {.threads = 1024, .registers = 42, .sharedBytes = 1040},
                                     .localBytes = 8,
                                     .driverSays = 0.5});
    report.plans.launches.push_back({.candidate = candidateOf("classify.v3", Stage::classify,
                                                              {.block = 64, .arithmetic = Arithmetic::powf}),
                                     .problem = papers,
                                     .needs = {.threads = 64, .registers = 20, .sharedBytes = 0},
                                     .driverSays = 1});
    const KernelTable table = KernelTable::read(QString::fromUtf8(planCsv(report)));
    QCOMPARE(table.source(), QString("a card"));
    for (const PlannedLaunch& launch : report.plans.launches) {
      const auto found = table.find(launch.candidate, papers);
      QVERIFY2(found, launch.candidate.variant->id().c_str());
      QCOMPARE(found->needs.threads, launch.needs.threads);
      QCOMPARE(found->needs.registers, launch.needs.registers);
      QCOMPARE(found->needs.sharedBytes, launch.needs.sharedBytes);
      QCOMPARE(found->localBytes, launch.localBytes);
    }
  }

  void oneOfThemIsCalledOne() {
    const auto all = paperConstraints(*cardLimits(90), {.threads = 128, .registers = 32}, 2000, 1, 0);
    QVERIFY(std::ranges::any_of(all, [](const PaperConstraint& one) {
      return one.here == "16 blocks × 128 threads × 1 point ≥ 2,000 points";
    }));
  }

  /// A driver that says something else is noticed, and only on its own card.
  void theDriverHasTheLastWord() {
    PlanReport report{.plans = {}, .card = *cardLimits(90), .ownCard = true};
    report.plans.launches.push_back({.candidate = candidateOf("classify.v3", Stage::classify, {.block = 128}),
                                     .problem = papers,
                                     .needs = {.threads = 128, .registers = 40, .sharedBytes = 0},
                                     .driverSays = 0.75});
    QCOMPARE(report.disagreements(), std::size_t{0});
    report.plans.launches.front().driverSays = 0.5;
    QCOMPARE(report.disagreements(), std::size_t{1});
    QVERIFY(!planText(report).isEmpty());
    report.ownCard = false;
    QCOMPARE(report.disagreements(), std::size_t{0});
  }

  /// Every kernel that a GPU runs is shipped with what it needs, in the shape that it has by itself.
  void everyKernelIsShipped() {
    const KernelTable& table = KernelTable::shipped();
    for (const Variant* variant : Registry::instance().all())
      for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout}) {
        if (!variant->has(stage, Backend::simt)) continue;
        const Candidate candidate{variant, stage, variant->complete({})};
        bool found = false;
        for (const int d : {1, 2, 3, 16, 64})
          if (const auto launch = table.find(candidate, {.n = papers.n, .d = d, .k = 16})) {
            found = true;
            QVERIFY2(!whyNoLaunch(*cardLimits(90), launch->needs), variant->id().c_str());
          }
        QVERIFY2(found, variant->id().c_str());
      }
  }

  /// The paper's own GTX 680: its 63 registers bind nobody who stays below them, 64 bind.
  void thePapersConstraintsAreHeldAgainstALaunch() {
    const auto constraint = [](int capability, int registers, const QString& number) {
      const auto all =
          paperConstraints(*cardLimits(capability),
                           {.threads = 128, .registers = registers, .sharedBytes = 512}, 297500, 8, 13);
      return *std::ranges::find_if(all, [&](const auto& one) { return one.formula.startsWith(number); });
    };
    QVERIFY(!constraint(52, 63, "(6)").binds);
    QVERIFY(constraint(52, 64, "(6)").binds);
    QVERIFY(constraint(52, 64, "(6)").remark.contains("255"));
    QVERIFY(constraint(30, 63, "(6)").remark.isEmpty());
    QVERIFY(constraint(90, 66, "(4)").binds);
    QCOMPARE(constraint(90, 66, "(4)").here, QString("66 × 128 = 8,448 of 65,536"));
    QVERIFY(!constraint(90, 16, "(4)").binds);
    QCOMPARE(constraint(90, 16, "(8)").here, QString("291 blocks × 128 threads × 8 points ≥ 297,500 points"));
    QVERIFY(!constraint(90, 16, "(10)").binds);
  }
};

QTEST_GUILESS_MAIN(TestPlannedLaunch)
#include "tst_planned_launch.moc"
