// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of one block did, step by step.
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QTest>

#include <algorithm>
#include <bit>
#include <optional>

using namespace lloyd;
using namespace lloyd::simt;

namespace {

StageTrace traced(std::optional<std::uint32_t> stepsOf, std::size_t n = 300) {
  static std::vector<CaseInputs> kept;
  kept.push_back(build({.problem = {n, 2, 3}}));
  TraceRequest request;
  request.variant = Registry::instance().find("classify.v8");
  request.problem = {n, 2, 3};
  request.points = kept.back().points;
  request.centroids = kept.back().centroids;
  request.tuning.block = 64;
  request.tuning.items = 2;
  request.tuning.vector = 1;
  request.stepsOf = stepsOf;
  return traceStage(request);
}

std::ptrdiff_t countOf(const WarpSteps& steps, Asked asked) {
  return std::ranges::count(steps, asked, &WarpStep::asked);
}

} // namespace

class TestWarpSteps : public QObject {
  Q_OBJECT

private slots:
  void whoDoesNotAskGetsNone() {
    QVERIFY(traced(std::nullopt).trace.steps.empty());
    QVERIFY(traced(17).trace.steps.empty()); // a block that is not there
  }

  /// 300 points are three blocks of 64 threads with two each: all steps are those that are counted.
  void theStepsOfAllBlocksAreTheRequests() {
    const Trace whole = traced(std::nullopt).trace;
    std::uint64_t loads = 0, stores = 0, shared = 0, lanes = 0, barriers = 0;
    for (const std::uint32_t block : {0u, 1u, 2u}) {
      const Trace trace = traced(block).trace;
      QCOMPARE(trace.counters, whole.counters); // to look closely changes nothing
      QCOMPARE(trace.steps.size(), std::size_t{2});
      for (const WarpSteps& steps : trace.steps) {
        loads += static_cast<std::uint64_t>(countOf(steps, Asked::globalLoad));
        stores += static_cast<std::uint64_t>(countOf(steps, Asked::globalStore));
        shared += static_cast<std::uint64_t>(countOf(steps, Asked::sharedLoad) +
                                             countOf(steps, Asked::sharedStore));
        for (const WarpStep& step : steps)
          if (step.asked != Asked::barrier) lanes += static_cast<unsigned>(std::popcount(step.lanes));
      }
      barriers += static_cast<std::uint64_t>(countOf(trace.steps.front(), Asked::barrier));
      QCOMPARE(countOf(trace.steps.front(), Asked::barrier), countOf(trace.steps.back(), Asked::barrier));
    }
    QCOMPARE(loads, whole.counters.globalLoadRequests);
    QCOMPARE(stores, whole.counters.globalStoreRequests);
    QCOMPARE(shared, whole.counters.sharedRequests);
    QCOMPARE(lanes, whole.counters.lanes);
    QCOMPARE(barriers, whole.counters.barriers);
  }

  /// Coordinates, then centroids, and only then a barrier, in the lines' order.
  void stepsAreInTheirOrder() {
    const WarpSteps steps = traced(0).trace.steps.front();
    for (std::size_t i = 0; i < 5; ++i)
      QVERIFY(steps[i].asked == Asked::globalLoad);
    QCOMPARE(steps[3].lanes, 0xffffffffu);
    QCOMPARE(steps[4].lanes, 0x3fu); // six values of three centroids
    QVERIFY(steps[5].asked == Asked::sharedStore && steps[6].asked == Asked::sharedStore);
    QCOMPARE(steps[6].lanes, 1u);
    QVERIFY(steps[7].asked == Asked::barrier);
    QCOMPARE(steps[0].line, steps[3].line);
    QVERIFY(steps[0].line < steps[4].line && steps[4].line < steps[7].line);
    for (const WarpStep& step : steps)
      QCOMPARE(step.file, std::string_view("gpu/kernels/classify/v8_block_items_vector.cu"));
    QCOMPARE(steps[0].bytes, 4u);
  }
};

QTEST_GUILESS_MAIN(TestWarpSteps)
#include "tst_warp_steps.moc"
