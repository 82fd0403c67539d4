// SPDX-License-Identifier: GPL-3.0-or-later
// Other starts that are tried unasked once a run has ended, and everything that they give way to.
#include "app/model/restarts/other_starts.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

using namespace lloyd;

namespace {

constexpr int patience = 20000; ///< milliseconds
constexpr int quiet = 300;      ///< in which nothing may come

struct Fixture {
  Session session;
  DeviceLease lease;
  bool mayTry = true;
  KRunPtr better;
  int tries = 0;
  std::unique_ptr<OtherStarts> others;

  explicit Fixture(int k = 3, const Init& init = {}) {
    Settings settings = cpuSettings(k);
    settings.init = init;
    session.setSettings(settings);
    others = std::make_unique<OtherStarts>(session, lease, [this] { return mayTry; });
    QObject::connect(others.get(), &OtherStarts::tried, [this](const KRunPtr& run, int) {
      better = run;
      ++tries;
    });
  }
  void open(const std::string& name) {
    DataRequest request;
    request.path = LLOYD_SOURCE_DIR "/resources/data/" + name;
    session.open(request);
  }
  bool ready() {
    return QTest::qWaitFor([&] { return session.data() && session.last(); }, patience);
  }
  bool plays() {
    if (!ready()) return false;
    session.play();
    return QTest::qWaitFor([&] { return session.converged(); }, patience);
  }
  bool tried(int times = 1) {
    return QTest::qWaitFor([&] { return tries == times; }, patience);
  }
  /// Nothing is tried, and nothing under way ends.
  bool stays() {
    QTest::qWait(quiet);
    return tries == 0 && !others->running();
  }
};

} // namespace

class TestOtherStarts : public QObject {
  Q_OBJECT
private slots:
  void irisEndsWhereItsBestStartEnds() {
    Fixture fixture;
    fixture.open("iris.csv");
    QVERIFY(fixture.plays());
    const double own = fixture.session.last()->inertia.value_or(0);
    QVERIFY2(own > 142 && own < 143, qPrintable(QString::number(own))); // seed 1
    QVERIFY(fixture.tried());
    QVERIFY(fixture.better);
    QVERIFY(std::abs(fixture.better->inertia() - 78.8514) < 1e-3);
    QVERIFY(fixture.lease.whyNot().isEmpty());
    adopt(fixture.session, *fixture.better);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.session.last() &&
                                 fixture.session.last()->centroids == fixture.better->result.centroids,
                             patience);
    QCOMPARE(fixture.session.settings().seed, fixture.better->seed);
    QVERIFY(fixture.session.converged());
    // The curve of its inertia is that of the whole run.
    const auto curve = [&] {
      std::vector<std::pair<int, double>> points;
      for (const IterationStats& past : fixture.session.history())
        points.emplace_back(past.iteration, past.inertia);
      return points;
    };
    const auto takenOver = curve();
    QVERIFY(takenOver.size() > 1);
    // Its seed leads to it, and k = 3 is not tried again.
    fixture.session.restart();
    QVERIFY(fixture.plays());
    QVERIFY(curve() == takenOver);
    QVERIFY(fixture.session.last()->centroids == fixture.better->result.centroids);
    QTest::qWait(quiet);
    QCOMPARE(fixture.tries, 1);
    // Another k is.
    Settings settings = fixture.session.settings();
    settings.k = 4;
    fixture.session.setSettings(settings);
    QVERIFY(fixture.plays());
    QVERIFY(fixture.tried(2));
  }

  void theBestStartStays() {
    Fixture fixture(2);
    fixture.open("faithful.csv");
    QVERIFY(fixture.plays());
    QVERIFY(fixture.tried());
    QVERIFY(!fixture.better);
  }

  void whatAPersonChoseIsLeftAlone() {
    Fixture seed;
    seed.open("iris.csv");
    QVERIFY(seed.ready());
    Settings settings = seed.session.settings();
    settings.seed = 11;
    seed.session.setSettings(settings);
    QVERIFY(seed.plays());
    QVERIFY(seed.stays());

    Fixture moved;
    moved.open("iris.csv");
    QVERIFY(moved.ready());
    moved.session.moveCentroid(0, {5, 3, 4, 1});
    moved.others->runTouched();
    QVERIFY(moved.plays());
    QVERIFY(moved.stays());

    Fixture off;
    off.others->setEnabled(false);
    off.open("iris.csv");
    QVERIFY(off.plays());
    QVERIFY(off.stays());

    Fixture elsewhere;
    elsewhere.mayTry = false;
    elsewhere.open("iris.csv");
    QVERIFY(elsewhere.plays());
    QVERIFY(elsewhere.stays());

    Fixture first(3, {.kind = InitKind::first, .given = {}, .path = {}});
    first.open("iris.csv");
    QVERIFY(first.plays());
    QVERIFY(first.stays());
  }

  /// As undo brings a seed back: with the settings of then.
  void aSeedThatWasFoundHereIsNobodysChoice() {
    Fixture fixture;
    fixture.open("iris.csv");
    QVERIFY(fixture.plays());
    QVERIFY(fixture.tried() && fixture.better);
    const std::uint64_t found = fixture.better->seed;
    adopt(fixture.session, *fixture.better);
    Settings settings = fixture.session.settings();
    settings.k = 5;
    fixture.session.setSettings(settings);
    QVERIFY(fixture.plays());
    QVERIFY(fixture.tried(2));
    if (fixture.better) adopt(fixture.session, *fixture.better);
    settings.k = 6;
    settings.seed = found;
    fixture.session.setSettings(settings);
    QVERIFY(!fixture.others->seedIsChosen());
    QVERIFY(fixture.plays());
    QVERIFY(fixture.tried(3));
    // The same seed is a person's once a person chooses it.
    fixture.others->seedChosen();
    QVERIFY(fixture.others->seedIsChosen());
    settings.k = 7;
    fixture.session.setSettings(settings);
    QVERIFY(fixture.plays());
    QTest::qWait(quiet);
    QCOMPARE(fixture.tries, 3);
    // And nobody's when it is handed back: others are tried at once.
    fixture.others->seedReturned();
    QVERIFY(fixture.tried(4));
  }

  void pointsFromElsewhereBeginWithTheFirstSeed() {
    Fixture fixture;
    fixture.open("iris.csv");
    QVERIFY(fixture.ready());
    Settings settings = fixture.session.settings();
    settings.seed = 11;
    fixture.session.setSettings(settings);
    // The same points in other columns go on with it.
    DataRequest fewer = fixture.session.request();
    fewer.columns = {"0", "1"};
    fixture.session.open(fewer);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.session.data()->d, 2, patience);
    QCOMPARE(fixture.session.settings().seed, std::uint64_t{11});
    fixture.open("faithful.csv");
    QTRY_COMPARE_WITH_TIMEOUT(fixture.session.data()->n, std::size_t{272}, patience);
    QCOMPARE(fixture.session.settings().seed, std::uint64_t{1});
    QVERIFY(fixture.plays());
    QVERIFY(fixture.tried());
  }

  /// Whoever may not be tried is said to.
  void whyNoneAreTriedIsSaid() {
    Fixture fixture;
    QVERIFY(fixture.others->whyNot().isEmpty());
    fixture.open("iris.csv");
    QVERIFY(fixture.ready());
    QVERIFY(fixture.others->whyNot().isEmpty());
    const QSignalSpy changed(fixture.others.get(), &OtherStarts::changed);
    Settings settings = fixture.session.settings();
    settings.init.kind = InitKind::first;
    fixture.session.setSettings(settings);
    QVERIFY(!changed.isEmpty());
    QVERIFY2(fixture.others->whyNot().contains("chance"), qPrintable(fixture.others->whyNot()));
    settings.init = {};
    settings.k = 1;
    fixture.session.setSettings(settings);
    QVERIFY2(fixture.others->whyNot().contains("One cluster"), qPrintable(fixture.others->whyNot()));
    fixture.session.open(generator("drift:n=2000,k=2"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.session.data() && fixture.session.data()->drift, patience);
    QVERIFY2(fixture.others->whyNot().contains("move"), qPrintable(fixture.others->whyNot()));
  }

  /// Whoever steps looks at every iteration.
  void aRunThatIsSteppedIsLeftAlone() {
    Fixture fixture;
    fixture.open("iris.csv");
    QVERIFY(fixture.ready());
    for (int i = 0; i < 40 && !fixture.session.converged(); ++i) {
      const int before = fixture.session.last()->iteration;
      fixture.session.step();
      QTRY_VERIFY_WITH_TIMEOUT(fixture.session.last()->iteration > before || fixture.session.converged(),
                               patience);
    }
    QVERIFY(fixture.session.converged());
    QVERIFY(fixture.stays());
  }

  void aMeasurementKeepsTheMachine() {
    Fixture fixture;
    fixture.open("iris.csv");
    const DeviceLease::Hold hold = fixture.lease.take("measuring");
    QVERIFY(fixture.plays());
    QVERIFY(fixture.stays());
  }

  void aChangeEndsThem() {
    Fixture fixture(40);
    fixture.session.open(generator("uniform:n=3000,d=3"));
    QVERIFY(fixture.plays());
    QVERIFY(fixture.others->running()); // nothing was delivered since it began
    fixture.session.pause();
    QVERIFY(!fixture.others->running());
    QVERIFY(fixture.stays());
  }

  void muchWorkIsNotDoneUnasked() {
    QVERIFY(OtherStarts::quick({.n = 150, .d = 4, .k = 3}, 20));
    QVERIFY(!OtherStarts::quick({.n = 10'000'000, .d = 3, .k = 16}, 30));
  }
};

QTEST_GUILESS_MAIN(TestOtherStarts)
#include "tst_other_starts.moc"
