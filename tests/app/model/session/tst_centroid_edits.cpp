// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/centroid_edits.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>

namespace lloyd {

/// Centroids added and removed in sessions that play, pause and rest.
class TestCentroidEdits : public QObject {
  Q_OBJECT

  struct Side {
    explicit Side(const char* points, int k, BackendRequest backend = BackendRequest::cpu) {
      Settings settings = cpuSettings(k);
      settings.backend = backend;
      session.setSettings(settings);
      session.open(generator(points));
      QObject::connect(&edits, &CentroidEdits::refused, &edits,
                       [this](const QString& text) { refused = text; });
    }
    [[nodiscard]] bool waits(const std::function<bool()>& until) const {
      return QTest::qWaitFor(until, 20000);
    }
    [[nodiscard]] bool starts() {
      return waits([this] { return session.last() && session.state() == Session::State::paused; });
    }
    [[nodiscard]] int clusters() const {
      const auto last = session.last();
      return last ? static_cast<int>(last->sizes.size()) : 0;
    }
    [[nodiscard]] bool has(int k) {
      return waits([this, k] { return clusters() == k && session.settings().k == k; });
    }
    [[nodiscard]] bool steps() {
      const int wanted = session.last()->iteration + 1;
      session.step();
      return waits([this, wanted] { return session.last() && session.last()->iteration == wanted; });
    }
    Session session;
    DeviceLease lease;
    CentroidEdits edits{session, lease};
    QString refused;
  };

  static std::vector<float> rowOf(const Session& session, int cluster) {
    const auto d = static_cast<std::ptrdiff_t>(session.data()->d);
    const auto first = session.last()->centroids.begin() + cluster * d;
    return {first, first + d};
  }

private slots:
  void pausedItIsThereAtOnceAndNothingElseMoves() {
    Side side("blobs:n=2000,d=2,k=4", 4);
    QVERIFY(side.starts() && side.steps() && side.steps());
    QSignalSpy seeded(&side.session, &Session::seeded);
    QSignalSpy adopted(&side.session, &Session::stateAdopted);
    QSignalSpy changing(&side.session, &Session::changing);
    const std::vector<float> before = side.session.last()->centroids;
    QVERIFY(!side.session.byHand());
    side.edits.add({30, 40});
    QVERIFY(side.refused.isEmpty());
    QVERIFY(side.has(5));
    std::vector<float> expected = before;
    expected.insert(expected.end(), {30, 40});
    QCOMPARE(side.session.last()->centroids, expected);
    QCOMPARE(side.session.last()->iteration, 2);
    QVERIFY(side.session.last()->sizes.back() > 0); // its points are seen
    QVERIFY(side.session.byHand() && !side.session.converged());
    QCOMPARE(seeded.count(), 0);
    QCOMPARE(adopted.count(), 1);
    QCOMPARE(changing.count(), 1);
    QCOMPARE(side.session.state(), Session::State::paused);
    const ShownLabels shown = side.session.labels();
    const auto counted = std::ranges::count(shown.labels, Label{4});
    QCOMPARE(static_cast<std::uint32_t>(counted), side.session.last()->sizes.back());
    QVERIFY(side.steps());
    QCOMPARE(side.session.last()->iteration, 3);
    QCOMPARE(side.session.last()->usedCentroids, expected);
    QVERIFY(side.session.last()->centroids != expected);
  }

  void removingMakesTheOthersCloseTheRank() {
    Side side("blobs:n=2000,d=3,k=5", 5);
    QVERIFY(side.starts() && side.steps());
    const auto third = rowOf(side.session, 3), first = rowOf(side.session, 1);
    QSignalSpy renumbering(&side.edits, &CentroidEdits::renumbering);
    QSignalSpy edited(&side.edits, &CentroidEdits::edited);
    side.edits.remove(2);
    QVERIFY(side.has(4));
    QCOMPARE(rowOf(side.session, 2), third);
    QCOMPARE(rowOf(side.session, 1), first);
    QCOMPARE(renumbering.front()[0].value<std::vector<int>>(), (std::vector<int>{0, 1, 3, 4}));
    QVERIFY2(edited.front()[1].toString().contains("k = 4"), qPrintable(edited.front()[1].toString()));
    side.edits.remove(0);
    QVERIFY(side.has(3));
    QCOMPARE(rowOf(side.session, 0), first);
  }

  void whatPlaysPlaysOn_data() {
    QTest::addColumn<bool>("cpu");
    QTest::newRow("cpu") << true;
    QTest::newRow("simulator") << false;
  }
  void whatPlaysPlaysOn() {
    QFETCH(bool, cpu);
    Side side(cpu ? "uniform:n=20000,d=2" : "uniform:n=400,d=2", 8,
              cpu ? BackendRequest::cpu : BackendRequest::simt);
    QVERIFY(side.starts());
    side.session.play();
    QVERIFY(side.waits([&] { return side.session.last()->iteration >= 3; }));
    const int before = side.session.last()->iteration;
    side.edits.add({0.5F, 0.5F});
    QVERIFY2(side.refused.isEmpty(), qPrintable(side.refused));
    QVERIFY(side.has(9));
    QVERIFY(side.waits([&] { return side.session.last()->iteration > before + 1; }));
    QVERIFY(side.session.playing());
    side.edits.remove(8);
    side.edits.remove(0); // before the first has been taken up
    QVERIFY(side.has(7));
    QVERIFY(side.waits([&] { return side.session.converged(); }));
    QCOMPARE(side.clusters(), 7);
  }

  void aRunThatHasEndedGoesOn() {
    Side side("blobs:n=1500,d=2,k=3", 3);
    QVERIFY(side.starts());
    side.session.play();
    QVERIFY(side.waits([&] { return side.session.converged(); }));
    const int ended = side.session.last()->iteration;
    side.edits.add({1, 1});
    QVERIFY(side.waits([&] { return side.session.converged() && side.clusters() == 4; }));
    QVERIFY(side.session.last()->iteration > ended);
    // With a tolerance too, which what stands still is within.
    Settings settings = side.session.settings();
    settings.tolerance = 1e-3;
    side.session.setSettings(settings);
    side.session.pause();
    side.edits.add({90, 90});
    QVERIFY(side.has(5));
    QVERIFY(!side.session.converged());
  }

  void halfwayTheFirstHalfIsTakenBack() {
    Side side("blobs:n=1500,d=2,k=3", 3);
    QVERIFY(side.starts() && side.steps());
    const auto before = side.session.last()->centroids;
    side.session.halfStep();
    QVERIFY(side.waits([&] { return side.session.last()->halfway; }));
    side.edits.remove(1);
    QVERIFY(side.has(2));
    QVERIFY(!side.session.last()->halfway);
    QCOMPARE(side.session.last()->iteration, 1);
    QCOMPARE(side.session.nextHalf(), Half::classify);
    QCOMPARE(rowOf(side.session, 0), (std::vector<float>(before.begin(), before.begin() + 2)));
  }

  void whatWasMovedJustNowStaysMoved() {
    Side side("blobs:n=1500,d=2,k=3", 3);
    QVERIFY(side.starts() && side.steps());
    side.session.moveCentroid(0, {7, 8});
    side.edits.add({20, 30});
    QVERIFY(side.has(4));
    QCOMPARE(rowOf(side.session, 0), (std::vector<float>{7, 8}));
    QCOMPARE(rowOf(side.session, 3), (std::vector<float>{20, 30}));
  }

  void refusalsSayWhy() {
    Side side("uniform:n=3,d=2", 2);
    side.edits.add({1, 1});
    QVERIFY2(side.refused.contains("no points"), qPrintable(side.refused));
    QVERIFY(side.starts());
    side.edits.add({1, 1, 1});
    QVERIFY2(side.refused.contains("2 coordinates"), qPrintable(side.refused));
    side.edits.add({1, std::numeric_limits<float>::quiet_NaN()});
    QVERIFY(side.refused.contains("2 coordinates"));
    side.edits.remove(-1);
    QVERIFY2(side.refused.contains("No centroid is selected"), qPrintable(side.refused));
    side.refused.clear();
    side.edits.add({1, 1});
    QVERIFY(side.refused.isEmpty() && side.has(3));
    side.edits.add({2, 1});
    QVERIFY2(side.refused.contains("as many centroids as points"), qPrintable(side.refused));
    side.refused.clear();
    side.edits.remove(0);
    side.edits.remove(0);
    QVERIFY(side.refused.isEmpty() && side.has(1));
    side.edits.remove(0);
    QVERIFY2(side.refused.contains("at least 1"), qPrintable(side.refused));
    const auto hold = side.lease.take("A race is running.");
    side.edits.add({2, 1});
    QCOMPARE(side.refused, QStringLiteral("A race is running."));
  }

  void aVariantThatCannotIsNamedAndNothingChanges() {
    Side side("blobs:n=500,d=2,k=4", 4, BackendRequest::simt);
    QVERIFY(side.starts());
    Settings settings = side.session.settings();
    settings.selection.classify = "distance.v3";
    side.session.setSettings(settings);
    QTRY_VERIFY_WITH_TIMEOUT(side.session.state() == Session::State::paused, 20000);
    // Whatever the variant allows, k and the centroids are of one size afterwards.
    for (int i = 0; i < 5; ++i) {
      side.edits.add({static_cast<float>(i), 1});
      QTRY_VERIFY_WITH_TIMEOUT(side.clusters() == side.session.settings().k, 20000);
    }
  }

  void centroidsOfAFileSetNoKAnyMore() {
    Side side("blobs:n=500,d=2,k=4", 2);
    QVERIFY(side.starts());
    Settings settings = side.session.settings();
    settings.init = {.kind = InitKind::given, .given = {1, 1, 2, 2}, .path = "two.csv"};
    side.session.setSettings(settings);
    QVERIFY(side.waits(
        [&] { return side.session.last() && side.session.last()->centroids == settings.init.given; }));
    QSignalSpy edited(&side.edits, &CentroidEdits::edited);
    side.edits.add({3, 3});
    QVERIFY(side.has(3));
    QVERIFY(side.session.settings().init.kind != InitKind::given);
    QVERIFY(edited.front()[1].toString().contains("kmeans++"));
    side.session.restart();
    QVERIFY(side.waits([&] { return !side.session.byHand() && side.clusters() == 3; }));
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestCentroidEdits)
#include "tst_centroid_edits.moc"
