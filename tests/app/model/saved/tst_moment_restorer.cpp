// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/projection/axes_finder.hpp"
#include "app/model/saved/moment_restorer.hpp"
#include "tests/app/model/session/session_halves.hpp"

#include <QFile>
#include <QTemporaryDir>

using namespace lloyd;

namespace {

/// A session with the axes of its drawing.
struct Side {
  Session session;
  AxesFinder axes{session};
  MomentRestorer restorer{session, axes};

  [[nodiscard]] Moment moment() const { return momentOf(session, axes); }
  /// Whether it came, and whole.
  bool restores(const Moment& moment) {
    QSignalSpy restored(&restorer, &MomentRestorer::restored);
    restorer.restore(moment);
    if (restored.isEmpty() && !restored.wait(30000)) return false;
    if (!restored[0][0].toBool()) return false;
    // Told before the result that it is of is shown.
    return QTest::qWaitFor([&] { return session.frame().labels != nullptr && !restorer.pending(); }, 30000);
  }
};

/// What is shown, but for the history, which begins anew.
State shown(const Session& session) {
  State state = stateOf(session);
  state.history = 0;
  return state;
}

} // namespace

/// Moments of a session, and the way back to them from anywhere.
class TestMomentRestorer : public QObject {
  Q_OBJECT
private slots:
  /// Reopened anywhere in a run, also halfway, it shows the same bits and goes on to the same ones.
  void aRunGoesOnWhereItWas_data() {
    QTest::addColumn<QString>("points");
    QTest::addColumn<int>("halves");
    for (const char* points : {"uniform:n=2000,d=3", "drift:n=1000,d=2,k=4"})
      for (const int halves : {0, 1, 2, 5, 8})
        QTest::addRow("%s after %d halves", points, halves) << QString::fromLatin1(points) << halves;
  }
  void aRunGoesOnWhereItWas() {
    QFETCH(QString, points);
    QFETCH(int, halves);
    Side first;
    begin(first.session, apart(5), generator(points.toStdString()));
    for (int half = 0; half < halves; ++half)
      QVERIFY(halfStep(first.session));
    Side second;
    QVERIFY(second.restores(first.moment()));
    QVERIFY(second.session.settings() == first.session.settings());
    QVERIFY(shown(second.session) == shown(first.session));
    for (int half = 0; half < 4; ++half) {
      QVERIFY(halfStep(first.session) && halfStep(second.session));
      QVERIFY(shown(second.session) == shown(first.session));
    }
  }

  /// The next classification tells which labels it changes: from those of the last one, not from those that a
  /// moved centroid has meanwhile.
  void aMovedCentroidIsStillMoved() {
    for (const int halves : {0, 2, 3}) {
      Side first;
      begin(first.session, apart(4), generator("uniform:n=2000,d=2"));
      for (int half = 0; half < halves; ++half)
        QVERIFY(halfStep(first.session));
      QVERIFY(published(first.session, [&] { first.session.moveCentroid(1, {50, 50}); }));
      Side second;
      QVERIFY(second.restores(first.moment()));
      QVERIFY(shown(second.session) == shown(first.session));
      for (int i = 0; i < 3; ++i) {
        QVERIFY(step(first.session) && step(second.session));
        QVERIFY(shown(second.session) == shown(first.session));
      }
    }
  }

  void aPlayingSessionWithOtherPointsIsBroughtThere() {
    Side first;
    begin(first.session, apart(3), sample("iris.csv"));
    QVERIFY(step(first.session) && step(first.session));
    first.axes.choose({{Axis::Kind::component, 0}, {Axis::Kind::component, 1}});
    QTRY_VERIFY(!first.axes.busy());
    Side second;
    begin(second.session, cpuSettings(6), generator("blobs:n=5000"));
    second.session.play();
    QTRY_VERIFY(second.session.converged());
    second.session.pause();
    QVERIFY(second.restores(first.moment()));
    QVERIFY(second.session.request() == first.session.request());
    QVERIFY(shown(second.session) == shown(first.session));
    QVERIFY(second.axes.axes() == first.axes.axes());
  }

  /// Back to other settings of the same points, without reading them again.
  void theSamePointsStay() {
    Side side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(step(side.session));
    const Moment before = side.moment();
    const State was = shown(side.session);
    const SharedPointSet points = side.session.data();
    QVERIFY(published(side.session, [&] { side.session.setSettings(apart(7)); }));
    QVERIFY(!(shown(side.session) == was));
    QVERIFY(side.restores(before));
    QCOMPARE(side.session.data(), points);
    QTRY_VERIFY(shown(side.session) == was);
  }

  void whatThisMachineLacksIsLeftToTheDefault() {
    Side first;
    begin(first.session, apart(3), sample("iris.csv"));
    QVERIFY(step(first.session));
    Moment moment = first.moment();
    moment.settings.selection.classify = "classify.v1"; // of GPUs alone
    Side second;
    QSignalSpy said(&second.session, &Session::message);
    QVERIFY(second.restores(moment));
    QVERIFY(!said.isEmpty() && said[0][1].toBool());
    QCOMPARE(second.session.settings().k, 3);
    QVERIFY(second.session.settings().selection == Selection{});
    QVERIFY(shown(second.session).labels == shown(first.session).labels);
    QVERIFY(shown(second.session).result.centroids == shown(first.session).result.centroids);
  }

  void pointsThatAreNotToBeHadChangeNothing() {
    Side side;
    begin(side.session, apart(3), sample("iris.csv"));
    QVERIFY(step(side.session));
    const State was = shown(side.session);
    Moment moment = side.moment();
    moment.settings.k = 9;
    moment.request.path = "/nowhere/at/all.csv";
    QSignalSpy dropped(&side.restorer, &MomentRestorer::dropped);
    side.restorer.restore(moment);
    QVERIFY(dropped.wait(30000));
    QVERIFY(!side.restorer.pending());
    QVERIFY(shown(side.session) == was);
    QCOMPARE(side.session.settings().k, 3);
  }

  /// A file with fewer columns than the run's centroids.
  void otherColumnsBeginARunOfTheirOwn() {
    QTemporaryDir folder;
    QFile file(folder.filePath("narrow.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x,y\n1,2\n3,4\n5,6\n9,9\n") > 0);
    file.close();
    Side first;
    begin(first.session, apart(3), sample("iris.csv"));
    QVERIFY(step(first.session));
    Moment moment = first.moment();
    moment.request.path = file.fileName().toStdString();
    Side second;
    QSignalSpy restored(&second.restorer, &MomentRestorer::restored);
    second.restorer.restore(moment);
    QTRY_VERIFY(second.session.last() != nullptr);
    QCOMPARE(restored.count(), 1);
    QVERIFY(!restored[0][0].toBool());
    QCOMPARE(second.session.last()->iteration, 0);
    QCOMPARE(second.session.last()->centroids.size(), std::size_t{6});
  }
};

QTEST_GUILESS_MAIN(TestMomentRestorer)
#include "tst_moment_restorer.moc"
