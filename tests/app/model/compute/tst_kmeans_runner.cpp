// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/compute/load_points.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/placed_points.hpp"

#include <QTest>

#include <atomic>
#include <cmath>
#include <functional>

using namespace lloyd;

namespace {

/// A runner that is lent its memory with each call, as the window lends OpenGL's buffers; what it wrote
/// becomes the front when it says so, and only then.
class Lender {
public:
  /// looks: somebody sees the labels after each call.
  Lender(const SharedPointSet& data, BackendRequest backend, bool looks = true,
         KMeansRunner::DeviceFactory factory = chooseDevice)
      : runner(std::move(factory)), data_(data), looks_(looks) {
    runner.chooseDevice(backend);
    runner.setData(data);
    runner.useLentPoints();
    renew();
  }
  /// New buffers, without labels and with points at rest, as after the loss of a context.
  void renew() {
    points_ = std::make_unique<test::PlacedPoints>(runner.device(), data_->n, data_->d, data_->values.data(),
                                                   !looks_, data_->drift.has_value());
    runner.useLentPoints();
  }
  IterationResult call(const std::function<IterationResult(const PointMemory*)>& work) {
    const PointMemory memory = points_->map();
    try {
      IterationResult result = work(&memory);
      points_->unmap(runner.wroteBack());
      return result;
    } catch (...) {
      points_->unmap(false);
      throw;
    }
  }
  [[nodiscard]] std::vector<Label> labels() const { return points_->labels(); }
  [[nodiscard]] LabelLayout layout() const { return points_->layout(); }
  [[nodiscard]] std::vector<float> positions() {
    std::vector<float> front(points_->stride() * static_cast<std::size_t>(data_->d));
    runner.device().download(front.data(), points_->frontPositions(), front.size() * sizeof(float));
    return front;
  }

  KMeansRunner runner;

private:
  SharedPointSet data_;
  bool looks_;
  std::unique_ptr<test::PlacedPoints> points_;
};

/// Tiled labels are added up in another order.
bool close(const std::optional<double>& a, const std::optional<double>& b) {
  return a == b || (a && b && std::abs(*a - *b) <= 1e-12 * *b);
}

bool same(const IterationResult& a, const IterationResult& b) {
  return a.iteration == b.iteration && a.halfway == b.halfway && a.changed == b.changed &&
         a.anyChanged == b.anyChanged && a.shift == b.shift && close(a.inertia, b.inertia) &&
         a.usedCentroids == b.usedCentroids && a.centroids == b.centroids && a.sizes == b.sizes;
}

SharedPointSet points(const QString& spec) {
  const auto loaded = loadPoints(generator(spec.toStdString()), {}, nullptr);
  return loaded ? *loaded : nullptr;
}

using Work = IterationResult (*)(KMeansRunner&, const PointMemory*);
constexpr Work whole = [](KMeansRunner& runner, const PointMemory* memory) {
  return runner.iterate(true, memory);
};
constexpr Work half = [](KMeansRunner& runner, const PointMemory* memory) { return runner.halfStep(memory); };
constexpr Work back = [](KMeansRunner& runner, const PointMemory* memory) { return runner.stepBack(memory); };
constexpr Work look = [](KMeansRunner& runner, const PointMemory* memory) { return runner.preview(memory); };

} // namespace

/// Iterations and halves on memory that is lent, the way of a window that shares its buffers.
class TestComputer : public QObject {
  Q_OBJECT

  static void everyPath() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("plan");
    for (const char* plan : {"apart", "fused", "tiles", "unseen tiles"})
      for (const char* data : {"uniform:n=1500,d=2", "drift:n=1500,d=2,k=4"})
        QTest::addRow("%s %s", data, plan) << QString::fromLatin1(data) << QString::fromLatin1(plan);
  }
  static Settings settings(const QString& plan) {
    Settings all = cpuSettings(4);
    if (plan == QLatin1String("apart")) {
      all.selection.classify = "cpu.v2";
      all.selection.reduce = "cpu.v1";
    }
    if (plan.endsWith(QLatin1String("tiles"))) all.selection.fused = "fused.v3";
    return all;
  }
  static BackendRequest backend(const QString& plan) {
    return plan.endsWith(QLatin1String("tiles")) ? BackendRequest::simt : BackendRequest::cpu;
  }
  static bool looks(const QString& plan) { return plan != QLatin1String("unseen tiles"); }

private slots:
  /// Until it ends, by itself or because somebody cancels it.
  void theSearchOfFirstCentroidsIsFollowed() {
    std::atomic<bool> cancel{false};
    KMeansRunner runner;
    runner.setCancel(&cancel);
    runner.chooseDevice(BackendRequest::cpu);
    runner.setData(points("blobs:n=500,d=20"));
    runner.usePrivatePoints(Sharing::none);
    std::vector<int> told;
    int cancelAt = 0;
    runner.onSeed(
        [&](int done, int of) {
          QCOMPARE(of, 7);
          told.push_back(done);
          cancel = done == cancelAt;
        },
        std::chrono::milliseconds(0));
    Settings settings;
    settings.k = 7;
    runner.configure(settings);
    cancelAt = 3;
    QVERIFY_EXCEPTION_THROWN(runner.iterate(true), Cancelled);
    QCOMPARE(told, (std::vector{1, 2, 3, 7}));
    cancel = false;
    cancelAt = 0;
    told.clear();
    QCOMPARE(runner.iterate(true).iteration, 1);
    QCOMPARE(told, (std::vector{1, 2, 3, 4, 5, 6, 7}));
  }

  /// A nudge that no label follows is taken back, and only then the run is over: what it says of itself is
  /// about the centroids that it ends with.
  void aCentroidThatIsMovedIsNoEnd_data() {
    QTest::addColumn<QString>("schedule");
    QTest::newRow("step by step") << QString();
    QTest::newRow("repeated by the device") << QStringLiteral("schedule.graph");
  }
  void aCentroidThatIsMovedIsNoEnd() {
    QFETCH(QString, schedule);
    KMeansRunner runner;
    runner.chooseDevice(BackendRequest::cpu);
    runner.setData(points("blobs:n=400,d=2,k=3,seed=2"));
    runner.usePrivatePoints(Sharing::none);
    Settings settings;
    settings.k = 3;
    settings.selection.schedule = schedule.toStdString();
    runner.configure(settings);
    const auto next = [&] { return schedule.isEmpty() ? runner.iterate(true) : runner.iterateUntil(0, 100); };
    IterationResult end = next();
    for (int i = 0; i < 100 && !converged(end, 0); ++i)
      end = next();
    QVERIFY(converged(end, 0));
    runner.moveCentroid(0, {end.centroids[0] + 1e-3F, end.centroids[1]});
    QVERIFY(!converged(next(), 0));
    const IterationResult again = next();
    QVERIFY(converged(again, 0));
    QCOMPARE(again.usedCentroids, end.centroids);
    QCOMPARE(again.sizes, end.sizes);
  }

  void lentMemoryIsAsGoodAsOnesOwn_data() { everyPath(); }
  void lentMemoryIsAsGoodAsOnesOwn() {
    QFETCH(QString, data);
    QFETCH(QString, plan);
    const SharedPointSet set = points(data);
    Lender lender(set, backend(plan), looks(plan));
    KMeansRunner own;
    own.chooseDevice(backend(plan));
    own.setData(set);
    own.usePrivatePoints(Sharing::none);
    for (KMeansRunner* runner : {&lender.runner, &own}) {
      runner->keepUndoHistory(true);
      runner->configure(settings(plan));
    }
    // Forwards, a look in between, back, and forwards again.
    for (const Work step : {look, half,  half,  half, look,  half, back, back, back,  half,  look, half,
                            half, whole, whole, look, whole, half, half, back, whole, whole, back, look}) {
      const IterationResult left =
          lender.call([&](const PointMemory* memory) { return step(lender.runner, memory); });
      const IterationResult right = step(own, nullptr);
      QVERIFY(same(left, right));
      const Frame frame = own.frame();
      QCOMPARE(lender.labels(), std::vector<Label>(frame.labels->begin(), frame.labels->end()));
      if (frame.positions)
        QCOMPARE(lender.positions(), std::vector<float>(frame.positions->begin(), frame.positions->end()));
    }
  }

  void newBuffersGetTheSamePicture_data() { everyPath(); }
  void newBuffersGetTheSamePicture() {
    QFETCH(QString, data);
    QFETCH(QString, plan);
    const SharedPointSet set = points(data);
    Lender lender(set, backend(plan), looks(plan));
    Lender other(set, backend(plan), looks(plan));
    for (KMeansRunner* runner : {&lender.runner, &other.runner}) {
      runner->keepUndoHistory(true);
      runner->configure(settings(plan));
    }
    int steps = 0;
    for (const Work step : {half, half, half, half, whole, half, whole, whole, whole, half}) {
      const IterationResult left =
          lender.call([&](const PointMemory* memory) { return step(lender.runner, memory); });
      const IterationResult right =
          other.call([&](const PointMemory* memory) { return step(other.runner, memory); });
      QVERIFY(same(left, right));
      QCOMPARE(lender.labels(), other.labels());
      lender.renew(); // and every other time nobody looks before the next half
      if (++steps % 2 == 1) continue;
      const IterationResult shown =
          lender.call([&](const PointMemory* memory) { return lender.runner.preview(memory); });
      QVERIFY(same(shown, right));
      QCOMPARE(lender.labels(), other.labels());
      QCOMPARE(lender.positions(), other.positions());
    }
  }

  void labelsStayByTilesOnlyWhileNobodyLooks_data() {
    QTest::addColumn<QString>("plan");
    QTest::newRow("seen") << QStringLiteral("tiles");
    QTest::newRow("unseen") << QStringLiteral("unseen tiles");
  }
  void labelsStayByTilesOnlyWhileNobodyLooks() {
    QFETCH(QString, plan);
    const SharedPointSet set = points("uniform:n=1500,d=2");
    Lender lender(set, backend(plan), looks(plan));
    lender.runner.configure(settings(plan));
    const auto formAfter = [&](Work step) {
      lender.call([&](const PointMemory* memory) { return step(lender.runner, memory); });
      return lender.layout();
    };
    QVERIFY(formAfter(look) == LabelWidth::one);
    QCOMPARE(formAfter(whole).tile != 0, !looks(plan));
    QCOMPARE(formAfter(whole).tile != 0, !looks(plan));
    QVERIFY(formAfter(half) == LabelWidth::one);
    std::vector<Label> labels;
    lender.call([&](const PointMemory* memory) { return lender.runner.finish(memory, &labels); });
    QCOMPARE(labels.size(), set->n);
  }

  void theUpdateLeavesTheFrontAlone() {
    Lender lender(points("uniform:n=1000,d=2"), BackendRequest::cpu);
    lender.runner.configure(settings(QStringLiteral("apart")));
    lender.call([&](const PointMemory* memory) { return lender.runner.halfStep(memory); });
    QVERIFY(lender.runner.wroteBack());
    const std::vector<Label> labels = lender.labels();
    lender.call([&](const PointMemory* memory) { return lender.runner.halfStep(memory); });
    QVERIFY(!lender.runner.wroteBack());
    QCOMPARE(lender.labels(), labels);
  }

  void whatIsCancelledHasNotHappened_data() { everyPath(); }
  void whatIsCancelledHasNotHappened() {
    QFETCH(QString, data);
    QFETCH(QString, plan);
    const SharedPointSet set = points(data);
    Lender lender(set, backend(plan), looks(plan));
    Lender other(set, backend(plan), looks(plan));
    std::atomic<bool> cancel = false;
    lender.runner.setCancel(&cancel);
    for (KMeansRunner* runner : {&lender.runner, &other.runner}) {
      runner->keepUndoHistory(true);
      runner->configure(settings(plan));
    }
    for (const Work step : {half, half, half, back, back, half, half, whole, whole, back, back, whole}) {
      for (const Work attempt : {step, look}) {
        if (!lender.runner.seeded()) continue;
        cancel = true;
        QVERIFY_EXCEPTION_THROWN(
            lender.call([&](const PointMemory* memory) { return attempt(lender.runner, memory); }),
            Cancelled);
        cancel = false;
      }
      const IterationResult left =
          lender.call([&](const PointMemory* memory) { return step(lender.runner, memory); });
      const IterationResult right =
          other.call([&](const PointMemory* memory) { return step(other.runner, memory); });
      QVERIFY(same(left, right));
      QCOMPARE(lender.labels(), other.labels());
      QCOMPARE(lender.runner.canStepBack(), other.runner.canStepBack());
    }
  }

  /// Whichever call to the device fails in the middle of a half, the half can be done again.
  void whatFailedHasNotHappened_data() { everyPath(); }
  void whatFailedHasNotHappened() {
    QFETCH(QString, data);
    QFETCH(QString, plan);
    const SharedPointSet set = points(data);
    FaultyDevice* faulty = nullptr;
    Lender lender(set, backend(plan), looks(plan), [&](BackendRequest choice) {
      auto device = std::make_unique<FaultyDevice>(choice == BackendRequest::simt ? simt::createSimtDevice()
                                                                                  : createCpuDevice());
      faulty = device.get();
      return ChosenDevice{std::move(device), {}};
    });
    Lender other(set, backend(plan), looks(plan));
    for (KMeansRunner* runner : {&lender.runner, &other.runner}) {
      runner->keepUndoHistory(true);
      runner->configure(settings(plan));
    }
    int faults = 0;
    for (const Work step :
         {half, half, half, look, back, back, back, half, half, whole, whole, half, half, back, whole}) {
      IterationResult left;
      for (int call = 1; call < 100; ++call) {
        faulty->plan({.call = call, .code = 2});
        try {
          left = lender.call([&](const PointMemory* memory) { return step(lender.runner, memory); });
          break;
        } catch (const DeviceError&) {
          ++faults;
        }
      }
      faulty->plan({});
      const IterationResult right =
          other.call([&](const PointMemory* memory) { return step(other.runner, memory); });
      QVERIFY(same(left, right));
      QCOMPARE(lender.labels(), other.labels());
      QCOMPARE(lender.runner.canStepBack(), other.runner.canStepBack());
    }
    QVERIFY(faults > 50);
  }
};

QTEST_GUILESS_MAIN(TestComputer)
#include "tst_kmeans_runner.moc"
