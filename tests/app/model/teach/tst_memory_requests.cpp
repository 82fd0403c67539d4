// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of requests add up to the counters.
#include "app/model/compute/settings.hpp"
#include "app/model/teach/memory_requests.hpp"
#include "app/model/teach/memory_service.hpp"
#include "gpu/reference/cases.hpp"

#include <QSignalSpy>
#include <QTest>

#include <map>
#include <set>
#include <utility>

using namespace lloyd;
using simt::Asked;

namespace {

CountInput inputOf(const char* id, Stage stage, const Problem& problem, int block = 0) {
  const Variant* variant = Registry::instance().find(id);
  const CaseInputs made = build({.problem = problem});
  CountInput input{{stage, variant, nullptr, {}}, problem, made.points, made.centroids, {}};
  input.subject.tuning.block = block;
  return input;
}

/// What a line of the source comes to in the pictures, in the counters' terms.
simt::Counters& add(simt::Counters& sum, const MemoryRequest& request) {
  switch (request.asked) {
  case Asked::globalLoad:
    ++sum.globalLoadRequests;
    sum.globalLoadSectors += request.sectors.size();
    break;
  case Asked::globalStore:
    ++sum.globalStoreRequests;
    sum.globalStoreSectors += request.sectors.size();
    break;
  case Asked::globalAtomic:
    ++sum.globalAtomics;
    sum.globalAtomicTurns += request.turns;
    break;
  case Asked::sharedAtomic:
    ++sum.sharedAtomics;
    sum.sharedAtomicTurns += request.turns;
    break;
  default:
    ++sum.sharedRequests;
    sum.bankConflicts += request.conflicts;
  }
  ++sum.requests;
  sum.lanes += request.laneCount();
  return sum;
}

/// Whether the rows of the picture have each word of a touched sector or bank once. A word in two parts of a
/// wide request is one.
bool rowsHaveItsWords(const MemoryRequest& request) {
  std::set<std::uint64_t> touched, drawn;
  for (const MemoryRequest::Word& word : request.words)
    touched.insert(word.number);
  for (const MemoryRequest::Sector& sector : request.sectors)
    for (std::uint64_t word = 8 * sector.number; word < 8 * sector.number + 8; ++word)
      touched.insert(word);
  for (const MemoryRow& row : memoryRows(request))
    for (std::size_t column = 0; column < 32; ++column)
      if (row.words[column].fetched) drawn.insert(32 * row.number + column);
  return touched == drawn;
}

/// A request of the first warp of block 0 at the n-th line that asks so.
MemoryRequest firstOf(const BlockRequests& block, Asked asked, int array) {
  for (const simt::WarpStep& step : block.steps.front())
    for (const MemoryRequest& request : requestsOf(block, 0, step.file, step.line))
      if (request.asked == asked && request.array == array) return request;
  return {};
}

} // namespace

class TestMemoryRequests : public QObject {
  Q_OBJECT
private slots:
  void picturesAddUpToTheCounters_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("d");
    QTest::newRow("classify.v3") << "classify.v3" << int(Stage::classify) << 2;
    QTest::newRow("classify.aos") << "classify.aos" << int(Stage::classify) << 3;
    QTest::newRow("classify.v8") << "classify.v8" << int(Stage::classify) << 2;
    QTest::newRow("classify.general") << "classify.general" << int(Stage::classify) << 5;
    QTest::newRow("layout.v1") << "layout.v1" << int(Stage::layout) << 3;
    QTest::newRow("reduce.v1") << "reduce.v1" << int(Stage::reduce) << 2;
    QTest::newRow("reduce.v2") << "reduce.v2" << int(Stage::reduce) << 2;
    QTest::newRow("reduce.general") << "reduce.general" << int(Stage::reduce) << 5;
    QTest::newRow("distance.v3") << "distance.v3" << int(Stage::classify) << 8;
    QTest::newRow("fused.v1") << "fused.v1" << int(Stage::fused) << 2;
  }
  void picturesAddUpToTheCounters() {
    QFETCH(QString, id);
    QFETCH(int, stage);
    QFETCH(int, d);
    const CountInput input = inputOf(qPrintable(id), static_cast<Stage>(stage), {.n = 1001, .d = d, .k = 7});
    const StageCount whole = countStage(input, {}, input.subject.variant, nullptr);
    QVERIFY2(whole.trace, qPrintable(whole.why));
    std::map<std::pair<std::string, int>, simt::Counters> sums;
    const std::uint32_t blocks = blockRequests(input, 0, nullptr).blocks;
    QVERIFY(blocks >= 1);
    for (std::uint32_t at = 0; at < blocks; ++at) {
      const BlockRequests block = blockRequests(input, at, nullptr);
      QVERIFY2(block.why.isEmpty() && !block.cut, qPrintable(block.why));
      QCOMPARE(block.blocks, blocks);
      for (const simt::Trace::Line& line : whole.trace->lines)
        for (std::size_t warp = 0; warp < block.steps.size(); ++warp)
          for (const MemoryRequest& request : requestsOf(block, warp, line.file, line.line)) {
            add(sums[{line.file, line.line}], request);
            QVERIFY(request.array >= 0);
            QVERIFY(rowsHaveItsWords(request));
            QVERIFY(!requestText(block, request).isEmpty());
          }
    }
    for (const simt::Trace::Line& line : whole.trace->lines) {
      const simt::Counters& sum = sums[{line.file, line.line}];
      const simt::Counters& counted = line.counters;
      QCOMPARE(sum.globalLoadRequests, counted.globalLoadRequests);
      QCOMPARE(sum.globalLoadSectors, counted.globalLoadSectors);
      QCOMPARE(sum.globalStoreRequests, counted.globalStoreRequests);
      QCOMPARE(sum.globalStoreSectors, counted.globalStoreSectors);
      QCOMPARE(sum.sharedRequests, counted.sharedRequests);
      QCOMPARE(sum.bankConflicts, counted.bankConflicts);
      QCOMPARE(sum.sharedAtomics, counted.sharedAtomics);
      QCOMPARE(sum.globalAtomics, counted.globalAtomics);
      QCOMPARE(sum.sharedAtomicTurns, counted.sharedAtomicTurns);
      QCOMPARE(sum.globalAtomicTurns, counted.globalAtomicTurns);
      QCOMPARE(sum.requests, counted.requests);
      QCOMPARE(sum.lanes, counted.lanes);
    }
  }

  void rowsAreUsedWholeAndRecordsAreNot() {
    const BlockRequests rows =
        blockRequests(inputOf("classify.v3", Stage::classify, {.n = 128, .d = 3, .k = 4}), 0, nullptr);
    const MemoryRequest whole = firstOf(rows, Asked::globalLoad, 0);
    QCOMPARE(requestText(rows, whole),
             QString("32 lanes ask for 128 bytes in 4 sectors of points: all of them are used."));
    QCOMPARE(laneText(rows, whole, 1), QString("lane 1: byte 4 of points, point 1, x"));
    const BlockRequests records =
        blockRequests(inputOf("classify.aos", Stage::classify, {.n = 128, .d = 3, .k = 4}), 0, nullptr);
    const MemoryRequest spread = firstOf(records, Asked::globalLoad, 0);
    QCOMPARE(
        requestText(records, spread),
        QString("32 lanes ask for 128 bytes in 12 sectors of points: 256 of 384 bytes fetched are wasted."));
    QCOMPARE(spread.sectors[0].used, 0x0f00f00fu);
    QCOMPARE(laneText(records, spread, 1), QString("lane 1: byte 12 of points, point 1, x"));
  }

  void wordsOfSharedMemoryAreNamed() {
    const BlockRequests block =
        blockRequests(inputOf("classify.v3", Stage::classify, {.n = 128, .d = 3, .k = 4}), 0, nullptr);
    const MemoryRequest request = firstOf(block, Asked::sharedLoad, 0);
    QCOMPARE(request.words.size(), std::size_t{1});
    QCOMPARE(request.words[0].lanes, 0xffffffffu);
    QCOMPARE(requestText(block, request), QString("32 lanes ask for 128 bytes in shared centroid: all lanes "
                                                  "read one word, a broadcast, one turn."));
    QCOMPARE(laneText(block, request, 3), QString("lane 3: byte 0 of shared memory, bank 0, centroid[0]"));
  }

  void whoTouchesThePoints() {
    const BlockRequests rows =
        blockRequests(inputOf("classify.v3", Stage::classify, {.n = 100, .d = 2, .k = 4}, 64), 1, nullptr);
    QCOMPARE(rows.touched.size(), std::size_t{256}); // two rows of 128
    QCOMPARE(touchText(rows, 33), QString("byte 132: point 33, x; block 0, warp 1, lane 1"));
    QCOMPARE(touchText(rows, 128 + 65), QString("byte 772: point 65, y; block 1, warp 0, lane 1"));
    QCOMPARE(touchText(rows, 101), QString("byte 404: padding; no thread touches it"));
    const BlockRequests update =
        blockRequests(inputOf("update.v1", Stage::update, {.n = 100, .d = 2, .k = 4}), 0, nullptr);
    QVERIFY(update.touched.empty() && !update.steps.empty());
  }

  void whatHasNoRequestsSaysWhy() {
    const BlockRequests none =
        blockRequests(inputOf("cpu.v2", Stage::classify, {.n = 100, .d = 2, .k = 4}), 0, nullptr);
    QVERIFY(!none.why.isEmpty() && none.steps.empty());
    const BlockRequests block =
        blockRequests(inputOf("classify.v3", Stage::classify, {.n = 100, .d = 2, .k = 4}), 99, nullptr);
    QVERIFY(block.steps.empty());
    QVERIFY(requestsOf(block, 0, "none", 1).empty());
  }

  /// The same is found once; a measurement is waited for.
  void theServiceLooksOnDemand() {
    DeviceLease lease;
    MemoryService service(lease);
    const auto input = std::make_shared<const CountInput>(
        inputOf("classify.v3", Stage::classify, {.n = 1000, .d = 2, .k = 4}));
    QSignalSpy looked(&service, &MemoryService::looked);
    service.look(input, 1);
    QVERIFY(QTest::qWaitFor([&] { return service.complete(); }, 20000));
    QCOMPARE(looked.count(), 1);
    QCOMPARE(service.found()->block, 1u);
    const auto first = service.found();
    service.look(input, 1);
    QCOMPARE(looked.count(), 2);
    QCOMPARE(service.found(), first);
    service.look(input, 2);
    service.look(input, 3); // the other is left
    QVERIFY(QTest::qWaitFor([&] { return service.complete(); }, 20000));
    QCOMPARE(service.found()->block, 3u);
    {
      const DeviceLease::Hold hold = lease.take("a race");
      service.look(input, 4);
      QTest::qWait(100);
      QVERIFY(!service.complete());
      QCOMPARE(service.found()->block, 3u);
    }
    QVERIFY(QTest::qWaitFor([&] { return service.complete(); }, 20000));
    QCOMPARE(service.found()->block, 4u);
    service.forget();
    QVERIFY(!service.found() && service.complete());
  }
};

QTEST_GUILESS_MAIN(TestMemoryRequests)
#include "tst_memory_requests.moc"
