// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning on real kernels, and its verdicts on written ones. Nothing here depends on how fast this machine is.
#include "app/model/tuning/tune_problem.hpp"
#include "app/model/tuning/tuner.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/engine/plan.hpp"
#include "tests/app/model/race/race_support.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/tile_pass.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace lloyd;

namespace {

TuneOptions tiny() {
  TuneOptions options;
  options.n = {500, 2000};
  options.d = {2};
  options.k = {3};
  options.budgetSeconds = 20;
  options.date = "2026-05-31";
  return options;
}

Measurement around(const Variant& variant, double us, std::size_t rounds = 15) {
  return test::measuredAs(variant, Stage::classify, test::samplesAround(us, rounds));
}

std::string bestName(const std::vector<Measurement>& rows, const Variant* standing,
                     const std::vector<Candidate>& excluded = {}) {
  std::optional<Candidate> stands;
  if (standing) stands = Candidate{standing, Stage::classify, standing->complete({})};
  const Measurement* best = bestOf(rows, Stage::classify, stands, excluded);
  return best ? best->candidate.variant->id() : std::string();
}

/// Right, and faster than anything that computes: a second launch with the same inputs, which no run has and
/// a race does, gets what the first one found.
void remember(const FusedArgs& args, LaunchContext& context) {
  struct Found {
    std::vector<std::uint8_t> labels;
    std::vector<double> sums;
    std::vector<std::uint32_t> counts;
    std::uint32_t changed = 0;
  };
  static std::map<std::vector<float>, Found> memory;
  const std::size_t values = args.problem.centroidValues();
  const auto k = static_cast<std::size_t>(args.problem.k);
  const std::size_t places = args.tiles.view.count * args.tiles.view.size;
  std::vector<float> key(args.centroids, args.centroids + values);
  key.push_back(static_cast<float>(args.problem.n));
  key.push_back(static_cast<float>(args.tiles.view.size));
  const auto known = memory.find(key);
  if (known == memory.end()) {
    test::passOverTiles(args, context);
    memory[key] = {{args.tiles.labels.points, args.tiles.labels.points + places},
                   {args.sums, args.sums + values},
                   {args.counts, args.counts + k},
                   *args.changed};
    return;
  }
  const Found& found = known->second;
  std::copy(found.labels.begin(), found.labels.end(), args.tiles.labels.points);
  std::fill_n(args.tiles.labels.tiles, args.tiles.view.count, mixedTile);
  for (std::size_t i = 0; i < values; ++i)
    args.sums[i] += found.sums[i];
  for (std::size_t i = 0; i < k; ++i)
    args.counts[i] += found.counts[i];
  *args.changed += found.changed;
}

/// So many clusters that an honest variant takes a hundred times as long as one that remembers.
TuneOptions manyClusters() {
  TuneOptions options = tiny();
  options.n = {20000};
  options.k = {256};
  options.wanted = [](const Variant& variant) { return variant.info.tag != "idle"; };
  return options;
}

/// What a device says of its memory while one of these lives.
class MemoryLimit {
public:
  explicit MemoryLimit(std::size_t bytes) {
    qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(static_cast<qulonglong>(bytes)));
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { qunsetenv("LLOYD_MEMORY_LIMIT"); }
};

} // namespace

class TestTuning : public QObject {
  Q_OBJECT

private slots:
  void whatStandsIsDisplacedByAGain() {
    const Variant a = test::paperVariant("paper", "a");
    const Variant b = test::paperVariant("paper", "b");
    const std::vector<Measurement> close{around(a, 100), around(b, 98.5)};
    QCOMPARE(bestName(close, &a), std::string("paper.a")); // 1.5 % is none
    QCOMPARE(bestName(close, &b), std::string("paper.b"));
    QCOMPARE(bestName(close, nullptr), std::string("paper.b"));
    QCOMPARE(bestName({around(a, 100), around(b, 90)}, &a), std::string("paper.b"));
    QCOMPARE(bestName({around(a, 100), around(b, 90)}, &a, {{&b, Stage::classify, {}}}),
             std::string("paper.a"));
    QCOMPARE(bestName({}, &a), std::string());
    // Where a round takes seconds there are five of them, and all have to say so.
    QCOMPARE(bestName({around(a, 100, 5), around(b, 90, 5)}, &a), std::string("paper.b"));
    std::vector<Measurement> wavering{around(a, 100, 5), around(b, 90, 5)};
    wavering[1].us[3] = 99;
    QCOMPARE(bestName(wavering, &a), std::string("paper.a"));
  }

  void whatMustBeMadeFirstIsNoCandidate() {
    const DeviceInfo device = test::findDevice(Backend::simt).device->info();
    std::set<std::string> ids;
    for (const Candidate& candidate : tuningCandidates(device))
      ids.insert(candidate.variant->id());
    QVERIFY(ids.contains("fused.v2") && ids.contains("classify.v7"));
    QVERIFY(!ids.contains("classify.aos"));
  }

  void tilesOfEverySizeAreCandidatesOfTheirOwn() {
    const DeviceInfo device = test::findDevice(Backend::simt).device->info();
    std::set<int> sizes;
    for (const Candidate& candidate : tuningCandidates(device)) {
      QCOMPARE(tunedStageOf(candidate) == TunedStage::tiled, candidate.variant->id() == "fused.v3");
      if (tunedStageOf(candidate) == TunedStage::tiled) sizes.insert(candidate.tuning.items);
    }
    QCOMPARE(sizes, (std::set<int>{128, 256, 512}));
  }

  void tilesDisplaceTheOtherFormByAGain() {
    const Variant v = test::paperVariant("paper", "a");
    const Measurement fused = around(v, 100);
    const Measurement classify = around(v, 60);
    const Measurement reduce = around(v, 40);
    const Measurement quick = around(v, 90);
    const Measurement near = around(v, 98.5);
    const Measurement slow = around(v, 110);
    for (const bool standing : {true, false})
      for (const Measurement* other : {&fused, static_cast<const Measurement*>(nullptr)}) {
        QVERIFY(shouldTile(&quick, other, &classify, &reduce, standing));
        QCOMPARE(shouldTile(&near, other, &classify, &reduce, standing), standing);
        QVERIFY(!shouldTile(&slow, other, &classify, &reduce, standing));
        QVERIFY(!shouldTile(nullptr, other, &classify, &reduce, standing));
      }
  }

  void theirShareOfTheOrderIsInEverySample() {
    const Variant v = test::paperVariant("paper", "a");
    Measurement row = around(v, 90);
    row.us[2] = std::numeric_limits<double>::quiet_NaN();
    const Measurement whole = withShare(row, 25);
    QCOMPARE(whole.us.size(), row.us.size());
    for (std::size_t i = 0; i < row.us.size(); ++i)
      QVERIFY(i == 2 ? std::isnan(whole.us[i]) : std::abs(whole.us[i] - row.us[i] - 25) < 1e-9);
    QCOMPARE(whole.times.samples, row.us.size() - 1);
    QVERIFY(std::abs(whole.times.median - 115) < 0.5);
    // What was faster by itself is not, with it.
    const Measurement fused = around(v, 100);
    QVERIFY(shouldTile(&row, &fused, nullptr, nullptr, false));
    QVERIFY(!shouldTile(&whole, &fused, nullptr, nullptr, false));
  }

  void aVariantsOwnKnobsStayWhereOthersGainNothing() {
    Variant a = test::paperVariant("paper", "a");
    a.info.parameters = {{"block", {64, 128}, 128}};
    Measurement own = around(a, 100);
    own.candidate.tuning = a.complete({});
    Measurement other = around(a, 98.5);
    other.candidate.tuning.block = 64;
    const auto block = [](const std::vector<Measurement>& rows) {
      return bestOf(rows, Stage::classify, std::nullopt, {})->candidate.tuning.block;
    };
    QCOMPARE(block({own, other}), 128);
    other = around(a, 90);
    other.candidate.tuning.block = 64;
    QCOMPARE(block({own, other}), 64);
  }

  void oneFormDisplacesTheOtherByAGain() {
    const Variant v = test::paperVariant("paper", "a");
    const Measurement fused = around(v, 100);
    const Measurement classify = around(v, 60);
    const Measurement near = around(v, 41);
    const Measurement quick = around(v, 20);
    const Measurement slow = around(v, 80);
    for (const bool standing : {true, false}) {
      QCOMPARE(shouldFuse(&fused, &classify, &near, standing), standing);
      QVERIFY(!shouldFuse(&fused, &classify, &quick, standing));
      QVERIFY(shouldFuse(&fused, &classify, &slow, standing));
      QVERIFY(shouldFuse(&fused, &classify, nullptr, standing));
      QVERIFY(!shouldFuse(nullptr, &classify, &near, standing));
    }
  }

  void everyProblemGetsAChoiceThatCanRun() {
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      const auto found = test::findDevice(backend);
      if (!found.device) continue;
      TuneResult result;
      std::size_t calls = 0;
      tune(*found.device, tiny(), nullptr, result, [&](const TuneProgress& progress) {
        ++calls;
        QVERIFY(progress.done <= 2 && progress.problems == 2 && progress.secondsLeft >= 0);
      });
      QVERIFY(result.finished && calls >= 2);
      QVERIFY(result.wrong.empty() && result.leftOut.empty());
      QCOMPARE(result.entries.size(), std::size_t{2});
      for (const TuningEntry& entry : result.entries) {
        QVERIFY(entry.device == measuredDevice(found.device->info()));
        QCOMPARE(entry.date, std::string("2026-05-31"));
        TuningTable table;
        table.add({entry}, TuningTable::Owner::user);
        const Plan plan = makePlan({}, entry.problem, found.device->info(), table);
        QVERIFY(plan.source.origin == TuningOrigin::here);
        QCOMPARE(plan.fused != nullptr, entry.fuses);
        QVERIFY(entry.update.us > 0 && (entry.fused.us > 0 || entry.classify.us > 0));
      }
    }
  }

  void whatIsWrongIsNeverChosen() {
    // Nothing is faster than doing nothing.
    VariantInfo info;
    info.family = "planted";
    info.tag = "idle";
    info.name = "does nothing";
    info.changed = Changed::points;
    static_cast<void>(Registry::instance().add(info, Backend::cpu,
                                               {.classify = [](const ClassifyArgs&, LaunchContext&) {},
                                                .fused = [](const FusedArgs&, LaunchContext&) {}}));
    static_cast<void>(test::tileVariant("idle", [](const FusedArgs&, LaunchContext&) {}));
    const auto device = test::findDevice(Backend::cpu).device;
    TuneOptions options = tiny();
    options.n = {2000};
    TuneResult result;
    tune(*device, options, nullptr, result);
    QCOMPARE(result.entries.size(), std::size_t{1});
    QVERIFY(result.entries[0].fused.id != "planted.idle" && result.entries[0].classify.id != "planted.idle");
    QVERIFY(result.entries[0].fused.id.starts_with("cpu."));
    QCOMPARE(result.entries[0].tiled.id, std::string());
    QVERIFY(std::any_of(result.wrong.begin(), result.wrong.end(),
                        [](const auto& remark) { return remark.text.starts_with("tiles.idle"); }));
    QCOMPARE(std::count_if(result.wrong.begin(), result.wrong.end(),
                           [](const auto& remark) { return remark.text.starts_with("planted.idle"); }),
             std::ptrdiff_t{2});
  }

  void tilesAreChosenWhereTheyAreFaster() {
    static_cast<void>(test::tileVariant("remembers", remember));
    const auto device = test::findDevice(Backend::cpu).device;
    TuneResult result;
    tune(*device, manyClusters(), nullptr, result);
    QCOMPARE(result.entries.size(), std::size_t{1});
    const TuningEntry& entry = result.entries[0];
    QCOMPARE(entry.tiled.id, std::string("tiles.remembers"));
    QVERIFY(entry.fused.id.starts_with("cpu.") && entry.tiled.us < entry.fused.us);
    // Half of what ordering takes here at best is far more than remembering does.
    std::vector<float> rows(rowStride(20000) * 2);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = std::fmod(static_cast<float>(i) * 0.37F, 1.0F);
    TiledPoints tiled(*device, 20000, 2, 256);
    const auto from = device->createEvent();
    const auto to = device->createEvent();
    double orderUs = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 10; ++i) {
      device->record(*from);
      tiled.order({rows.data(), rowStride(20000), boxOf(rows.data(), rows.size() / 2, 2)});
      device->record(*to);
      orderUs = std::min(orderUs, device->elapsedUs(*from, *to));
    }
    QVERIFY2(entry.tiled.us > orderUs / iterationsOfAFit / 2, std::to_string(entry.tiled.us).c_str());
    // What runs after that takes it, where points may be put in order.
    TuningTable table;
    table.add({entry}, TuningTable::Owner::user);
    const Plan plan = makePlan({}, entry.problem, device->info(), table, Ordering::once);
    QCOMPARE(plan.fused->id(), std::string("tiles.remembers"));
    QVERIFY(plan.tileSize(entry.problem) > 0);
  }

  void tilesThatDoNotFitLeaveTheRest() {
    static_cast<void>(test::tileVariant("remembers", remember));
    const TiledBytes tiles = tiledBytes(20000, 2, 128);
    const MemoryLimit limit(tiles.kept + tiles.ordering + (std::size_t{1} << 20));
    const auto device = test::findDevice(Backend::cpu).device;
    TuneResult result;
    tune(*device, manyClusters(), nullptr, result);
    QVERIFY2(result.leftOut.empty(), result.leftOut.empty() ? "" : result.leftOut[0].text.c_str());
    QCOMPARE(result.entries.size(), std::size_t{1});
    QCOMPARE(result.entries[0].tiled.id, std::string());
    QVERIFY(result.entries[0].fused.id.starts_with("cpu."));
  }

  void anEarlyEndKeepsWhatThereIs() {
    const auto device = test::findDevice(Backend::cpu).device;
    TuneResult result;
    QVERIFY_THROWS_EXCEPTION(Cancelled,
                             tune(*device, tiny(), nullptr, result, [](const TuneProgress& progress) {
                               if (progress.done == 1) throw Cancelled();
                             }));
    QVERIFY(!result.finished);
    QCOMPARE(result.entries.size(), std::size_t{1});
    QCOMPARE(result.entries[0].problem.n, std::size_t{500}); // the smaller ones first
  }

  void whatDoesNotFitIsLeftOut() {
    const auto device = test::findDevice(Backend::cpu).device;
    TuneOptions options = tiny();
    options.k = {3, 1000};
    TuneResult result;
    tune(*device, options, nullptr, result);
    QCOMPARE(result.entries.size(), std::size_t{3});
    QCOMPARE(result.leftOut.size(), std::size_t{1});
    QCOMPARE(result.leftOut[0].text, std::string("there are fewer points than clusters"));
    options.budgetSeconds = 0;
    tune(*device, options, nullptr, result);
    QVERIFY(result.finished && result.entries.empty());
    QCOMPARE(result.leftOut.size(), std::size_t{4});
    options.budgetSeconds = 20;
    options.n = {std::uint64_t{1} << 31};
    options.d = {1 << 16};
    options.k = {2};
    tune(*device, options, nullptr, result);
    QCOMPARE(result.leftOut.size(), std::size_t{1});
    QCOMPARE(result.leftOut[0].text, std::string("there is not enough memory for this size"));
  }
};

QTEST_GUILESS_MAIN(TestTuning)
#include "tst_tuner.moc"
