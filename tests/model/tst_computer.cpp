// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/computer.hpp"
#include "app/model/load.hpp"
#include "gpu/core/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/model/session_support.hpp"
#include "tests/support/faulty_device.hpp"

#include <QTest>

#include <atomic>
#include <functional>

using namespace lloyd;

namespace {

/// A computer that is lent its memory with each call, as the window lends OpenGL's buffers; what it wrote
/// becomes the front when it says so, and only then.
class Lender {
public:
  explicit Lender(const SharedPointSet& data, Computer::DeviceFactory factory = chooseDevice)
      : computer(std::move(factory)), data_(data) {
    computer.chooseDevice(BackendChoice::cpu);
    computer.setData(data);
    computer.useLentPoints();
    renew();
  }
  /// New buffers, without labels and with points at rest, as after the loss of a context.
  void renew() {
    points_ = std::make_unique<DevicePoints>(computer.device(), data_->n, data_->d, data_->values.data(),
                                             data_->drift.has_value());
    computer.useLentPoints();
  }
  IterationResult call(const std::function<IterationResult(const PointMemory*)>& work) {
    const PointMemory memory = points_->map();
    try {
      IterationResult result = work(&memory);
      points_->unmap(computer.wroteBack());
      return result;
    } catch (...) {
      points_->unmap(false);
      throw;
    }
  }
  [[nodiscard]] std::vector<Label> labels() {
    std::vector<Label> front(data_->n);
    downloadLabels(computer.device(), points_->frontLabels(), front);
    return front;
  }
  [[nodiscard]] std::vector<float> positions() {
    std::vector<float> front(points_->stride() * static_cast<std::size_t>(data_->d));
    computer.device().download(front.data(), points_->frontPositions(), front.size() * sizeof(float));
    return front;
  }

  Computer computer;

private:
  SharedPointSet data_;
  std::unique_ptr<DevicePoints> points_;
};

bool same(const IterationResult& a, const IterationResult& b) {
  return a.iteration == b.iteration && a.halfway == b.halfway && a.changed == b.changed &&
         a.anyChanged == b.anyChanged && a.shift == b.shift && a.inertia == b.inertia &&
         a.usedCentroids == b.usedCentroids && a.centroids == b.centroids && a.sizes == b.sizes;
}

SharedPointSet points(const QString& spec) {
  const auto loaded = loadPoints(generator(spec.toStdString()), {}, nullptr);
  return loaded ? *loaded : nullptr;
}

} // namespace

/// Halves on memory that is lent, the way of a window that shares its buffers.
class TestComputer : public QObject {
  Q_OBJECT

  static void everyPath() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<bool>("fused");
    for (const bool fused : {false, true})
      for (const char* data : {"uniform:n=1500,d=2", "drift:n=1500,d=2,k=4"})
        QTest::addRow("%s %s", data, fused ? "fused" : "apart") << QString::fromLatin1(data) << fused;
  }
  static Settings settings(bool fused) {
    Settings all = cpuSettings(4);
    if (!fused) {
      all.selection.classify = "cpu.v2";
      all.selection.reduce = "cpu.v1";
    }
    return all;
  }

private slots:
  void lentMemoryIsAsGoodAsOnesOwn_data() { everyPath(); }
  void lentMemoryIsAsGoodAsOnesOwn() {
    QFETCH(QString, data);
    QFETCH(bool, fused);
    const SharedPointSet set = points(data);
    Lender lender(set);
    Computer own;
    own.chooseDevice(BackendChoice::cpu);
    own.setData(set);
    own.usePrivatePoints(Sharing::none);
    for (Computer* computer : {&lender.computer, &own}) {
      computer->keepPast(true);
      computer->configure(settings(fused));
    }
    using Step = IterationResult (Computer::*)(const PointMemory*);
    // Forwards, a look in between, back, and forwards again.
    for (const Step step : {&Computer::preview, &Computer::halfStep, &Computer::halfStep, &Computer::halfStep,
                            &Computer::preview, &Computer::halfStep, &Computer::stepBack, &Computer::stepBack,
                            &Computer::stepBack, &Computer::halfStep, &Computer::preview, &Computer::halfStep,
                            &Computer::halfStep}) {
      const IterationResult left =
          lender.call([&](const PointMemory* memory) { return (lender.computer.*step)(memory); });
      const IterationResult right = (own.*step)(nullptr);
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
    QFETCH(bool, fused);
    const SharedPointSet set = points(data);
    Lender lender(set);
    Lender other(set);
    for (Computer* computer : {&lender.computer, &other.computer}) {
      computer->keepPast(true);
      computer->configure(settings(fused));
    }
    for (int half = 0; half < 6; ++half) {
      const IterationResult left =
          lender.call([&](const PointMemory* memory) { return lender.computer.halfStep(memory); });
      const IterationResult right =
          other.call([&](const PointMemory* memory) { return other.computer.halfStep(memory); });
      QVERIFY(same(left, right));
      QCOMPARE(lender.labels(), other.labels());
      lender.renew(); // and every other time nobody looks before the next half
      if (half % 2 == 0) continue;
      const IterationResult shown =
          lender.call([&](const PointMemory* memory) { return lender.computer.preview(memory); });
      QVERIFY(same(shown, right));
      QCOMPARE(lender.labels(), other.labels());
      QCOMPARE(lender.positions(), other.positions());
    }
  }

  void theUpdateLeavesTheFrontAlone() {
    Lender lender(points("uniform:n=1000,d=2"));
    lender.computer.configure(settings(false));
    lender.call([&](const PointMemory* memory) { return lender.computer.halfStep(memory); });
    QVERIFY(lender.computer.wroteBack());
    const std::vector<Label> labels = lender.labels();
    lender.call([&](const PointMemory* memory) { return lender.computer.halfStep(memory); });
    QVERIFY(!lender.computer.wroteBack());
    QCOMPARE(lender.labels(), labels);
  }

  void whatIsCancelledHasNotHappened_data() { everyPath(); }
  void whatIsCancelledHasNotHappened() {
    QFETCH(QString, data);
    QFETCH(bool, fused);
    const SharedPointSet set = points(data);
    Lender lender(set);
    Lender other(set);
    std::atomic<bool> cancel = false;
    lender.computer.setCancel(&cancel);
    for (Computer* computer : {&lender.computer, &other.computer}) {
      computer->keepPast(true);
      computer->configure(settings(fused));
    }
    using Step = IterationResult (Computer::*)(const PointMemory*);
    for (const Step step :
         {&Computer::halfStep, &Computer::halfStep, &Computer::halfStep, &Computer::stepBack,
          &Computer::stepBack, &Computer::halfStep, &Computer::halfStep}) {
      for (const Step attempt : {step, &Computer::preview}) {
        if (!lender.computer.seeded()) continue;
        cancel = true;
        QVERIFY_EXCEPTION_THROWN(
            lender.call([&](const PointMemory* memory) { return (lender.computer.*attempt)(memory); }),
            Cancelled);
        cancel = false;
      }
      const IterationResult left =
          lender.call([&](const PointMemory* memory) { return (lender.computer.*step)(memory); });
      const IterationResult right =
          other.call([&](const PointMemory* memory) { return (other.computer.*step)(memory); });
      QVERIFY(same(left, right));
      QCOMPARE(lender.labels(), other.labels());
      QCOMPARE(lender.computer.canStepBack(), other.computer.canStepBack());
    }
  }

  /// Whichever call to the device fails in the middle of a half, the half can be done again.
  void whatFailedHasNotHappened_data() { everyPath(); }
  void whatFailedHasNotHappened() {
    QFETCH(QString, data);
    QFETCH(bool, fused);
    const SharedPointSet set = points(data);
    FaultyDevice* faulty = nullptr;
    Lender lender(set, [&](BackendChoice) {
      auto device = std::make_unique<FaultyDevice>(createCpuDevice());
      faulty = device.get();
      return ChosenDevice{std::move(device), {}};
    });
    Lender other(set);
    for (Computer* computer : {&lender.computer, &other.computer}) {
      computer->keepPast(true);
      computer->configure(settings(fused));
    }
    using Step = IterationResult (Computer::*)(const PointMemory*);
    int faults = 0;
    for (const Step step : {&Computer::halfStep, &Computer::halfStep, &Computer::halfStep, &Computer::preview,
                            &Computer::stepBack, &Computer::stepBack, &Computer::stepBack,
                            &Computer::halfStep, &Computer::halfStep}) {
      IterationResult left;
      for (int call = 1; call < 100; ++call) {
        faulty->plan({.call = call, .code = 2});
        try {
          left = lender.call([&](const PointMemory* memory) { return (lender.computer.*step)(memory); });
          break;
        } catch (const DeviceError&) {
          ++faults;
        }
      }
      faulty->plan({});
      const IterationResult right =
          other.call([&](const PointMemory* memory) { return (other.computer.*step)(memory); });
      QVERIFY(same(left, right));
      QCOMPARE(lender.labels(), other.labels());
      QCOMPARE(lender.computer.canStepBack(), other.computer.canStepBack());
    }
    QVERIFY(faults > 50);
  }
};

QTEST_GUILESS_MAIN(TestComputer)
#include "tst_computer.moc"
