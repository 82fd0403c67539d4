// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/model/session/session_halves.hpp"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace lloyd;

/// What a person does between the halves of an iteration, and between iterations.
class TestSessionBetween : public QObject {
  Q_OBJECT
private slots:
  void nothingAskedForInBetweenChangesTheResult() {
    Session session;
    Session other;
    begin(session, apart(4), generator("drift:n=1000,d=2,k=4"));
    begin(other, apart(4), generator("drift:n=1000,d=2,k=4"));
    const auto labels = [](Session& of) {
      std::vector<Label> all;
      of.fetchLabels([&](std::vector<Label> fetched, const IterationPtr&) { all = std::move(fetched); });
      return QTest::qWaitFor([&] { return !all.empty(); }, 10000) ? all : std::vector<Label>();
    };
    for (int half = 0; half < 5; ++half) {
      QVERIFY(halfStep(session));
      QVERIFY(halfStep(other));
      const bool halfway = session.last()->halfway;
      const std::vector<Label> fetched = labels(session);
      // Halfway the labels seen are those of the present centroids; after the update they are not.
      QCOMPARE(fetched.size(), std::size_t(1000));
      if (halfway) QCOMPARE(fetched, stateOf(session).labels);
      QVERIFY(published(session, [&] { session.surfaceChanged(); })); // everything is sent anew
      QVERIFY(stateOf(session) == stateOf(other));
    }
  }

  void askingForLabelsDoesNotEndARun() {
    Session session;
    begin(session, apart(5), generator("uniform:n=3000,d=2"));
    QVERIFY(step(session));
    bool fetched = false;
    session.fetchLabels([&](const std::vector<Label>&, const IterationPtr&) { fetched = true; });
    QTRY_VERIFY(fetched);
    QVERIFY(step(session));
    QVERIFY(session.last()->anyChanged);
    QVERIFY(*session.last()->changed > 0);
    QVERIFY(!session.converged());
  }

  void variantsMayChangeBetweenHalves() {
    const std::vector<std::pair<std::string, std::string>> choices{
        {"cpu.v1", "cpu.v1"}, {"", ""}, {"cpu.v2", "cpu.v2"}};
    Session session;
    begin(session, apart(5), generator("uniform:n=2000,d=2"));
    Session plain;
    begin(plain, apart(5), generator("uniform:n=2000,d=2"));
    for (int half = 0; half < 6; ++half) {
      Settings settings = cpuSettings(5);
      settings.selection.classify = choices[static_cast<std::size_t>(half) % 3].first;
      settings.selection.reduce = choices[static_cast<std::size_t>(half) % 3].second;
      QVERIFY(published(session, [&] { session.setSettings(settings); }));
      QVERIFY(halfStep(session));
      QVERIFY(halfStep(plain));
      QCOMPARE(session.last()->halfway, half % 2 == 0);
      QCOMPARE(stateOf(session).labels, stateOf(plain).labels);
      QCOMPARE(session.last()->sizes, plain.last()->sizes);
      for (std::size_t i = 0; i < plain.last()->centroids.size(); ++i) {
        const double difference = std::abs(static_cast<double>(session.last()->centroids[i]) -
                                           static_cast<double>(plain.last()->centroids[i]));
        QVERIFY(difference <= 1e-4);
      }
    }
  }

  void aCentroidMovedHalfwayTakesTheHalfBack() {
    Session session;
    begin(session, apart(4), generator("uniform:n=2000,d=2"));
    QVERIFY(step(session));
    QVERIFY(halfStep(session));
    std::vector<float> moved = session.last()->centroids;
    moved[0] += 0.3f;
    QVERIFY(published(session, [&] { session.moveCentroid(0, {moved[0], moved[1]}); }));
    QVERIFY(!session.last()->halfway);
    QCOMPARE(session.nextHalf(), Half::classify);
    QCOMPARE(session.last()->iteration, 1);
    QVERIFY(halfStep(session));
    QCOMPARE(session.last()->iteration, 2);
    QCOMPARE(session.last()->usedCentroids, moved);
    QVERIFY(session.last()->anyChanged);
    const State half = stateOf(session);
    QVERIFY(halfStep(session));
    QVERIFY(stepBack(session));
    QVERIFY(stateOf(session) == half);
    QVERIFY(stepBack(session));
    QCOMPARE(session.last()->centroids, moved);
    QCOMPARE(session.last()->iteration, 1);
  }

  void aCentroidMovedByHandChangesLabelsAndEndsNothing() {
    Session session;
    begin(session, apart(4), generator("blobs:n=2000,d=2,k=4"));
    QSignalSpy done(&session, &Session::convergedNow);
    session.play();
    QVERIFY(done.wait(10000));
    session.pause();
    const std::vector<float> centroids = session.last()->centroids;
    QVERIFY(published(session, [&] { session.moveCentroid(0, {centroids[2], centroids[3]}); }));
    QVERIFY(!session.converged());
    QVERIFY(step(session));
    QVERIFY(session.last()->anyChanged);
    QVERIFY(!session.converged());
  }

  void aNewRunHasNoPast() {
    Session session;
    begin(session, apart(4), generator("blobs:n=2000,d=2,k=4"));
    QVERIFY(halfStep(session));
    QVERIFY(published(session, [&] { session.restart(); }));
    QCOMPARE(session.last()->iteration, 0);
    QVERIFY(!session.last()->halfway);
    QVERIFY(!session.canStepBack());
    QCOMPARE(session.nextHalf(), Half::classify);
    QVERIFY(step(session));
    Settings more = session.settings();
    more.k = 5;
    QVERIFY(published(session, [&] { session.setSettings(more); }));
    QVERIFY(!session.canStepBack());
    QCOMPARE(session.last()->iteration, 0);
  }

  void goingBackWhilePlayingPauses() {
    Session session;
    begin(session, cpuSettings(4), generator("drift:n=1000,d=2,k=4"));
    session.play();
    QTRY_VERIFY(session.last()->iteration > 5);
    session.stepBack();
    QTRY_VERIFY(session.last()->halfway);
    QVERIFY(!session.playing());
    QCOMPARE(static_cast<int>(session.history().size()), session.last()->iteration - 1);
  }
};

QTEST_GUILESS_MAIN(TestSessionBetween)
#include "tst_session_between.moc"
