// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair_position.hpp"
#include "app/model/paired_run.hpp"
#include "gpu/core/registry.hpp"
#include "tests/model/session_halves.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace lloyd;

namespace {

constexpr std::size_t plantedEvery = 100;
constexpr std::size_t plantedAt = 7;

/// Right but for one point in a hundred.
void classifyWrongly(const ClassifyArgs& args, LaunchContext& context) {
  Registry::instance().find("cpu.v1")->on(Backend::cpu).classify(args, context);
  for (std::size_t i = plantedAt; i < args.problem.n; i += plantedEvery)
    args.labels[i] = (args.labels[i] + 1) % args.problem.k;
}

Selection apartBy(const char* classify, const char* reduce) {
  Selection selection;
  selection.classify = classify;
  selection.reduce = reduce;
  return selection;
}

SideChoice onePass() {
  SideChoice side;
  side.backend = BackendChoice::cpu;
  side.selection.fused = "cpu.v3";
  return side;
}

Settings scalar(int k) {
  Settings settings = cpuSettings(k);
  settings.selection = apartBy("cpu.v1", "cpu.v1");
  return settings;
}

int gapOf(const Session& a, const Session& b) {
  return std::abs(positionOf(*a.last()) - positionOf(*b.last()));
}

bool waitsForStep(PairedRun& run) {
  return QTest::qWaitFor([&] { return run.inStep(); }, 30000);
}

/// Both rest at the same state, and what they disagree in is known.
bool settles(PairedRun& run, const Session& a) {
  return QTest::qWaitFor(
      [&] {
        return run.inStep() && run.upToDate() && run.difference()->iteration == a.last()->iteration &&
               run.difference()->halfway == a.last()->halfway;
      },
      30000);
}

} // namespace

/// Two sessions that go hand in hand.
class TestPairedRun : public QObject {
  Q_OBJECT

  static void startBoth(Session& a, PairedRun& run, const Settings& settings, const SideChoice& side,
                        const char* data) {
    begin(a, settings, generator(data));
    run.wantDifferences(true);
    run.setSide(side);
    run.setActive(true);
    QVERIFY(run.other());
    QVERIFY(waitsForStep(run));
  }

private slots:
  void initTestCase() {
    VariantInfo info;
    info.family = "planted";
    info.tag = "wrong";
    info.name = "one label in a hundred is the next cluster's";
    info.layout = Layout::aos;
    Launchers launchers;
    launchers.classify = classifyWrongly;
    QVERIFY(Registry::instance().add(info, Backend::cpu, launchers));
  }

  void twoVariantsStepTogether_data() {
    QTest::addColumn<QString>("data");
    QTest::newRow("still") << "blobs:n=3000,d=2,k=5";
    QTest::newRow("moving") << "drift:n=2000,d=2,k=5";
  }
  void twoVariantsStepTogether() {
    QFETCH(QString, data);
    Session a;
    PairedRun run(a);
    startBoth(a, run, scalar(5), onePass(), qPrintable(data));
    Session& b = *run.other();
    QCOMPARE(b.data(), a.data()); // the very same points
    for (int i = 1; i <= 20; ++i) {
      a.step();
      QTRY_COMPARE_WITH_TIMEOUT(a.last()->iteration, i, 20000);
      QVERIFY(settles(run, a));
      QCOMPARE(b.last()->iteration, i);
      QCOMPARE(run.difference()->differing, std::size_t(0));
      QVERIFY(run.difference()->centroidDistance < 1e-4);
      QVERIFY(std::abs(run.difference()->inertia.value()) < 1e-6);
      QCOMPARE(b.moment(), a.moment());
    }
    QVERIFY(b.plan().fused && b.plan().fused->id() == "cpu.v3");
    QVERIFY(a.plan().classify && a.plan().classify->id() == "cpu.v1");
    QCOMPARE(differenceText(*run.difference()).left(5), QStringLiteral("0 of "));
  }

  void neitherIsEverMoreThanOneAhead() {
    Session a;
    PairedRun run(a);
    startBoth(a, run, scalar(5), onePass(), "drift:n=4000,d=2,k=5");
    Session& b = *run.other();
    int seen = 0;
    int most = 0;
    bool ahead = false;
    const auto look = [&] {
      ++seen;
      most = std::max(most, gapOf(a, b));
      ahead = ahead || positionOf(*b.last()) > positionOf(*a.last());
    };
    connect(&a, &Session::iterated, this, look);
    connect(&b, &Session::iterated, this, look);
    a.play();
    QTRY_VERIFY_WITH_TIMEOUT(a.last()->iteration >= 30, 30000);
    a.pause();
    QVERIFY(settles(run, a));
    QVERIFY(seen >= 60);
    QVERIFY(most <= 2); // halves
    QVERIFY(!ahead);
    QCOMPARE(gapOf(a, b), 0);
    QCOMPARE(run.difference()->differing, std::size_t(0));
    disconnect(&a, nullptr, this, nullptr);
  }

  void halvesAndStepsBackAreFollowed() {
    Session a;
    PairedRun run(a);
    startBoth(a, run, apart(4), onePass(), "blobs:n=2000,d=2,k=4");
    Session& b = *run.other();
    QVERIFY(halfStep(a) && settles(run, a));
    QVERIFY(b.last()->halfway && b.last()->iteration == 1);
    QVERIFY(step(a) && settles(run, a)); // what is left of it
    QVERIFY(!b.last()->halfway && b.last()->iteration == 1);
    QVERIFY(step(a) && settles(run, a));
    QCOMPARE(b.last()->iteration, 2);
    QVERIFY(stepBack(a) && settles(run, a));
    QVERIFY(a.last()->halfway && b.last()->halfway);
    QVERIFY(stepBack(a) && settles(run, a));
    QCOMPARE(b.last()->iteration, 1);
    QVERIFY(stepBack(a) && settles(run, a));
    QVERIFY(stepBack(a) && settles(run, a));
    QCOMPARE(positionOf(*b.last()), 0);
    QCOMPARE(b.last()->centroids, a.last()->centroids);
    QCOMPARE(run.difference()->differing, std::size_t(0));
  }

  void bothStayTogetherWhateverChanges() {
    Session a;
    PairedRun run(a);
    startBoth(a, run, scalar(5), onePass(), "blobs:n=3000,d=2,k=5");
    Session& b = *run.other();
    const auto together = [&] {
      return settles(run, a) && b.last()->centroids.size() == a.last()->centroids.size() &&
             run.difference()->differing == 0 && run.difference()->centroidDistance < 1e-4;
    };
    for (int i = 0; i < 3; ++i)
      QVERIFY(step(a) && together());

    Settings settings = a.settings();
    settings.k = 9;
    QVERIFY(published(a, [&] { a.setSettings(settings); }) && together());
    QCOMPARE(b.settings().k, 9);
    settings.seed = 77;
    QVERIFY(published(a, [&] { a.setSettings(settings); }) && together());
    settings.init.kind = InitKind::random;
    QVERIFY(published(a, [&] { a.setSettings(settings); }) && together());
    QVERIFY(step(a) && together());

    QVERIFY(published(a, [&] { a.moveCentroid(2, {0.25F, -0.5F}); }) && together());
    QCOMPARE(b.last()->centroids, a.last()->centroids);
    QVERIFY(step(a) && together());
    QVERIFY(published(a, [&] { a.restart(); }) && together());
    QCOMPARE(b.last()->iteration, 0);

    const SharedPointSet before = a.data();
    a.open(generator("blobs:n=4000,d=3,k=6"));
    QTRY_VERIFY_WITH_TIMEOUT(a.data() != before, 20000);
    QVERIFY(together());
    QCOMPARE(b.data(), a.data());
    QVERIFY(step(a) && together());
    QCOMPARE(b.last()->iteration, 1);
  }

  void centroidsMovedWhilePlayingMoveInBoth() {
    Session a;
    PairedRun run(a);
    startBoth(a, run, scalar(5), onePass(), "drift:n=3000,d=2,k=5");
    a.play();
    for (int i = 1; i <= 6; ++i) {
      const int from = a.last()->iteration;
      a.moveCentroid(i % 5, {0.1F * static_cast<float>(i), 0.2F});
      QTRY_VERIFY_WITH_TIMEOUT(a.last()->iteration > from + 1, 20000);
    }
    a.pause();
    QVERIFY(settles(run, a));
    QCOMPARE(run.difference()->differing, std::size_t(0));
    QVERIFY(run.difference()->centroidDistance < 1e-4);
  }

  void aSideChosenInTheMiddleOfARunJoinsIt() {
    Session a;
    PairedRun run(a);
    begin(a, apart(5), generator("drift:n=3000,d=2,k=5"));
    for (int i = 0; i < 4; ++i)
      QVERIFY(step(a));
    run.wantDifferences(true);
    run.setSide(onePass());
    run.setActive(true);
    QVERIFY(settles(run, a));
    Session& b = *run.other();
    QCOMPARE(b.last()->iteration, 4);
    QCOMPARE(b.moment(), a.moment());
    QCOMPARE(b.last()->centroids, a.last()->centroids);
    QCOMPARE(run.difference()->differing, std::size_t(0));
    QVERIFY(step(a) && settles(run, a));
    QCOMPARE(b.last()->iteration, 5);
    QCOMPARE(run.difference()->differing, std::size_t(0));
    // Where B remembers nothing it is shown the way back.
    for (int i = 0; i < 4; ++i)
      QVERIFY(stepBack(a) && settles(run, a));
    QCOMPARE(b.last()->iteration, 3);
    QCOMPARE(run.difference()->differing, std::size_t(0));
    // Another variant goes on from where the one before it was.
    SideChoice side = run.side();
    side.selection = apartBy("cpu.v1", "cpu.v2");
    run.setSide(side);
    QVERIFY(step(a) && settles(run, a));
    QCOMPARE(b.last()->iteration, 4);
    QCOMPARE(b.plan().classify->id(), std::string("cpu.v1"));
    QCOMPARE(run.difference()->differing, std::size_t(0));
  }

  void wrongLabelsAreFoundCountedAndNamed() {
    Session a;
    PairedRun run(a);
    SideChoice side;
    side.backend = BackendChoice::cpu;
    side.selection = apartBy("planted.wrong", "cpu.v1");
    constexpr std::size_t n = 5000;
    startBoth(a, run, scalar(5), side, "blobs:n=5000,d=2,k=5");
    QVERIFY(halfStep(a) && settles(run, a));
    const PairDifferencePtr found = run.difference();
    QCOMPARE(found->points, n);
    QCOMPARE(found->differing, n / plantedEvery);
    QCOMPARE(found->groups->size(), n);
    for (std::size_t i = 0; i < n; ++i)
      QCOMPARE((*found->groups)[i], i % plantedEvery == plantedAt ? 1 : 0);
    QCOMPARE(found->centroidDistance, 0.0);
    QCOMPARE(differenceText(*found), QStringLiteral("50 of 5,000 labels differ halfway through iteration 1"));
    QVERIFY(found->inertia.value() > 0);
    QVERIFY(halfStep(a) && settles(run, a));
    QVERIFY(run.difference()->centroidDistance > 0);
    QCOMPARE(differenceText(*run.difference()), QStringLiteral("50 of 5,000 labels differ at iteration 1"));
  }

  void theExecutorFollowsTheProcessor() {
    Session a;
    PairedRun run(a);
    SideChoice side;
    side.backend = BackendChoice::simt;
    side.selection = apartBy("classify.v7", "reduce.v7");
    startBoth(a, run, scalar(4), side, "blobs:n=3000,d=2,k=4");
    Session& b = *run.other();
    QVERIFY(b.simulated() && !a.simulated());
    for (int i = 0; i < 3; ++i)
      QVERIFY(step(a) && settles(run, a));
    QCOMPARE(b.last()->iteration, 3);
    QVERIFY(run.difference()->differing <= 3); // ties within rounding
    QVERIFY(run.difference()->centroidDistance < 1e-3);
  }

  void pointsThatOnlyOneSideHasAreNotCompared() {
    Session a;
    PairedRun run(a);
    SideChoice side;
    side.backend = BackendChoice::simt;
    startBoth(a, run, scalar(2), side, "uniform:n=65537,d=1");
    QCOMPARE(run.other()->data()->n, Session::executorPoints);
    QVERIFY(run.whyNotCompared().contains(QStringLiteral("65,537")));
    QVERIFY(run.whyNotCompared().contains(QStringLiteral("65,536")));
    QVERIFY(step(a) && waitsForStep(run));
    QCOMPARE(run.other()->last()->iteration, 1);
    QVERIFY(!run.difference());
  }

  void itsOwnSeedBeginsApartAndClustersAreMatched() {
    Session a;
    PairedRun run(a);
    SideChoice side = onePass();
    startBoth(a, run, scalar(3), side, "blobs:n=3000,d=2,k=3,seed=4");
    for (int i = 0; i < 3; ++i)
      QVERIFY(step(a) && settles(run, a));
    side.seed = 12345;
    run.setSide(side); // in the middle of a run: both begin again
    QTRY_COMPARE_WITH_TIMEOUT(a.last() ? a.last()->iteration : -1, 0, 20000);
    QVERIFY(settles(run, a));
    QCOMPARE(run.other()->settings().seed, std::uint64_t(12345));
    QVERIFY(run.other()->last()->centroids != a.last()->centroids);
    for (int i = 0; i < 60 && !(a.converged() && run.other()->converged()); ++i)
      QVERIFY(step(a) && settles(run, a));
    QVERIFY(a.converged() && run.other()->converged());
    std::vector<int> matches = run.difference()->clusterOfA;
    std::sort(matches.begin(), matches.end());
    QCOMPARE(matches, (std::vector<int>{0, 1, 2}));
    QVERIFY(run.difference()->differing < 1500); // three blobs: most points agree once numbers are matched
  }

  void aSideThatCannotRunLeavesTheOtherAlone() {
    Session a;
    begin(a, scalar(4), generator("blobs:n=2000,d=2,k=4"));
    PairedRun run(a);
    QSignalSpy said(&run, &PairedRun::message);
    SideChoice side;
    side.backend = BackendChoice::cpu;
    side.selection = apartBy("classify.v7", "cpu.v1"); // a kernel, on the CPU
    run.setSide(side);
    run.setActive(true);
    QTRY_VERIFY_WITH_TIMEOUT(!run.other(), 20000);
    QVERIFY2(run.why().contains(QStringLiteral("classify.v7")), qPrintable(run.why()));
    QVERIFY(!said.isEmpty() && said.back()[1].toBool());
    QVERIFY(step(a) && step(a)); // alone
    QCOMPARE(a.last()->iteration, 2);
    // The next try goes on with A's run.
    run.wantDifferences(true);
    run.setSide(onePass());
    QVERIFY(settles(run, a));
    QVERIFY(run.why().isEmpty());
    QCOMPARE(run.other()->last()->iteration, 2);
  }

  void aDeviceThatFailsLeavesTheOtherAlone() {
    Session a;
    begin(a, scalar(4), generator("blobs:n=2000,d=2,k=4"));
    FaultCounters counters;
    constexpr int lost = 700;
    PairedRun run(a, nullptr, [&](BackendChoice) {
      return ChosenDevice{std::make_unique<FaultyDevice>(test::findDevice(Backend::cpu).device,
                                                         Fault{.call = 120, .code = lost}, &counters),
                          {}};
    });
    run.setSide(onePass());
    run.setActive(true);
    a.setRate(0);
    a.play();
    QTRY_VERIFY_WITH_TIMEOUT(!run.other() || a.converged(), 30000);
    for (int i = 0; i < 30 && run.other(); ++i) {
      QVERIFY(step(a));
      QTest::qWait(20);
    }
    QVERIFY(!run.other());
    QVERIFY(!run.why().isEmpty());
    const int before = a.last()->iteration;
    QVERIFY(step(a));
    QCOMPARE(a.last()->iteration, before + 1);
  }

  void deactivatingReleasesTheDevice() {
    Session a;
    begin(a, scalar(4), generator("drift:n=2000,d=2,k=4"));
    FaultCounters counters;
    PairedRun run(a, nullptr, [&](BackendChoice) {
      return ChosenDevice{
          std::make_unique<FaultyDevice>(test::findDevice(Backend::cpu).device, Fault{}, &counters), {}};
    });
    run.wantDifferences(true);
    run.setSide(onePass());
    QCOMPARE(counters.calls(), 0);
    run.setActive(true);
    a.play();
    QTRY_VERIFY_WITH_TIMEOUT(a.last()->iteration >= 5, 20000);
    QVERIFY(counters.liveAllocations() > 0);
    QSignalSpy gone(&run, &PairedRun::otherChanged);
    run.setActive(false);
    QCOMPARE(gone.count(), 1);
    QVERIFY(!run.other());
    // A comparison under way may hold a frame a moment longer.
    QTRY_COMPARE_WITH_TIMEOUT(counters.liveAllocations(), 0, 10000);
    QCOMPARE(counters.liveEvents(), 0);
    const int before = a.last()->iteration;
    QTRY_VERIFY_WITH_TIMEOUT(a.last()->iteration > before + 2, 20000);
  }

  void theWindowsSessionMayGoFirst() {
    auto a = std::make_unique<Session>();
    PairedRun run(*a);
    startBoth(*a, run, scalar(4), onePass(), "blobs:n=2000,d=2,k=4");
    a->play();
    a.reset();
    QVERIFY(!run.inStep());
    run.setActive(false);
    QVERIFY(!run.other());
  }
};

QTEST_GUILESS_MAIN(TestPairedRun)
#include "tst_paired_run.moc"
