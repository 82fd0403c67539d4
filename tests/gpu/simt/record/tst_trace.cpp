// SPDX-License-Identifier: GPL-3.0-or-later
// One stage traced on host data: who handled which point, and what is refused.
#include "gpu/core/contract/error.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::simt;

namespace {

/// A request, and the data that it points to.
struct Traced {
  Traced(const char* id, Stage stage, const Problem& problem) : inputs(build({.problem = problem})) {
    request.variant = Registry::instance().find(id);
    if (!request.variant) qFatal("there is no variant %s", id);
    request.stage = stage;
    request.problem = problem;
    request.points = inputs.points;
    request.centroids = inputs.centroids;
    request.oldLabels = inputs.oldLabels;
    request.owners = true;
  }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  CaseInputs inputs;
  TraceRequest request;
};

} // namespace

class TestTraceStage : public QObject {
  Q_OBJECT

private slots:
  void oneThreadAPointOwnsItsPoint() {
    Traced traced("classify.v3", Stage::classify, {1000, 2, 5});
    traced.request.tuning.block = 64;
    const StageTrace result = traceStage(traced.request);
    QVERIFY(result.trace.faults.empty());
    QCOMPARE(result.owners.size(), std::size_t{1000});
    for (std::size_t i = 0; i < result.owners.size(); ++i) {
      QCOMPARE(std::size_t{result.owners[i].block}, i / 64);
      QCOMPARE(std::size_t{result.owners[i].thread}, i % 64);
    }
  }

  /// Four points a thread, a grid apart.
  void severalPointsAThreadLieAGridApart() {
    Traced traced("classify.v4", Stage::classify, {4096, 1, 3});
    traced.request.tuning.block = 128;
    traced.request.tuning.items = 4;
    const StageTrace result = traceStage(traced.request);
    for (std::size_t i = 0; i < result.owners.size(); ++i) {
      const std::size_t thread = i % 1024;
      QCOMPARE(std::size_t{result.owners[i].block}, thread / 128);
      QCOMPARE(std::size_t{result.owners[i].thread}, thread % 128);
    }
  }

  void everyPointIsHandledInEveryStage_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("stage");
    for (const Variant* variant : Registry::instance().all())
      for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::layout})
        if (variant->on(Backend::simt).has(stage))
          QTest::newRow(variant->id().c_str())
              << QString::fromStdString(variant->id()) << static_cast<int>(stage);
  }
  void everyPointIsHandledInEveryStage() {
    QFETCH(QString, id);
    QFETCH(int, stage);
    const int d = id == "fused.v4" ? 8 : 2; // which takes no fewer than 4
    Traced traced(qPrintable(id), static_cast<Stage>(stage), {1001, d, 7});
    traced.request.record = false;
    const StageTrace result = traceStage(traced.request);
    QCOMPARE(result.owners.size(), std::size_t{1001});
    QVERIFY(std::all_of(result.owners.begin(), result.owners.end(),
                        [](const Owner& owner) { return owner.block != Owner::nobody; }));
    QCOMPARE(result.trace.counters, Counters()); // not asked for
  }

  void updateHandlesNoPoints() {
    const Traced traced("update.v1", Stage::update, {500, 3, 4});
    const StageTrace result = traceStage(traced.request);
    QVERIFY(result.owners.empty());
    QVERIFY(result.trace.counters.globalStoreRequests > 0);
  }

  /// The labels before decide how many atomics count changes: all right, and there are none.
  void theLabelsBeforeAreTaken() {
    Traced traced("classify.v3", Stage::classify, {1024, 2, 1});
    traced.request.oldLabels = {};
    const StageTrace first = traceStage(traced.request);
    QCOMPARE(first.trace.counters.sharedAtomics, std::uint64_t{1024 / 32});
    const std::vector<Label> settled(1024, 0);
    traced.request.oldLabels = settled;
    const StageTrace second = traceStage(traced.request);
    QCOMPARE(second.trace.counters.sharedAtomics, std::uint64_t{0});
    QCOMPARE(second.trace.counters.globalAtomics, std::uint64_t{0});
  }

  void noPointsAreNoProblem() {
    const Traced traced("reduce.v7", Stage::reduce, {0, 3, 4});
    const StageTrace result = traceStage(traced.request);
    QVERIFY(result.owners.empty());
    QVERIFY(result.trace.faults.empty());
    QCOMPARE(result.trace.counters.globalLoadRequests, std::uint64_t{0});
  }

  void whatCannotRunIsRefused() {
    const Traced tooWide("classify.v3", Stage::classify, {100, 5, 4});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(traceStage(tooWide.request)), RequestError);
    const Traced otherStage("classify.v3", Stage::reduce, {100, 2, 4});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(traceStage(otherStage.request)), RequestError);
    const Traced noKernel("cpu.v1", Stage::classify, {100, 2, 4});
    try {
      static_cast<void>(traceStage(noKernel.request));
      QFAIL("a variant without a kernel was traced");
    } catch (const RequestError& error) {
      QCOMPARE(error.kind(), RequestError::Kind::absent);
    }
    Traced badBlock("classify.v3", Stage::classify, {100, 2, 4});
    badBlock.request.tuning.block = 48;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(traceStage(badBlock.request)), RequestError);
  }

  void aCancelledTraceEnds() {
    Traced traced("reduce.v2", Stage::reduce, {65536, 3, 16});
    const std::atomic<bool> cancel{true};
    traced.request.cancel = &cancel;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(traceStage(traced.request)), Cancelled);
  }

  void aStageCanBeLaunchedWithoutBeingCounted() {
    const std::unique_ptr<SimtDevice> device = createSimtDevice();
    for (const auto& [id, stage] :
         {std::pair("classify.aos", Stage::classify), std::pair("reduce.v1", Stage::reduce),
          std::pair("update.v1", Stage::update), std::pair("layout.v2", Stage::layout)}) {
      const Traced traced(id, stage, {777, 3, 5});
      device->startRecording();
      launchStage(*device, traced.request);
      QCOMPARE(device->stopRecording().counters, traceStage(traced.request).trace.counters);
    }
  }
};

QTEST_GUILESS_MAIN(TestTraceStage)
#include "tst_trace.moc"
