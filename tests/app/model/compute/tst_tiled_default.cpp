// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles as the program's own choice: when a runner takes it, and when it does not.
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/support/tile_pass.hpp"

#include <QTest>

using namespace lloyd;

namespace {

constexpr std::size_t many = 60000;

/// Tiles were measured to be the fastest here.
void recordTiles() {
  TuningEntry choice{.device = measuredDevice(createCpuDevice()->info()),
                     .problem = {.n = many, .d = 2, .k = 4},
                     .fuses = true,
                     .fused = {.id = "cpu.v3", .tuning = {}, .us = 100},
                     .tiled = {.id = test::tileVariant("v1").id(), .tuning = {}, .us = 20},
                     .classify = {.id = "cpu.v2", .tuning = {}, .us = 70},
                     .reduce = {.id = "cpu.v1", .tuning = {}, .us = 60},
                     .update = {.id = "update.v1", .tuning = {}, .us = 2},
                     .date = "2026-05-31"};
  choice.tiled.tuning.items = 128;
  TuningTable::present().add({choice}, TuningTable::Owner::user);
}

SharedPointSet points(const char* spec) {
  const auto loaded = loadPoints(generator(spec), {}, nullptr);
  return loaded ? *loaded : nullptr;
}
constexpr const char* still = "uniform:n=60000,d=2";

/// A runner with so much device memory, 0 for what there is, and its points there.
std::unique_ptr<KMeansRunner> computerOn(const SharedPointSet& data, std::size_t memory = 0) {
  if (memory > 0) qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(static_cast<qulonglong>(memory)));
  auto runner = std::make_unique<KMeansRunner>();
  runner->chooseDevice(BackendRequest::cpu);
  qunsetenv("LLOYD_MEMORY_LIMIT");
  runner->setData(data);
  runner->usePrivatePoints(Sharing::none);
  return runner;
}

/// Device memory with room for the points and, to half a megabyte, for their tiles.
std::size_t justEnough(const SharedPointSet& data) {
  constexpr std::size_t plenty = std::size_t{64} << 20;
  const std::size_t points = plenty - computerOn(data, plenty)->device().freeMemory();
  const TiledBytes tiles = tiledBytes(data->n, data->d, 128);
  return points + (tiles.kept + tiles.ordering) * 10 / 8 + 600'000;
}

std::string fusedOf(KMeansRunner& runner, const Settings& settings) {
  runner.configure(settings);
  return runner.plan().fused ? runner.plan().fused->id() : std::string();
}

} // namespace

class TestTiledDefault : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { recordTiles(); }

  void pointsThatStandStillAreOrdered() {
    const auto runner = computerOn(points(still));
    QCOMPARE(fusedOf(*runner, cpuSettings(4)), std::string("tiles.v1"));
    QCOMPARE(runner->plan().tileSize(runner->problem()), 128U);
    QVERIFY(runner->plan().source.origin == TuningOrigin::here);
    // It is a run like any other, whole or by halves and back.
    Settings plain = cpuSettings(4);
    plain.selection.fused = "cpu.v3";
    const auto other = computerOn(points(still));
    QCOMPARE(fusedOf(*other, plain), std::string("cpu.v3"));
    for (KMeansRunner* one : {runner.get(), other.get()})
      one->keepUndoHistory(true);
    for (const bool whole : {true, false, false, true}) {
      const IterationResult left = whole ? runner->iterate(true) : runner->halfStep();
      const IterationResult right = whole ? other->iterate(true) : other->halfStep();
      QCOMPARE(left.sizes, right.sizes);
      QCOMPARE(left.changed, right.changed);
    }
    QCOMPARE(runner->stepBack().sizes, other->stepBack().sizes);
    std::vector<Label> left;
    std::vector<Label> right;
    static_cast<void>(runner->finish(nullptr, &left));
    static_cast<void>(other->finish(nullptr, &right));
    QCOMPARE(left, right);
  }

  void labelsStayWithTilesWhereNobodyLooks() {
    std::vector<Label> labels[2];
    bool wrote[2] = {};
    for (const bool stay : {false, true}) {
      const auto runner = computerOn(points(still));
      runner->usePrivatePoints(Sharing::none, stay);
      QCOMPARE(fusedOf(*runner, cpuSettings(4)), std::string("tiles.v1"));
      IterationResult last;
      for (int i = 0; i < 3; ++i)
        last = runner->iterate(false);
      wrote[stay ? 1 : 0] = last.times[Stage::labels].has_value();
      static_cast<void>(runner->finish(nullptr, &labels[stay ? 1 : 0]));
    }
    QVERIFY(wrote[0] && !wrote[1]);
    QCOMPARE(labels[1], labels[0]);
  }

  void pointsThatMoveAreNot() {
    const auto runner = computerOn(points("drift:n=60000,d=2,k=4"));
    QCOMPARE(fusedOf(*runner, cpuSettings(4)), std::string("cpu.v3"));
  }

  void aPersonsChoiceStays() {
    const auto runner = computerOn(points(still));
    Settings settings = cpuSettings(4);
    settings.selection.fused = "cpu.v3";
    QCOMPARE(fusedOf(*runner, settings), std::string("cpu.v3"));
    settings.selection.fused.clear();
    settings.selection.classify = "cpu.v1";
    QCOMPARE(fusedOf(*runner, settings), std::string());
    settings.selection.classify.clear();
    settings.selection.fused = "tiles.v1";
    const SharedPointSet data = points(still);
    const auto small = computerOn(data, justEnough(data) - 800'000);
    QCOMPARE(fusedOf(*small, settings), std::string("tiles.v1"));
  }

  void withoutMemoryForTilesThereAreNone() {
    const SharedPointSet data = points(still);
    QCOMPARE(fusedOf(*computerOn(data, justEnough(data) - 800'000), cpuSettings(4)), std::string("cpu.v3"));
    QCOMPARE(fusedOf(*computerOn(data, justEnough(data)), cpuSettings(4)), std::string("tiles.v1"));
  }

  void tilesThatAreThereNeedNoMoreMemory() {
    const SharedPointSet data = points(still);
    const auto runner = computerOn(data, justEnough(data));
    Settings settings = cpuSettings(4);
    QCOMPARE(fusedOf(*runner, settings), std::string("tiles.v1"));
    static_cast<void>(runner->iterate(false));
    const TiledBytes tiles = tiledBytes(data->n, data->d, 128);
    QVERIFY(!tiles.fitIn(runner->device().freeMemory()));
    QCOMPARE(fusedOf(*runner, settings), std::string("tiles.v1"));
    {
      const Buffer<std::byte> others(runner->device(), 1'000'000);
      settings.seed = 2;
      QCOMPARE(fusedOf(*runner, settings), std::string("tiles.v1"));
      static_cast<void>(runner->iterate(false));
    }
    // For another k they are made anew, where the old ones were.
    settings.k = 5;
    QCOMPARE(fusedOf(*runner, settings), std::string("tiles.v1"));
    static_cast<void>(runner->iterate(false));
  }

  void theSameSettingsKeepThePlan() {
    const SharedPointSet data = points(still);
    const auto runner = computerOn(data, justEnough(data));
    QCOMPARE(fusedOf(*runner, cpuSettings(4)), std::string("tiles.v1"));
    // Before there are any tiles, somebody else takes the memory; a frame later nothing else has changed.
    const Buffer<std::byte> others(runner->device(), 1'000'000);
    QCOMPARE(fusedOf(*runner, cpuSettings(4)), std::string("tiles.v1"));
    Settings settings = cpuSettings(4);
    settings.seed = 2;
    QCOMPARE(fusedOf(*runner, settings), std::string("cpu.v3"));
  }

  void schedulesRepeatIt() {
    const SharedPointSet data = points(still);
    const Candidate graph{Registry::instance().find("schedule.graph"), Stage::iterate, {}};
    const auto repeated = [&](Device& device) {
      StageHarness bench(device, *data, 4, {}, 1);
      const auto difference = bench.check(graph);
      return difference ? *difference : bench.noteOn(graph);
    };
    const std::string plenty = repeated(*createCpuDevice());
    QVERIFY2(plenty.ends_with("each with tiles.v1"), plenty.c_str());
    qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(6'000'000));
    const std::string little = repeated(*createCpuDevice());
    qunsetenv("LLOYD_MEMORY_LIMIT");
    QVERIFY2(little.ends_with("each with cpu.v3"), little.c_str());
  }

  /// So that what is asked for beforehand is what is taken.
  void tilesTakeWhatTheySay() {
    qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(100'000'000));
    const auto counted = createCpuDevice();
    qunsetenv("LLOYD_MEMORY_LIMIT");
    for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, many})
      for (const int d : {1, 3}) {
        const std::size_t before = counted->freeMemory();
        const TiledPoints tiled(*counted, n, d, 256);
        QCOMPARE(before - counted->freeMemory(), tiledBytes(n, d, 256).kept);
        QCOMPARE(tiled.bytes(), tiledBytes(n, d, 256).kept);
      }
  }
};

QTEST_GUILESS_MAIN(TestTiledDefault)
#include "tst_tiled_default.moc"
