// SPDX-License-Identifier: GPL-3.0-or-later
// A runner whose device has no memory for the points does what one with memory does, and survives failures.
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/load_points.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/support/faulty_device.hpp"

#include <QTest>

#include <atomic>

using namespace lloyd;

namespace {

SharedPointSet somePoints() {
  static const SharedPointSet points = *loadPoints(generator("blobs:n=60000,d=2,k=5"), {}, nullptr);
  return points;
}

/// A quarter of the points, or no limit.
void begin(KMeansRunner& runner, bool little, const SharedPointSet& points = somePoints()) {
  if (little) qputenv("LLOYD_MEMORY_LIMIT", QByteArray::number(qulonglong{2} * points->n));
  runner.chooseDevice(BackendRequest::cpu);
  qunsetenv("LLOYD_MEMORY_LIMIT");
  runner.setData(points);
  runner.usePrivatePoints(Sharing::none, true);
}

Settings settings(int k) {
  Settings all = cpuSettings(k);
  all.selection.classify = all.selection.reduce = "cpu.v2";
  return all;
}

bool same(const IterationResult& a, const IterationResult& b) {
  return a.iteration == b.iteration && a.changed == b.changed && a.anyChanged == b.anyChanged &&
         a.shift == b.shift && a.usedCentroids == b.usedCentroids && a.centroids == b.centroids &&
         a.sizes == b.sizes && a.emptyClusters == b.emptyClusters;
}

} // namespace

class TestStreamedRunner : public QObject {
  Q_OBJECT

private slots:
  void everySettingIsTakenUp() {
    KMeansRunner whole;
    KMeansRunner parts;
    begin(whole, false);
    begin(parts, true);
    std::vector<Settings> changes{settings(5), settings(5), settings(7), settings(7), settings(7)};
    changes[1].seed = 9;
    changes[3].selection.reduce = "cpu.v1"; // goes on from where it is
    changes[4].init.kind = InitKind::random;
    for (const Settings& change : changes) {
      whole.configure(change);
      parts.configure(change);
      QVERIFY(!whole.streamed());
      QVERIFY(parts.streamed()->batches > 1);
      for (int i = 0; i < 3; ++i)
        QVERIFY(same(parts.iterate(true), whole.iterate(true)));
      QCOMPARE(parts.initialCentroids(), whole.initialCentroids());
      std::vector<Label> right;
      std::vector<Label> labels;
      QVERIFY(same(parts.finish(nullptr, &labels), whole.finish(nullptr, &right)));
      QCOMPARE(labels, right);
      QVERIFY(parts.seeded() && !parts.halfway() && !parts.canStepBack());
    }
  }

  void otherPointsBeginAnew() {
    KMeansRunner runner;
    begin(runner, true);
    runner.configure(settings(5));
    runner.iterate(false);
    const SharedPointSet few = *loadPoints(generator("uniform:n=3000,d=2"), {}, nullptr);
    runner.setData(few);
    QVERIFY(!runner.streamed());
    runner.usePrivatePoints(Sharing::none, true); // these fit
    runner.configure(settings(5));
    QVERIFY(!runner.streamed());
    QCOMPARE(runner.iterate(true).iteration, 1);
  }

  /// A window sees its points, and so they must be on the device.
  void pointsThatAreSeenMustFit() {
    KMeansRunner runner;
    begin(runner, true);
    QVERIFY_EXCEPTION_THROWN(runner.usePrivatePoints(Sharing::none), DeviceError);
  }

  void whatNeedsPointsOnTheDeviceIsRefused() {
    KMeansRunner runner;
    begin(runner, true);
    runner.configure(settings(5));
    runner.iterate(true);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(runner.preview()), std::logic_error);
    runner.moveCentroid(0, {1, 2}); // nothing
    QCOMPARE(runner.iterate(true).iteration, 2);
  }

  void whatFailedHasNotHappened() {
    FaultyDevice* device = nullptr;
    FaultCounters counters;
    {
      KMeansRunner runner([&](BackendRequest) {
        auto faulty = std::make_unique<FaultyDevice>(createCpuDevice(), Fault{}, &counters);
        device = faulty.get();
        return ChosenDevice{std::move(faulty), {}};
      });
      KMeansRunner whole;
      begin(whole, false);
      whole.configure(settings(5));
      begin(runner, true);
      runner.configure(settings(5));
      QVERIFY(runner.streamed());
      std::vector<Label> labels;
      for (int call = 1; call < 60; ++call) {
        device->plan({.call = 7 * call, .code = 1});
        const IterationResult right = whole.iterate(true);
        IterationResult result;
        try {
          result = runner.iterate(true);
        } catch (const DeviceError&) {
          device->plan({});
          result = runner.iterate(true);
        }
        device->plan({});
        QVERIFY(same(result, right));
      }
      QVERIFY(counters.faults() > 10);
      runner.finish(nullptr, &labels);
    }
    QCOMPARE(counters.liveAllocations(), 0);
    QCOMPARE(counters.liveQueues(), 0);
  }

  void cancellingUnwinds() {
    std::atomic<bool> cancel = false;
    KMeansRunner runner;
    runner.setCancel(&cancel);
    begin(runner, true);
    runner.configure(settings(5));
    cancel = true;
    QVERIFY_EXCEPTION_THROWN(runner.iterate(true), Cancelled); // while it seeds
    cancel = false;
    runner.iterate(true);
    std::size_t seen = 0;
    runner.onBatch([&](std::size_t batch, std::size_t) {
      seen = batch;
      cancel = batch == 2;
    });
    QVERIFY_EXCEPTION_THROWN(runner.iterate(true), Cancelled);
    QCOMPARE(seen, std::size_t{2});
    runner.onBatch({});
    cancel = false;
    QCOMPARE(runner.iterate(true).iteration, 2);
  }
};

QTEST_GUILESS_MAIN(TestStreamedRunner)
#include "tst_streamed_runner.moc"
