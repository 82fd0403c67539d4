// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/model/session/session_halves.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <map>

using namespace lloyd;

/// Iterations in halves, forwards and back.
class TestSessionHalves : public QObject {
  Q_OBJECT

  static void everyPath() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("classify");
    QTest::addColumn<QString>("reduce");
    QTest::newRow("apart") << "blobs:n=3000,d=2,k=5"
                           << "cpu.v2"
                           << "cpu.v1";
    QTest::newRow("fused") << "blobs:n=3000,d=3,k=5"
                           << ""
                           << "";
    QTest::newRow("moving, apart") << "drift:n=2000,d=2,k=5"
                                   << "cpu.v1"
                                   << "cpu.v2";
    QTest::newRow("moving, fused") << "drift:n=2000,d=2,k=5"
                                   << ""
                                   << "";
  }
  static Settings settingsOfRow() {
    const auto text = [](const char* column) {
      return (*static_cast<QString*>(QTest::qData(column, qMetaTypeId<QString>()))).toStdString();
    };
    Settings settings = cpuSettings(5);
    settings.init.kind = InitKind::random;
    settings.selection.classify = text("classify");
    settings.selection.reduce = text("reduce");
    return settings;
  }

private slots:
  void classifyLabelsAndUpdateMoves() {
    Session session;
    begin(session, apart(4), generator("blobs:n=2000,d=2,k=4"));
    const IterationResult start = *session.last();
    QCOMPARE(session.nextHalf(), Half::classify);
    QVERIFY(!session.canStepBack());

    QVERIFY(halfStep(session));
    const State half = stateOf(session);
    QVERIFY(half.result.halfway);
    QCOMPARE(half.next, Half::update);
    QCOMPARE(half.result.iteration, 1);
    QCOMPARE(half.result.centroids, start.centroids);
    QCOMPARE(half.result.usedCentroids, start.centroids);
    QCOMPARE(*half.result.changed, std::uint64_t(2000));
    QVERIFY(half.result.inertia.has_value());
    std::vector<std::uint32_t> sizes(4);
    for (const Label label : half.labels)
      ++sizes.at(static_cast<std::size_t>(label));
    QCOMPARE(half.result.sizes, sizes);
    QCOMPARE(half.history, std::size_t(0));
    QVERIFY(half.result.times[Stage::classify] && !half.result.times[Stage::reduce] &&
            !half.result.times[Stage::update]);

    QVERIFY(halfStep(session));
    const State whole = stateOf(session);
    QVERIFY(!whole.result.halfway);
    QCOMPARE(whole.next, Half::classify);
    QCOMPARE(whole.result.iteration, 1);
    QCOMPARE(whole.labels, half.labels);
    QCOMPARE(whole.result.usedCentroids, start.centroids);
    QVERIFY(whole.result.centroids != start.centroids);
    QVERIFY(whole.result.shift > 0);
    QCOMPARE(whole.result.inertia, half.result.inertia);
    QCOMPARE(whole.result.sizes, sizes);
    QCOMPARE(whole.history, std::size_t(1));
    QVERIFY(whole.result.times[Stage::reduce] && whole.result.times[Stage::update] &&
            !whole.result.times[Stage::classify]);
  }

  void twoHalvesAreOneStep_data() { everyPath(); }
  void twoHalvesAreOneStep() {
    Session whole;
    Session halves;
    QFETCH(QString, data);
    begin(whole, settingsOfRow(), generator(data.toStdString()));
    begin(halves, settingsOfRow(), generator(data.toStdString()));
    for (int i = 0; i < 4; ++i) {
      QVERIFY(step(whole));
      QVERIFY(halfStep(halves));
      QVERIFY(halves.last()->halfway);
      QVERIFY(halfStep(halves));
      QVERIFY(stateOf(halves) == stateOf(whole));
    }
  }

  void backAndForthIsTheSame_data() { everyPath(); }
  void backAndForthIsTheSame() {
    QFETCH(QString, data);
    Session session;
    begin(session, settingsOfRow(), generator(data.toStdString()));
    std::vector<State> forward{stateOf(session)};
    for (int half = 0; half < 9; ++half) {
      QVERIFY(halfStep(session));
      forward.push_back(stateOf(session));
    }
    for (std::size_t at = forward.size() - 1; at-- > 0;) {
      QVERIFY(session.canStepBack());
      QVERIFY(stepBack(session));
      QVERIFY2(stateOf(session) == forward[at], qPrintable(QString::number(at)));
    }
    QVERIFY(!session.canStepBack());
    for (std::size_t at = 1; at < forward.size(); ++at) {
      QVERIFY(halfStep(session));
      QVERIFY2(stateOf(session) == forward[at], qPrintable(QString::number(at)));
    }
  }

  void wholeStepsAreTakenBackByHalves() {
    Session session;
    begin(session, apart(5), generator("uniform:n=2000,d=2"));
    QVERIFY(step(session));
    QVERIFY(step(session));
    const State second = stateOf(session);
    QVERIFY(step(session));
    const State third = stateOf(session);
    QVERIFY(stepBack(session));
    QVERIFY(session.last()->halfway);
    QCOMPARE(session.last()->iteration, 3);
    QCOMPARE(session.last()->centroids, second.result.centroids);
    QCOMPARE(session.history().size(), std::size_t(2));
    QVERIFY(stepBack(session));
    QVERIFY(stateOf(session) == second);
    QVERIFY(step(session));
    QVERIFY(stateOf(session) == third);
  }

  void aStepFinishesWhatIsHalfDone() {
    Session session;
    begin(session, cpuSettings(5), generator("uniform:n=2000,d=2"));
    QVERIFY(halfStep(session));
    QVERIFY(step(session));
    QCOMPARE(session.last()->iteration, 1);
    QVERIFY(!session.last()->halfway);
    QTest::qWait(50);
    QCOMPARE(session.last()->iteration, 1);
  }

  void playFinishesWhatIsHalfDoneAndGoesOn() {
    Session session;
    Session straight;
    QSignalSpy done(&session, &Session::convergedNow);
    QSignalSpy straightDone(&straight, &Session::convergedNow);
    begin(session, apart(4), generator("blobs:n=2000,d=2,k=4"));
    begin(straight, apart(4), generator("blobs:n=2000,d=2,k=4"));
    QVERIFY(halfStep(session));
    session.play();
    straight.play();
    QVERIFY(done.count() > 0 || done.wait(10000));
    QVERIFY(straightDone.count() > 0 || straightDone.wait(10000));
    QCOMPARE(session.history().size(), straight.history().size());
    QVERIFY(stateOf(session) == stateOf(straight));
  }

  void convergenceIsTakenBackToo() {
    Session session;
    begin(session, apart(3), sample("iris.csv"));
    QSignalSpy done(&session, &Session::convergedNow);
    session.play();
    QVERIFY(done.wait(10000));
    session.pause();
    const State end = stateOf(session);
    QVERIFY(end.converged);
    QVERIFY(stepBack(session));
    QVERIFY(!session.converged());
    QVERIFY(stepBack(session));
    QVERIFY(!session.converged());
    QVERIFY(session.last()->anyChanged);
    QVERIFY(halfStep(session));
    QVERIFY(halfStep(session));
    QVERIFY(stateOf(session) == end);
    QCOMPARE(done.count(), 2);
  }

  void thePastIsBounded() {
    Session session;
    session.setRate(1e6);
    begin(session, cpuSettings(2), generator("drift:n=50,d=2,k=2"));
    session.play();
    QTRY_VERIFY_WITH_TIMEOUT(session.last()->iteration > 270, 60000);
    QVERIFY(rests(session));
    QVERIFY(step(session));
    int halves = 0;
    while (session.canStepBack() && halves < 1000) {
      QVERIFY(stepBack(session));
      ++halves;
    }
    // The oldest is remembered for the labels before the one after it.
    QCOMPARE(halves, 2 * 256 - 1);
    QVERIFY(session.last()->halfway);
    QVERIFY(session.last()->iteration > 1);
    QVERIFY(step(session));
    QVERIFY(session.canStepBack());
  }

  /// Whatever else the processors are needed for, a run goes on behind it.
  void aLimitedRunGoesOnLater() {
    Session session;
    session.setRate(1e6);
    begin(session, cpuSettings(2), generator("drift:n=50,d=2,k=2"));
    session.play();
    QTRY_VERIFY(session.last() && session.last()->iteration > 3);
    session.setRateLimit(1e-3);
    QTest::qWait(100); // one may be under way
    const int at = session.last()->iteration;
    QTest::qWait(200);
    QCOMPARE(session.last()->iteration, at);
    QVERIFY(session.playing());
    session.setRateLimit(0);
    QTRY_VERIFY(session.last()->iteration > at + 3);
  }

  void thePastIsBoundedInBytes() {
    UndoHistory past;
    IterationResult large;
    large.usedCentroids.resize(std::size_t{1} << 20);
    for (int i = 1; i <= 40; ++i) {
      large.iteration = i;
      past.remember(large, 0, 0);
      QVERIFY(past.bytes() <= UndoHistory::mostBytes);
    }
    QVERIFY(past.size() >= 14 && past.size() <= 16);
    QCOMPARE(past.back().result.iteration, 40);
    large.usedCentroids.resize(std::size_t{1} << 25);
    past.remember(large, 0, 0);
    QVERIFY(past.empty());
    QCOMPARE(past.bytes(), std::size_t(0));
  }

  void timesOfHalvesAddUp() {
    Session session;
    begin(session, apart(4), generator("drift:n=20000,d=2,k=4"));
    for (int half = 0; half < 16; ++half)
      QVERIFY(halfStep(session));
    const TimingSeries& timings = session.timings();
    for (const auto& [stage, variant] : std::map<Stage, std::string>{
             {Stage::classify, "cpu.v2"}, {Stage::reduce, "cpu.v1"}, {Stage::update, "update.v1"}}) {
      const TimingSeries::Row* row = timings.find(stage, variant);
      QVERIFY(row);
      QCOMPARE(row->series.samples().size(), std::size_t(6)); // of eight, two are warm-up
    }
    QCOMPARE(timings.iteration().samples().size(), std::size_t(6));
    // Sample by sample, the rows that are part of an iteration are its sum.
    for (std::size_t i = 0; i < 6; ++i) {
      double sum = 0;
      for (const TimingSeries::Row* row : timings.rows())
        if (row->inIteration) sum += row->series.samples().at(i);
      const double whole = timings.iteration().samples()[i];
      QVERIFY(std::abs(sum - whole) <= 1e-6 * whole);
    }
  }
};

QTEST_GUILESS_MAIN(TestSessionHalves)
#include "tst_session_halves.moc"
