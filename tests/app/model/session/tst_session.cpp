// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/session.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lloyd;

/// The state machine behind the window, driven as a person drives it and without a window.
class TestSession : public QObject {
  Q_OBJECT
private slots:
  void runsToConvergence() {
    Session session;
    session.setSettings(cpuSettings(3));
    QSignalSpy done(&session, &Session::convergedNow);
    session.open(sample("iris.csv"));
    session.play();
    QVERIFY(done.wait(10000));
    QCOMPARE(session.history().back().iteration, done.front().front().toInt());
    QVERIFY(session.converged());
    for (std::size_t i = 1; i < session.history().size(); ++i)
      QVERIFY(session.history()[i].inertia <= session.history()[i - 1].inertia * (1 + 1e-9));
    QVERIFY(session.timings().find(Stage::fused, "cpu.v3"));
  }

  void showsLabelsBeforeTheFirstIteration() {
    Session session;
    session.setSettings(cpuSettings(4));
    QSignalSpy shown(&session, &Session::iterated);
    session.open(generator("blobs:n=500,d=2,k=4"));
    QVERIFY(shown.wait(10000));
    QCOMPARE(session.last()->iteration, 0);
    QCOMPARE(session.frame().labels->size(), std::size_t(500));
    for (const Label label : *session.frame().labels)
      QVERIFY(label >= 0 && label < 4);
    QCOMPARE(session.state(), Session::State::paused);
  }

  void itsStateIsThatOfWhatIsWanted() {
    Session session;
    QCOMPARE(session.state(), Session::State::empty);
    session.setSettings(cpuSettings(3));
    bool open = false;
    session.setIterationBarrier([&] { return open; });
    session.open(sample("iris.csv"));
    QTRY_VERIFY_WITH_TIMEOUT(session.last() != nullptr, 10000);
    QCOMPARE(session.state(), Session::State::paused);
    session.play(); // and waits
    QVERIFY(session.playing());
    QCOMPARE(session.state(), Session::State::playing);
    open = true;
    session.barrierMoved();
    QTRY_VERIFY_WITH_TIMEOUT(session.converged(), 10000);
    QVERIFY(session.playing());
    QCOMPARE(session.state(), Session::State::converged);
    session.pause();
    QCOMPARE(session.state(), Session::State::paused);
  }

  void stepsOneIterationAtATime() {
    Session session;
    session.setSettings(cpuSettings(5));
    QSignalSpy shown(&session, &Session::iterated);
    session.open(generator("uniform:n=2000,d=2"));
    QTRY_COMPARE(shown.count(), 1);
    session.step();
    QTRY_COMPARE(shown.count(), 2);
    QCOMPARE(session.last()->iteration, 1);
    QCOMPARE(*session.last()->changed, std::uint64_t(2000));
    session.step();
    QTRY_COMPARE(shown.count(), 3);
    QCOMPARE(session.last()->iteration, 2);
    QTest::qWait(100);
    QCOMPARE(shown.count(), 3);
  }

  void sameSeedSameResult() {
    const auto inertias = [](std::uint64_t seed) {
      Session session;
      Settings settings = cpuSettings(6);
      settings.seed = seed;
      session.setSettings(settings);
      QSignalSpy done(&session, &Session::convergedNow);
      session.open(generator("blobs:n=3000,d=3,k=6"));
      session.play();
      if (!done.wait(10000)) return std::vector<double>();
      std::vector<double> all;
      for (const auto& result : session.history())
        all.push_back(result.inertia);
      return all;
    };
    const auto first = inertias(1);
    QVERIFY(!first.empty());
    QCOMPARE(inertias(1), first);
    QVERIFY(inertias(2) != first);
  }

  void changesKWhilePlaying() {
    Session session;
    session.setSettings(cpuSettings(4));
    QSignalSpy shown(&session, &Session::iterated);
    session.open(generator("drift:n=2000,d=2"));
    session.play();
    QTRY_VERIFY(shown.count() > 5);
    session.setSettings(cpuSettings(9));
    QTRY_COMPARE(session.last() ? session.last()->sizes.size() : 0, std::size_t(9));
    QTRY_VERIFY(session.last() && session.last()->iteration > 3);
    QVERIFY(session.playing());
  }

  void limitsKToThePointsAndSaysSo() {
    Session session;
    session.setSettings(cpuSettings(16));
    session.open(generator("uniform:n=7,d=2"));
    QTRY_VERIFY(session.last());
    QCOMPARE(session.settings().k, 7);
    QVERIFY(session.limitsK());
    // Who asks for too many again is told again what there is.
    QSignalSpy changed(&session, &Session::settingsChanged);
    Settings many = session.settings();
    many.k = 9;
    session.setSettings(many);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(session.settings().k, 7);
    many.k = 6;
    session.setSettings(many);
    QVERIFY(!session.limitsK());
  }

  void kComesBackWithEnoughPoints() {
    Session session;
    session.setSettings(cpuSettings(16));
    session.open(generator("uniform:n=7,d=2"));
    QTRY_COMPARE(session.last() ? session.last()->sizes.size() : 0, std::size_t(7));
    session.open(generator("uniform:n=700,d=2"));
    QTRY_COMPARE(session.last() ? session.last()->sizes.size() : 0, std::size_t(16));
    QCOMPARE(session.settings().k, 16);
    // A person's own number is the wish from then on.
    Settings fewer = session.settings();
    fewer.k = 5;
    session.setSettings(fewer);
    session.open(generator("uniform:n=900,d=2"));
    QTRY_COMPARE(session.last() ? session.last()->sizes.size() : 0, std::size_t(5));
  }

  void timesOfAnotherProblemAreForgotten() {
    Session session;
    session.setSettings(cpuSettings(4));
    session.open(generator("drift:n=2000,d=2"));
    session.play();
    const auto samples = [&] {
      const auto* row = session.timings().find(Stage::fused, "cpu.v3");
      return row ? row->series.samples().size() : 0;
    };
    QTRY_VERIFY(samples() > 30);
    session.setSettings(cpuSettings(9));
    QTRY_COMPARE(session.last() ? session.last()->sizes.size() : 0, std::size_t(9));
    QVERIFY2(samples() < 30, qPrintable(QString::number(samples())));
    QVERIFY(session.timings().find(Stage::load, "")); // which belongs to the data
    QTRY_VERIFY(samples() > 30);
    session.restart();
    QTRY_VERIFY(session.last() && session.last()->iteration > 0);
    QVERIFY(samples() > 30); // the same problem again
  }

  void anImpossibleVariantIsRefusedInWordsAndTheRunGoesOn() {
    Session session;
    session.setSettings(cpuSettings(4));
    QSignalSpy messages(&session, &Session::message);
    session.open(generator("drift:n=1000,d=2"));
    session.play();
    QTRY_VERIFY(session.last() && session.last()->iteration > 2);
    Settings wrong = session.settings();
    wrong.selection.classify = "classify.v99";
    session.setSettings(wrong);
    QTRY_VERIFY(messages.count() > 0);
    QVERIFY(messages.back().front().toString().contains("classify.v99"));
    QCOMPARE(session.settings().selection.classify, std::string());
    const int before = session.last() ? session.last()->iteration : 0;
    QTRY_VERIFY(session.last() && session.last()->iteration > before);
  }

  void changesVariantWhilePlaying() {
    Session session;
    session.setSettings(cpuSettings(4));
    session.open(generator("drift:n=1000,d=2"));
    session.play();
    QTRY_VERIFY(session.last() && session.last()->iteration > 2);
    Settings apart = session.settings();
    apart.selection.classify = "cpu.v1";
    apart.selection.reduce = "cpu.v2";
    session.setSettings(apart);
    QTRY_VERIFY(session.timings().find(Stage::reduce, "cpu.v2"));
    QVERIFY(session.timings().find(Stage::classify, "cpu.v1"));
    QTRY_COMPARE(session.plan().fused, static_cast<const Variant*>(nullptr));
  }

  void aBrokenFileKeepsTheLastGoodData() {
    Session session;
    session.setSettings(cpuSettings(3));
    session.open(sample("iris.csv"));
    QTRY_VERIFY(session.last());
    QTemporaryDir folder;
    QFile broken(folder.filePath("broken.csv"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("a,b\n1,2\n3\n");
    broken.close();
    QSignalSpy messages(&session, &Session::message);
    DataRequest request;
    request.path = broken.fileName().toStdString();
    session.open(request);
    QTRY_COMPARE(messages.count(), 1);
    QVERIFY(messages.front().at(1).toBool());
    QVERIFY2(messages.front().front().toString().contains("broken.csv"),
             qPrintable(messages.front().front().toString()));
    QCOMPARE(session.data()->n, std::size_t(150));
    session.step();
    QTRY_COMPARE(session.last()->iteration, 1);
  }

  void loadingCanBeCancelled() {
    Session session;
    session.setSettings(cpuSettings(3));
    QSignalSpy ended(&session, &Session::loadEnded);
    session.open(generator("blobs:n=2^24,d=3,k=16"));
    QVERIFY(session.loading());
    session.cancelLoading();
    QVERIFY(!session.loading());
    QCOMPARE(ended.count(), 1);
    QVERIFY(!session.data());
  }

  void aMovedCentroidRecovers() {
    Session session;
    session.setSettings(cpuSettings(4));
    QSignalSpy done(&session, &Session::convergedNow);
    session.open(generator("blobs:n=2000,d=2,k=4"));
    session.play();
    QVERIFY(done.wait(10000));
    const auto before = session.last()->centroids;
    session.moveCentroid(0, {before[0] + 3, before[1] - 2});
    QVERIFY(done.wait(10000));
    QVERIFY(std::abs(session.last()->centroids[0] - before[0]) < 3);
  }

  void labelsBelongToTheCentroids() {
    Session session;
    session.setSettings(cpuSettings(3));
    session.open(sample("faithful.csv"));
    QTRY_VERIFY(session.last());
    session.step();
    QTRY_COMPARE(session.last()->iteration, 1);
    std::vector<Label> labels;
    IterationPtr result;
    session.fetchLabels([&](std::vector<Label> fetched, IterationPtr at) {
      labels = std::move(fetched);
      result = std::move(at);
    });
    QTRY_VERIFY(result);
    std::vector<std::uint32_t> sizes(3);
    for (const Label label : labels)
      ++sizes.at(static_cast<std::size_t>(label));
    QCOMPARE(sizes, result->sizes);
    QCOMPARE(result->usedCentroids, result->centroids);
  }

  void closingWhileEverythingRuns() {
    for (int i = 0; i < 5; ++i) {
      Session session;
      session.setSettings(cpuSettings(16));
      session.open(generator("drift:n=200000,d=3"));
      session.play();
      QTest::qWait(i * 60);
      session.open(generator("blobs:n=4000000,d=3"));
    }
  }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
