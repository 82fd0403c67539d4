// SPDX-License-Identifier: GPL-3.0-or-later
// What every variant's source asks of memory, held against text files that a person can read, and facts that
// a person can work out by hand. After a change that is meant:
//
//   LLOYD_RENEW_GOLDEN=1 tst_counters        writes tests/gpu/simt/record/golden/*.txt anew; read the
//   difference
#include "gpu/reference/reference.hpp"
#include "tests/gpu/simt/record/counters_text.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>

using namespace lloyd;
using namespace lloyd::test;
using simt::Counters;

namespace {

QString goldenPath(const QString& family) {
  return QStringLiteral(LLOYD_SOURCE_DIR "/tests/gpu/simt/record/golden/") + family + QStringLiteral(".txt");
}

/// Families with kernels for the simulator, in the registry's order.
std::vector<std::string_view> families() {
  std::vector<std::string_view> found;
  for (const Variant* variant : Registry::instance().all())
    if (variant->runsOn(Backend::simt) &&
        std::find(found.begin(), found.end(), variant->info.family) == found.end())
      found.push_back(variant->info.family);
  return found;
}

const Variant& variant(std::string_view id) {
  const Variant* found = Registry::instance().find(id);
  if (!found) qFatal("there is no variant %s", std::string(id).c_str());
  return *found;
}

Counters countersOf(std::string_view id, Stage stage, const Problem& problem) {
  return traceCase(variant(id), stage, problem).counters;
}

constexpr std::uint64_t warpsOf(std::size_t threads) { return (threads + 31) / 32; }

} // namespace

class TestCounters : public QObject {
  Q_OBJECT

private slots:
  void theFamiliesAreKnown() {
    QCOMPARE(families(), (std::vector<std::string_view>{"classify", "distance", "reduce", "fused", "update",
                                                        "schedule", "layout"}));
  }

  void countersAreAsWritten_data() {
    QTest::addColumn<QString>("family");
    for (const std::string_view family : families()) {
      const QString name = QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size()));
      QTest::newRow(qPrintable(name)) << name;
    }
  }
  void countersAreAsWritten() {
    QFETCH(QString, family);
    const QByteArray found = countersText(family.toStdString());
    QFile file(goldenPath(family));
    if (qEnvironmentVariableIsSet("LLOYD_RENEW_GOLDEN")) {
      QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(found) == found.size(),
               qPrintable(file.fileName() + " cannot be written"));
      QSKIP("written anew, not compared");
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName() + " is missing"));
    const QList<QByteArray> expectedLines = file.readAll().split('\n');
    const QList<QByteArray> foundLines = found.split('\n');
    for (qsizetype line = 0; line < std::max(expectedLines.size(), foundLines.size()); ++line)
      if (expectedLines.value(line) != foundLines.value(line))
        QFAIL(qPrintable(QStringLiteral("line %1 of %2 is\n%5\n%3\nand should be\n%4\n"
                                        "LLOYD_RENEW_GOLDEN=1 writes it anew, if the change is meant")
                             .arg(line + 1)
                             .arg(file.fileName(), QString::fromUtf8(foundLines.value(line)),
                                  QString::fromUtf8(expectedLines.value(line)),
                                  QString::fromUtf8(foundLines.value(0)))));
  }

  /// 16,384 points are 512 full warps, which load three coordinates each: 12 sectors a request where points
  /// are records of 12 bytes, 4 where they are rows.
  void recordsCostThreeTimesTheSectorsOfRows() {
    const Problem problem{16384, 3, 8};
    const Counters records = countersOf("classify.aos", Stage::classify, problem);
    const Counters rows = countersOf("classify.v3", Stage::classify, problem);
    QCOMPARE(records.globalLoadRequests, rows.globalLoadRequests);
    QCOMPARE(records.globalLoadSectors - rows.globalLoadSectors, std::uint64_t{3} * 512 * (12 - 4));
  }

  /// One thread a point: three coordinates and the old label, 4 sectors each, and once a block the 24 floats
  /// of the centroids, which lie in 3 sectors. The new label is the only store.
  void oneThreadAPointAsksForWhatItNeeds() {
    const Problem problem{16384, 3, 8};
    const std::uint64_t warps = warpsOf(problem.n);
    const auto block = static_cast<std::uint64_t>(variant("classify.v3").complete({}).block);
    const std::uint64_t blocks = problem.n / block;
    const Counters counters = countersOf("classify.v3", Stage::classify, problem);
    QCOMPARE(counters.globalLoadRequests, warps * 4 + blocks);
    QCOMPARE(counters.globalLoadSectors, warps * 4 * 4 + blocks * 3);
    QCOMPARE(counters.globalStoreRequests, warps);
    QCOMPARE(counters.globalStoreSectors, warps * 4);
  }

  /// Eight points a thread by loads of one float or of four: of the points' requests a quarter is left, and
  /// the sectors stay.
  void wideLoadsAskAQuarterAsOftenForTheSameSectors() {
    const Problem problem{65536, 2, 10};
    const Variant& v8 = variant("classify.v8");
    const auto counted = [&](int vector) {
      Tuning tuning{.block = 128, .items = 8};
      tuning.vector = vector;
      return traceCase(v8, Stage::classify, problem, {}, tuning).counters;
    };
    const Counters one = counted(1), four = counted(4);
    const std::uint64_t warps = problem.n / 32;
    const std::uint64_t blocks = problem.n / 1024;
    // Two coordinates and the old label of each point, and once a block the centroids' 20 floats.
    QCOMPARE(one.globalLoadRequests, warps * 3 + blocks);
    QCOMPARE(four.globalLoadRequests, warps * 3 / 4 + blocks);
    QCOMPARE(four.globalStoreRequests - blocks, (one.globalStoreRequests - blocks) / 4);
    QCOMPARE(four.globalLoadSectors, one.globalLoadSectors);
    QCOMPARE(four.globalStoreSectors, one.globalStoreSectors);
  }

  /// Every shape that can be launched on the paper's data: the rest asks for wider loads than a thread has
  /// points, or for more registers than there are.
  void everyShapeOfBlockItemsVectorIsFreeOfRaces() {
    const Problem problem{2501, 2, 10};
    const Variant& v8 = variant("classify.v8");
    const DeviceInfo simulator = simt::createSimtDevice()->info();
    int traced = 0, tooWide = 0, tooMany = 0;
    for (const int block : v8.parameter("block")->values)
      for (const int items : v8.parameter("items")->values)
        for (const int vector : v8.parameter("vector")->values) {
          Tuning tuning{.block = block, .items = items};
          tuning.vector = vector;
          if (const auto why = v8.whyNot(Stage::classify, problem, simulator, tuning)) {
            ++(vector > items ? tooWide : tooMany);
            QVERIFY2(why->find(vector > items ? "floats at a time" : "registers") != std::string::npos,
                     why->c_str());
            continue;
          }
          const simt::Trace trace = traceCase(v8, Stage::classify, problem, {}, tuning);
          QCOMPARE(trace.races, std::uint64_t{0});
          QVERIFY(trace.faults.empty());
          ++traced;
        }
    QCOMPARE(traced, 78);
    QCOMPARE(tooMany, 12);
    QCOMPARE(tooWide, 18);
  }

  /// A thread walks its record of 64 floats: each lane has a sector of its own. Along columns a request takes
  /// four. A centroid's coordinate is one sector for all lanes, and the old labels are read once.
  void columnsCostAnEighthOfTheSectorsOfRows() {
    const Problem problem{2048, 64, 4};
    const std::uint64_t warps = warpsOf(problem.n);
    constexpr std::uint64_t steps = 256; // coordinates of 4 clusters
    const Counters rows = countersOf("distance.v1", Stage::classify, problem);
    const Counters columns = countersOf("distance.v2", Stage::classify, problem);
    QCOMPARE(rows.globalLoadRequests, warps * (2 * steps + 1));
    QCOMPARE(columns.globalLoadRequests, rows.globalLoadRequests);
    QCOMPARE(rows.globalLoadSectors, warps * (steps * (32 + 1) + 4));
    QCOMPARE(columns.globalLoadSectors, warps * (steps * (4 + 1) + 4));
  }

  /// Tiles of both matrices are read without conflicts, and unrolling a loop asks for nothing else.
  void tilesOfAProductMeetInNoBank() {
    const Problem problem{2048, 64, 32};
    const Counters tiles = countersOf("distance.v3", Stage::classify, problem);
    const Counters unrolled = countersOf("distance.v4", Stage::classify, problem);
    const Counters registers = countersOf("distance.v5", Stage::classify, problem);
    for (const Counters* each : {&tiles, &unrolled, &registers})
      QCOMPARE(each->bankConflicts, std::uint64_t{0});
    QCOMPARE(unrolled.globalLoadRequests, tiles.globalLoadRequests);
    QCOMPARE(unrolled.globalLoadSectors, tiles.globalLoadSectors);
    QCOMPARE(unrolled.sharedRequests, tiles.sharedRequests);
    QVERIFY(registers.sharedRequests < tiles.sharedRequests);
    QVERIFY(tiles.globalLoadRequests * 10 <
            countersOf("distance.v2", Stage::classify, problem).globalLoadRequests);
  }

  /// Records of 32 floats: a thread an element reads the whole warp's 32 records for one coordinate, a sector
  /// each. Through a tile both sides take 4 sectors a request, and the tile's padding keeps its columns in 32
  /// different banks.
  void tilesMakeBothSidesOfATransposeDense() {
    const Problem problem{4096, 32, 1};
    const std::uint64_t values = problem.pointValues();
    const Counters element = countersOf("layout.v1", Stage::layout, problem);
    QCOMPARE(element.globalLoadSectors, values);
    QCOMPARE(element.globalStoreSectors, values / 8);
    const Counters tiles = countersOf("layout.v2", Stage::layout, problem);
    QCOMPARE(tiles.globalLoadSectors, values / 8);
    QCOMPARE(tiles.globalStoreSectors, values / 8);
    QCOMPARE(tiles.sharedRequests, 2 * values / 32);
    QCOMPARE(tiles.bankConflicts, std::uint64_t{0});
  }

  /// Trees that fold by halves, sums in registers and centroids read as broadcasts never make two lanes wait
  /// for one bank, and lanes that add up the copies of reduce.general's table begin with different ones. The
  /// cells and centroids that fused.v2 reads wherever its points are do, and points that reduce.sorted reads
  /// in the order of their clusters.
  void onlyTablesHaveBankConflicts() {
    const std::set<std::string> tables{"fused.v2", "reduce.sorted"};
    for (const Variant* v : Registry::instance().all())
      for (const Stage stage : stagesOf(*v)) {
        const int d = v->id() == "fused.v4" ? 8 : 3; // which takes no fewer than 4
        const Counters counters = traceCase(*v, stage, {4096, d, 16}).counters;
        QVERIFY2((counters.bankConflicts > 0) == tables.contains(v->id()), v->id().c_str());
      }
  }

  /// Lanes part on "is my point in this cluster" and meet again: a warp asks for the coordinates and the
  /// pivot of each cluster that one of its points is in, once. V2 reads its labels once, V5 and V6 for each
  /// cluster. A block of V2 folds by halves, with a barrier before each step and one after the last.
  void aTreeAClusterAsksForEachClusterOfAWarpOnce() {
    const Problem problem{16384, 3, 8};
    const CaseInputs inputs = build({.problem = problem});
    const std::vector<Label> labels =
        reference::classify(problem, inputs.points, reference::asDoubles(inputs.centroids));
    std::uint64_t clusters = 0;
    for (std::size_t first = 0; first < problem.n; first += 32)
      clusters += std::set<Label>(labels.begin() + static_cast<std::ptrdiff_t>(first),
                                  labels.begin() + static_cast<std::ptrdiff_t>(first + 32))
                      .size();
    const Counters counters = countersOf("reduce.v2", Stage::reduce, problem);
    QCOMPARE(counters.globalLoadRequests, warpsOf(problem.n) + clusters * 2 * 3);
    for (const char* id : {"reduce.v5", "reduce.v6"})
      QCOMPARE(countersOf(id, Stage::reduce, problem).globalLoadRequests,
               warpsOf(problem.n) * 8 + clusters * 2 * 3);
    const auto block = static_cast<std::size_t>(variant("reduce.v2").complete({}).block);
    std::uint64_t steps = 0;
    for (std::size_t half = block / 2; half > 0; half /= 2)
      ++steps;
    QCOMPARE(counters.barriers, problem.n / block * 8 * (steps + 1));
  }

  /// A shuffle fold of 32 values is 5 shuffles, of three coordinates and a count for each cluster in each
  /// warp.
  void aWarpFoldsInFiveShuffles() {
    const Problem problem{16384, 3, 8};
    const Tuning tuning = variant("reduce.v7").complete({});
    const auto threads = problem.n / static_cast<std::size_t>(tuning.items);
    const Counters counters = countersOf("reduce.v7", Stage::reduce, problem);
    QCOMPARE(counters.warpCollectives, warpsOf(threads) * 8 * (3 + 1) * 5);
  }

  void variantsHaveNoRacesInAnyOrder_data() {
    QTest::addColumn<QString>("id");
    for (const Variant* v : Registry::instance().all())
      if (v->runsOn(Backend::simt)) QTest::newRow(v->id().c_str()) << QString::fromStdString(v->id());
  }
  void variantsHaveNoRacesInAnyOrder() {
    QFETCH(QString, id);
    using Order = simt::Schedule::Order;
    const Variant& v = variant(id.toStdString());
    std::array<Problem, 2> problems{{{1000, 3, 10}, {4096, 1, 16}}};
    if (v.info.family == "distance") problems[1] = {300, 33, 16};
    if (v.id() == "fused.v4") problems = {{{1000, 8, 10}, {700, 16, 60}}};
    for (const Stage stage : stagesOf(v))
      for (const Problem& problem : problems) {
        const simt::Trace forward = traceCase(v, stage, problem);
        for (const simt::Schedule& schedule : {simt::Schedule{Order::forward}, simt::Schedule{Order::reverse},
                                               simt::Schedule{Order::seeded, 7}}) {
          const simt::Trace trace = traceCase(v, stage, problem, schedule);
          QVERIFY2(trace.faults.empty(), trace.faults.empty() ? "" : trace.faults.front().c_str());
          QVERIFY2(trace.races == 0, trace.examples.empty() ? "" : trace.examples.front().what.c_str());
          // Only a flag is stored by several threads at once, all of them storing the same.
          QVERIFY(trace.sameValueRaces == 0 || v.info.changed == Changed::flag);
          // Whose turn it is changes neither what is asked for nor how it joins. reduce.sorted gives out
          // places by it, and in which banks a run's points lie.
          Counters counters = trace.counters;
          if (v.id() == "reduce.sorted") {
            counters.bankConflicts = forward.counters.bankConflicts;
            counters.sharedAtomicTurns = forward.counters.sharedAtomicTurns;
          }
          QVERIFY(counters == forward.counters);
        }
      }
  }
};

QTEST_GUILESS_MAIN(TestCounters)
#include "tst_counters.moc"
