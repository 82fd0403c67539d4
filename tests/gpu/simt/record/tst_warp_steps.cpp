// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of one block did, step by step.
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/simt/record/warp_log.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QTest>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

using namespace lloyd;
using namespace lloyd::simt;

namespace {

StageTrace traced(std::optional<std::uint32_t> stepsOf, std::size_t n = 300, const char* id = "classify.v8",
                  Stage stage = Stage::classify) {
  static std::vector<CaseInputs> kept;
  kept.push_back(build({.problem = {n, 2, 3}}));
  TraceRequest request;
  request.variant = Registry::instance().find(id);
  request.stage = stage;
  request.problem = {n, 2, 3};
  request.points = kept.back().points;
  request.centroids = kept.back().centroids;
  if (stage == Stage::classify) {
    request.tuning.block = 64;
    request.tuning.items = 2;
    request.tuning.vector = 1;
  }
  request.stepsOf = stepsOf;
  return traceStage(request);
}

std::ptrdiff_t countOf(const WarpSteps& steps, Asked asked) {
  return std::ranges::count(steps, asked, &WarpStep::asked);
}

/// Where each lane of each step is, as array and byte, in the order of warps.
std::vector<std::pair<std::size_t, std::uint64_t>> places(const StageTrace& traced) {
  std::vector<std::pair<std::size_t, std::uint64_t>> all;
  for (const WarpSteps& steps : traced.trace.steps) {
    for (const WarpStep& step : steps) {
      if (step.asked > Asked::globalAtomic) continue;
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((step.lanes >> lane & 1) == 0) continue;
        const auto found = std::ranges::find_if(traced.arrays, [&](const TracedArray& array) {
          return step.at[lane] - array.first < array.bytes;
        });
        all.emplace_back(found - traced.arrays.begin(),
                         found == traced.arrays.end() ? 0 : step.at[lane] - found->first);
      }
    }
  }
  return all;
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

  /// Sectors counted from an array's first byte are those counted by address, and pictures are the same on
  /// every run.
  void arraysBeginWhereSectorsDo() {
    for (const auto& [id, stage] :
         {std::pair("classify.v8", Stage::classify), std::pair("reduce.v6", Stage::reduce),
          std::pair("fused.v1", Stage::fused), std::pair("fused.v3", Stage::fused),
          std::pair("update.v1", Stage::update), std::pair("layout.v1", Stage::layout)}) {
      const StageTrace first = traced(0, 300, id, stage);
      const StageTrace second = traced(0, 300, id, stage);
      QVERIFY(!first.arrays.empty());
      for (const TracedArray& array : first.arrays)
        QVERIFY2(array.first % 256 == 0, array.name.c_str());
      QCOMPARE(places(first), places(second));
    }
  }

  void sharedArraysHaveNames() {
    const Trace trace = traced(0).trace;
    QVERIFY(!trace.sharedArrays.empty());
    QCOMPARE(trace.sharedArrays.front().name, std::string("centroid"));
    QCOMPARE(trace.blocks, 3u);
    QVERIFY(!trace.stepsCut);
  }

  /// Of a block that does very much the first steps of each warp are kept.
  void stepsThatAreTooManyAreCut() {
    WarpLog log;
    Sites sites;
    WarpSteps kept;
    const std::uint32_t site = sites.find(Place(SourceLocation::current()), Asked::globalLoad, 4);
    log.keep(&kept, 3);
    for (std::uint64_t step = 0; step < 5; ++step)
      for (unsigned lane = 0; lane < 32; ++lane)
        log.add(lane, site, 4096 * step + 4 * lane);
    log.count(sites);
    QCOMPARE(kept.size(), std::size_t{3});
    QCOMPARE(kept[2].at[5], std::uint64_t{2 * 4096 + 20});
    QCOMPARE(sites[site].counters.requests, std::uint64_t{5});
  }
};

QTEST_GUILESS_MAIN(TestWarpSteps)
#include "tst_warp_steps.moc"
