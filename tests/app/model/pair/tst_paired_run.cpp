// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/model/pair/paired_support.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/faulty_device.hpp"

using namespace lloyd;

/// Two sessions that go hand in hand.
class TestPairedRun : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { plantWrongVariant(); }

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
      QCOMPARE(b.driftTime(), a.driftTime());
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

  /// Of a run that plays a difference is looked for now and then; of its end always.
  void theLastIterationIsCompared() {
    Session a;
    PairedRun run(a);
    startBoth(a, run, scalar(5), onePass(), "blobs:n=300,d=2,k=5");
    for (int again = 0; again < 5; ++again) { // some of them end just behind a comparison
      a.play();
      QTRY_VERIFY_WITH_TIMEOUT(a.converged() && run.inStep(), 20000);
      QTRY_VERIFY(run.upToDate());
      QCOMPARE(run.difference()->iteration, a.last()->iteration);
      a.pause();
      a.restart();
      QTRY_VERIFY_WITH_TIMEOUT(a.last() && a.last()->iteration == 0, 20000);
    }
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
    QCOMPARE(b.driftTime(), a.driftTime());
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
};

QTEST_GUILESS_MAIN(TestPairedRun)
#include "tst_paired_run.moc"
