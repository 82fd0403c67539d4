// SPDX-License-Identifier: GPL-3.0-or-later
// Races beside a session. Nothing here depends on how fast this machine is.
#include "app/model/race/race_runner.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace lloyd;

namespace {

void labelAllZero(const ClassifyArgs& args, LaunchContext&) { std::fill_n(args.labels, args.problem.n, 0); }

constexpr int patience = 20000; ///< milliseconds
constexpr const char* moving = "drift:n=2000,d=2,k=5";
constexpr const char* still = "blobs:n=2000,d=2,k=5";

} // namespace

class TestRaceRunner : public QObject {
  Q_OBJECT

  struct Racing {
    Session session;
    DeviceLease lease;
    RaceRunner runner;
    QSignalSpy ended;
    QSignalSpy messages;
    explicit Racing(const std::string& data, const KMeansRunner::DeviceFactory& factory = chooseDevice,
                    BackendRequest backend = BackendRequest::cpu)
        : runner(session, lease, nullptr, factory), ended(&runner, &RaceRunner::ended),
          messages(&runner, &RaceRunner::message) {
      Settings settings = cpuSettings(4);
      settings.backend = backend;
      session.setSettings(settings);
      session.open(generator(data));
    }
    bool ready() {
      return QTest::qWaitFor([&] { return session.data() && session.last(); }, patience);
    }
    bool over() {
      return QTest::qWaitFor([&] { return !runner.running(); }, patience);
    }
    /// A short race, or one that ends only when it is told to.
    RaceRequest request(bool endless = false) const {
      RaceRequest request;
      request.candidates = runner.raceable();
      request.options.rounds = 5;
      request.options.analyses = 1;
      request.options.budgetSeconds = 0;
      request.options.warmUpSeconds = 0.02;
      request.options.sampleUs = 20;
      if (endless) {
        request.options.rounds = 1000000;
        request.options.budgetSeconds = 1000;
      }
      return request;
    }
    /// Waits until an endless race has had rounds enough to be shown.
    bool underWay() {
      std::size_t round = 0;
      connect(&runner, &RaceRunner::progressed, &runner,
              [&round](const RaceProgress& progress) { round = progress.round; });
      const bool well = QTest::qWaitFor([&] { return round >= 2; }, patience);
      runner.disconnect(SIGNAL(progressed(lloyd::RaceProgress)));
      return well;
    }
    QString said() const { return messages.isEmpty() ? QString() : messages.last().first().toString(); }
  };

private slots:
  void everyStageOfEveryVariantIsRaceable() {
    const Racing racing(still);
    std::size_t wanted = 0;
    for (const Variant* variant : Registry::instance().all())
      for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout})
        wanted += variant->has(stage) ? 1 : 0;
    QCOMPARE(racing.runner.raceable().size(), wanted);
  }

  void everythingThatRunsIsVerifiedAndRanked() {
    Racing racing(still);
    QVERIFY(!racing.runner.whyNot().isEmpty()); // no data yet
    QVERIFY(racing.ready());
    QCOMPARE(racing.runner.whyNot(), QString());
    racing.runner.start(racing.request());
    QVERIFY(racing.runner.running());
    QVERIFY(!racing.runner.whyNot().isEmpty()); // one at a time
    QVERIFY(racing.over());
    QCOMPARE(racing.ended.count(), 1);
    const RaceResultPtr result = racing.runner.last();
    QVERIFY(result && result->finished);
    QCOMPARE(result->source, std::string(still));
    QCOMPARE(result->rows.size(), racing.runner.raceable().size());
    std::size_t ran = 0;
    for (const Measurement& m : result->rows) {
      if (!m.skipped.empty()) {
        QVERIFY(!m.candidate.variant->on(Backend::cpu).has(m.candidate.stage));
        continue;
      }
      ++ran;
      QVERIFY2(m.verified, m.difference.c_str());
      QVERIFY(m.rank >= 1);
    }
    QVERIFY(ran >= 6);
    QCOMPARE(racing.runner.past().size(), std::size_t{1});
    QVERIFY(racing.runner.whatChanged().isEmpty());
    Settings settings = racing.session.settings();
    settings.k = 3;
    racing.session.setSettings(settings);
    QCOMPARE(racing.runner.whatChanged(), QStringLiteral("k was 4"));
  }

  /// Schedules race when somebody names them; behind the race a run of each is recorded.
  void schedulesAreRecordedBehindTheRace() {
    Racing racing(still);
    QVERIFY(racing.ready());
    RaceRequest request = racing.request();
    request.candidates = racing.runner.schedules();
    QCOMPARE(request.candidates.size(), std::size_t{6});
    std::size_t early = 0;
    connect(&racing.runner, &RaceRunner::updated, &racing.runner, [&](const RaceResultPtr& result) {
      if (!result->finished) early += result->recorded.size();
    });
    racing.runner.start(request);
    QVERIFY(racing.over());
    const RaceResultPtr result = racing.runner.last();
    QVERIFY(result && result->finished);
    QCOMPARE(early, std::size_t{0});
    QCOMPARE(result->recorded.size(), std::size_t{6});
    for (std::size_t i = 0; i < 6; ++i) {
      QVERIFY2(result->rows[i].verified, result->rows[i].difference.c_str());
      QVERIFY(sameCandidate(result->recorded[i].candidate, result->rows[i].candidate));
      QVERIFY2(result->recorded[i].timeline, result->recorded[i].why.c_str());
      QVERIFY(result->recorded[i].timeline->hasSeconds());
    }
    racing.runner.start(racing.request()); // of others
    QVERIFY(racing.over());
    QVERIFY(racing.runner.last()->recorded.empty());
  }

  void playingPausesAndGoesOn() {
    Racing racing(moving);
    QVERIFY(racing.ready());
    racing.session.play();
    racing.runner.start(racing.request());
    QVERIFY(!racing.session.playing());
    QVERIFY(racing.over());
    QVERIFY(racing.session.playing());
    QVERIFY(racing.runner.last() && racing.runner.last()->finished);
    // What rested before goes on resting.
    racing.session.pause();
    racing.runner.start(racing.request());
    QVERIFY(racing.over());
    QVERIFY(!racing.session.playing());
  }

  void aCancelledRaceKeepsWhatItMeasured() {
    Racing racing(moving);
    QVERIFY(racing.ready());
    racing.session.play();
    racing.runner.start(racing.request(true));
    QVERIFY(racing.underWay());
    racing.runner.cancel();
    QVERIFY(racing.over());
    const RaceResultPtr result = racing.runner.last();
    QVERIFY(result && !result->finished);
    QVERIFY(result->conditions.rounds >= 2);
    QCOMPARE(racing.runner.past().size(), std::size_t{1});
    QVERIFY(racing.session.playing());
    QVERIFY2(racing.said().contains(QStringLiteral("cancelled")), qPrintable(racing.said()));
  }

  void aRaceThatWasGivenUpEarlyLeavesNothing() {
    // The race's thread waits, or it could be some rounds ahead before this one says anything.
    std::atomic<bool> released{false};
    Racing racing(still, [&](BackendRequest choice) {
      while (!released)
        std::this_thread::yield();
      return chooseDevice(choice);
    });
    QVERIFY(racing.ready());
    racing.runner.start(racing.request(true));
    racing.runner.cancel();
    racing.runner.cancel(); // twice does no harm
    released = true;
    QVERIFY(racing.over());
    QVERIFY(!racing.runner.last());
    QVERIFY2(racing.said().contains(QStringLiteral("nothing was measured")), qPrintable(racing.said()));
    // And the next is not disturbed by it.
    racing.runner.start(racing.request());
    QVERIFY(racing.over());
    QVERIFY(racing.runner.last() && racing.runner.last()->finished);
  }

  void newDataEndTheRace() {
    Racing racing(still);
    QVERIFY(racing.ready());
    racing.runner.start(racing.request(true));
    QVERIFY(racing.underWay());
    racing.session.open(generator("blobs:n=500,d=3,k=2"));
    QVERIFY(racing.over());
    QVERIFY2(racing.said().contains(QStringLiteral("the data changed")), qPrintable(racing.said()));
    QVERIFY(racing.runner.last());
    QVERIFY(racing.runner.whatChanged().contains(QString::fromLatin1(still)));
  }

  void anotherProblemEndsTheRaceAndAnotherVariantDoesNot() {
    Racing racing(still);
    QVERIFY(racing.ready());
    racing.runner.start(racing.request(true));
    QVERIFY(racing.underWay());
    Settings settings = racing.session.settings();
    settings.selection.classify = "cpu.v1";
    racing.session.setSettings(settings);
    QVERIFY(racing.underWay());
    settings.k = 3;
    racing.session.setSettings(settings);
    QVERIFY(racing.over());
    QVERIFY2(racing.said().contains(QStringLiteral("the settings changed")), qPrintable(racing.said()));
  }

  void whoPlaysEndsTheRace() {
    Racing racing(moving);
    QVERIFY(racing.ready());
    racing.runner.start(racing.request(true));
    QVERIFY(racing.underWay());
    racing.session.play();
    QVERIFY(racing.over());
    QVERIFY(racing.session.playing());
    QVERIFY2(racing.said().contains(QStringLiteral("move again")), qPrintable(racing.said()));
  }

  void theSimulatorDoesNotRace() {
    Racing racing("blobs:n=200,d=2,k=2", chooseDevice, BackendRequest::simt);
    QVERIFY(racing.ready());
    QVERIFY2(racing.runner.whyNot().contains(QStringLiteral("simulator")),
             qPrintable(racing.runner.whyNot()));
    racing.runner.start(racing.request());
    QVERIFY(!racing.runner.running());
    QCOMPARE(racing.messages.count(), 1);
    QVERIFY(racing.messages.last().at(1).toBool());
  }

  void aDeviceThatCannotBeHadIsSaidOnce() {
    Racing racing(moving, [](BackendRequest) -> ChosenDevice {
      throw DeviceError(2, severityOf(2), "allocate", "out of memory");
    });
    QVERIFY(racing.ready());
    racing.session.play();
    racing.runner.start(racing.request());
    QVERIFY(racing.over());
    QCOMPARE(racing.messages.count(), 1);
    QVERIFY(racing.messages.last().at(1).toBool());
    QVERIFY2(racing.said().contains(QStringLiteral("out of memory")), qPrintable(racing.said()));
    QCOMPARE(racing.ended.count(), 1);
    QVERIFY(!racing.runner.last());
    QVERIFY(racing.session.playing());
  }

  void aWrongVariantIsNeverRanked() {
    VariantInfo info;
    info.family = "planted";
    info.tag = "wrong";
    info.name = "wrong";
    QVERIFY(Registry::instance().add(info, Backend::cpu, {.classify = labelAllZero}));
    Racing racing(still);
    QVERIFY(racing.ready());
    racing.runner.start(racing.request());
    QVERIFY(racing.over());
    bool seen = false;
    for (const Measurement& m : racing.runner.last()->rows) {
      if (m.candidate.variant->id() != "planted.wrong") continue;
      seen = true;
      QVERIFY(!m.verified);
      QVERIFY(!m.difference.empty());
      QCOMPARE(m.rank, 0);
    }
    QVERIFY(seen);
  }

  void aRunnerMayGoInTheMiddle() {
    Session session;
    session.setSettings(cpuSettings(4));
    session.open(generator(still));
    QVERIFY(QTest::qWaitFor([&] { return session.data() && session.last(); }, patience));
    DeviceLease lease;
    auto runner = std::make_unique<RaceRunner>(session, lease);
    RaceRequest request;
    request.candidates = runner->raceable();
    request.options.rounds = 1000000;
    request.options.budgetSeconds = 1000;
    runner->start(request);
    runner.reset();
    session.step();
    QVERIFY(QTest::qWaitFor([&] { return session.last() && session.last()->iteration > 0; }, patience));
  }
};

QTEST_GUILESS_MAIN(TestRaceRunner)
#include "tst_race_runner.moc"
