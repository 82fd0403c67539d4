// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/model/pair/paired_support.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

using namespace lloyd;

/// In what two sessions that go hand in hand differ, and how they part.
class TestPairedSides : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { plantWrongVariant(); }

  void wrongLabelsAreFoundCountedAndNamed() {
    Session a;
    PairedRun run(a);
    SideChoice side;
    side.backend = BackendRequest::cpu;
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

  void theSimulatorFollowsTheProcessor() {
    Session a;
    PairedRun run(a);
    SideChoice side;
    side.backend = BackendRequest::simt;
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
    side.backend = BackendRequest::simt;
    startBoth(a, run, scalar(2), side, "uniform:n=65537,d=1");
    QCOMPARE(run.other()->data()->n, Session::simulatorPoints);
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
    QVERIFY2(differenceText(*run.difference())
                 .endsWith("; each cluster of B is compared with its best match in A"),
             qPrintable(differenceText(*run.difference())));
  }

  void aSideThatCannotRunLeavesTheOtherAlone() {
    Session a;
    begin(a, scalar(4), generator("blobs:n=2000,d=2,k=4"));
    PairedRun run(a);
    QSignalSpy said(&run, &PairedRun::message);
    SideChoice side;
    side.backend = BackendRequest::cpu;
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

  void theNextTryMayComeBeforeAFailedSideHasGone() {
    Session a;
    begin(a, scalar(4), generator("blobs:n=2000,d=2,k=4"));
    PairedRun run(a);
    run.wantDifferences(true);
    SideChoice side;
    side.backend = BackendRequest::cpu;
    side.selection = apartBy("classify.v7", "cpu.v1"); // a kernel, on the CPU
    run.setSide(side);
    run.setActive(true);
    bool tried = false;
    connect(run.other(), &Session::message, this, [&](const QString&, bool error) {
      if (!error) return;
      tried = true;
      run.setSide(onePass());
    });
    QTRY_VERIFY_WITH_TIMEOUT(tried, 20000);
    QVERIFY(settles(run, a));
    QVERIFY(run.why().isEmpty());
    QVERIFY(step(a) && settles(run, a));
    QCOMPARE(run.other()->last()->iteration, 1);
  }

  void aSideMayBeginWhilePointsAreOnTheirWay() {
    Session a;
    begin(a, scalar(4), generator("blobs:n=2000,d=2,k=4"));
    PairedRun run(a);
    run.wantDifferences(true);
    run.setSide(onePass());
    connect(&a, &Session::dataChanged, this, [&] { run.setActive(true); });
    a.open(generator("blobs:n=3000,d=2,k=4"));
    QTRY_VERIFY_WITH_TIMEOUT(run.active(), 20000);
    QVERIFY(settles(run, a));
    QCOMPARE(run.other()->data(), a.data());
    QVERIFY(step(a) && settles(run, a));
  }

  void aDeviceThatFailsLeavesTheOtherAlone() {
    Session a;
    begin(a, scalar(4), generator("blobs:n=2000,d=2,k=4"));
    FaultCounters counters;
    constexpr int lost = 700;
    PairedRun run(a, nullptr, [&](BackendRequest) {
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
    PairedRun run(a, nullptr, [&](BackendRequest) {
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

QTEST_GUILESS_MAIN(TestPairedSides)
#include "tst_paired_sides.moc"
